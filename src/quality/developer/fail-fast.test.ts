import { expect, test } from 'vitest';
import { failFastLines, figuresOf } from './fail-fast.ts';
import type { ReadRun } from './reading.ts';

function run(fault: string, isFailFast: boolean, requests: number, processorMs: number): ReadRun {
  const reading = { fault, owner: 'R-1', isFound: true, isNamed: true, isShown: true, first: '' };
  return { ...reading, isFailFast, requests, processorMs };
}

test('median and 90th percentile are values that were seen', () => {
  expect(figuresOf([30, 10, 20])).toEqual({ median: 20, p90: 30 });
  expect(figuresOf([4, 3, 2, 1])).toEqual({ median: 2, p90: 4 });
});

test('each short run is held against the whole run of the same fault', () => {
  const runs = [run('a', false, 1_000, 500), run('b', false, 2_000, 1_000), run('c', false, 9, 9)];
  const lines = failFastLines([...runs, run('a', true, 100, 250), run('b', true, 1_000, 100), run('d', true, 7, 7)]);
  expect(lines).toEqual([
    'requests: 100 (90 %: 1000) of 1000 (90 %: 2000), a share of 10 % (90 %: 50 %)',
    'processor time: 100 ms (90 %: 250 ms) of 500 ms (90 %: 1000 ms), a share of 10 % (90 %: 50 %)',
  ]);
});
