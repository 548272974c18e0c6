import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../cli/errors.ts';
import type { ReplayTarget } from './plan.ts';
import { readReplay, replayRecord } from './replay.ts';

let file = '';
beforeAll(() => {
  file = join(mkdtempSync(join(tmpdir(), 'petstore-replay-')), 'LIST-2.json');
});
afterAll(() => rmSync(join(file, '..'), { recursive: true, force: true }));

const TARGETS: readonly ReplayTarget[] = [
  { kind: 'check' },
  { kind: 'sample', place: { property: 1, path: '3:0:1' } },
  { kind: 'request', request: { operation: 'listPets', credential: 'the right key', limit: '1' } },
];

test.each(TARGETS)('what was recorded is read again: $kind', (target) => {
  const record = replayRecord('LIST-2', 1729, 'thorough', target);
  writeFileSync(file, JSON.stringify(record));
  expect(readReplay(file)).toEqual(record);
});

const whole = replayRecord('LIST-2', 1, 'standard', { kind: 'check' });

test.each([
  ['no JSON', '{'],
  ['an empty file', ''],
  ['another format', JSON.stringify({ ...whole, format: 'petstore-conformance/1' })],
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
  ['a request that is null', JSON.stringify({ ...whole, target: { kind: 'request', request: null } })],
  [
    'a request of no operation',
    JSON.stringify({ ...whole, target: { kind: 'request', request: { credential: 'x' } } }),
  ],
  ['a profile that is none', JSON.stringify({ ...whole, profile: 'quick' })],
])('%s is refused in one line', (_what, content) => {
  writeFileSync(file, content);
  expect(() => readReplay(file)).toThrow(UsageError);
  expect(() => readReplay(file)).toThrow(/^--replay: .*LIST-2\.json: is not a recorded failure; [^\n]*$/);
});

test('a file that is not there is refused alike', () => {
  expect(() => readReplay(join(file, '..', 'nothing.json'))).toThrow(UsageError);
});
