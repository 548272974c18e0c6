import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Recording, ReplayTarget } from '../plan.ts';
import { ReplayFileError, type ReplayRecord, readReplay, replayRecord } from './read-replay.ts';

let file = '';
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'conformance-replay-')), 'LIST-2.json');
});
afterAll(() => rmSync(join(file, '..'), { recursive: true, force: true }));

const CALL = {
  type: 'object',
  properties: { operation: { type: 'string' }, credential: { type: 'string' }, limit: { type: 'string' } },
  required: ['operation', 'credential'],
};
const read = (path: string): ReplayRecord => readReplay(path, 'suite', CALL);

const RUN = {
  seed: 1729,
  profile: 'thorough',
  strict: true,
  today: '2027-01-01',
  settleMs: 300,
  requestTimeoutMs: 1_000,
} as const;

const recordingOf = (target: ReplayTarget): Recording => ({
  violation: {
    code: 'status',
    expected: '400',
    byRule: false,
    permitted: [400],
    violated: 1,
    judged: 9,
    intermittent: false,
  },
  steps: [
    {
      calls: [{ call: { operation: 'add', credential: 'the right key' } }],
      at: 0,
      judged: false,
      status: 201,
      created: 3,
      after: 0,
    },
    {
      together: 'at one moment',
      calls: [{ call: { operation: 'list', credential: 'the right key', limit: '1' }, idOf: 0 }],
      at: 0,
      judged: true,
      created: 4,
      after: 12,
    },
  ],
  target,
});

const TARGETS: readonly ReplayTarget[] = [{ kind: 'check' }, { kind: 'sample', place: { property: 1, path: '3:0:1' } }];

test.each(TARGETS)('what was recorded is read again: $kind', (target) => {
  const record = replayRecord('suite', 'LIST-2', RUN, recordingOf(target));
  writeFileSync(file, JSON.stringify(record));
  expect(read(file)).toEqual(record);
});

const whole = replayRecord('suite', 'LIST-2', RUN, recordingOf({ kind: 'check' }));

test.each([
  ['no JSON', '{'],
  ['an empty file', ''],
  ['another format', JSON.stringify({ ...whole, format: 'suite/1' })],
  ['the replay of another program', JSON.stringify({ ...whole, format: 'other-replay/1' })],
  ['null', 'null'],
  ['a list', JSON.stringify([whole])],
  ['no check', JSON.stringify({ ...whole, check: undefined })],
  ['a seed that is text', JSON.stringify({ ...whole, seed: '1' })],
  ['a target of no kind', JSON.stringify({ ...whole, target: {} })],
  ['a target of another kind', JSON.stringify({ ...whole, target: { kind: 'all' } })],
  ['a sample without a place', JSON.stringify({ ...whole, target: { kind: 'sample' } })],
  ['a sample whose place is null', JSON.stringify({ ...whole, target: { kind: 'sample', place: null } })],
  [
    'a sample whose path is no path',
    JSON.stringify({ ...whole, target: { kind: 'sample', place: { property: 0, path: 'x' } } }),
  ],
  ['a step of no call', JSON.stringify({ ...whole, steps: [{ ...whole.steps[0], calls: [] }] })],
  [
    'a step of a call without an operation',
    JSON.stringify({ ...whole, steps: [{ ...whole.steps[0], calls: [{ call: { credential: 'x' } }] }] }),
  ],
  ['a violation that is null', JSON.stringify({ ...whole, violation: null })],
  ['a profile that is none', JSON.stringify({ ...whole, profile: 'quick' })],
])('%s is refused in one line', (_what, content) => {
  writeFileSync(file, content);
  expect(() => read(file)).toThrow(ReplayFileError);
  expect(() => read(file)).toThrow(/^\S*LIST-2\.json is not a recorded failure; [^\n]*$/);
});

test('a file that is not there is refused alike', () => {
  expect(() => read(join(file, '..', 'nothing.json'))).toThrow(ReplayFileError);
});
