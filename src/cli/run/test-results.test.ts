import { expect, test } from 'vitest';
import { TestResults } from './test-results.ts';

const resultsOf = (checks: readonly string[], isStopped = false): TestResults =>
  new TestResults(checks, () => isStopped, {});

test('a check whose tests failed without a result is named with the first error', () => {
  const results = resultsOf(['LIST-2', 'VERS-4']);
  results.note({
    kind: 'test',
    name: 'LIST-2 a page holds no more than its limit',
    judged: undefined,
    error: 'broken',
  });
  expect(results.all().faults).toEqual([
    'the check LIST-2 ended without a result: broken',
    'the check VERS-4 ended without a result: no test concluded it',
  ]);
});

test('where nothing ran at all, the reason stands alone', () => {
  const results = resultsOf(['LIST-2', 'VERS-4']);
  results.note({ kind: 'fault', error: 'the session cannot be opened' });
  results.note({ kind: 'fault', error: 'the session cannot be opened' });
  expect(results.all().faults).toEqual(['the session cannot be opened']);
});

test('of a run that was ended early, no check is missed', () => {
  expect(resultsOf(['LIST-2'], true).all().faults).toEqual([]);
});
