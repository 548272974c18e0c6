import { expect, test } from 'vitest';
import { drawPairs, judgePair } from './pairs.ts';
import type { Trial } from './trial.ts';

const FAULTS = ['LIST-2', 'LIST-9', 'GET-2', 'VERS-4', 'AUTH-4'].map((breaks) => ({ name: `f-${breaks}`, breaks }));
const [LIST, , GET] = FAULTS;
if (LIST === undefined || GET === undefined) throw new Error('the faults are gone');

const trial = (causes: Trial['causes'], ...requirements: readonly string[]): Trial => ({
  kind: 'fault',
  name: 'f',
  exitCode: 1,
  failed: requirements.map((requirement) => ({ check: requirement, requirement, message: 'wrong' })),
  unjudged: [],
  suiteFaults: [],
  isWhole: true,
  requests: 1,
  milliseconds: 1,
  causes,
});

const ALONE = [trial(undefined, 'LIST-2', 'LIST-9'), trial(undefined, 'GET-2')];
const judged = (...causes: readonly (readonly string[])[]) =>
  judgePair([LIST, GET], trial(causes.map((requirements) => ({ says: 'it is wrong', requirements }))), ALONE);

test('pairs are of two parts of the specification, each fault once, and the same for a seed', () => {
  const pairs = drawPairs(FAULTS, 10, 7);
  const names = pairs.flat().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain('f-VERS-4');
  for (const [first, second] of pairs) expect(first.breaks.split('-')[0]).not.toBe(second.breaks.split('-')[0]);
  expect(pairs).toEqual(drawPairs(FAULTS, 10, 7));
});

test.each([
  ['a cause for each', [['LIST-2', 'LIST-9'], ['GET-2']], [], 0],
  ['one cause for both', [['LIST-2', 'GET-2']], ['GET-2'], 0],
  ['none for one of them', [['LIST-2']], ['GET-2'], 0],
  ['a cause that names what neither violates', [['LIST-2', 'ERR-1'], ['GET-2']], [], 1],
] as const)('%s', (_what, causes, withoutCause, untrue) => {
  const row = judged(...causes);
  expect([row.withoutCause, row.untrue.length]).toEqual([withoutCause, untrue]);
});
