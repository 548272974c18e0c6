import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';
import { farIds } from './ids.ts';
import { BEYOND_INT64, beyondInt64, INT64_EDGES } from './int64.ts';
import { EVERY_LIMIT, REVEALING_LIMITS } from './limits.ts';
import { EDGE_IDS } from './written-id.ts';

const SEED = 1729;

test('the limits that tell most are valid, and hold the bounds, the default, their neighbours and all tens', () => {
  expect([EVERY_LIMIT[0], EVERY_LIMIT.at(-1), EVERY_LIMIT.length]).toEqual([1, 100, 100]);
  for (const limit of REVEALING_LIMITS) expect(EVERY_LIMIT).toContain(limit);
  for (const limit of [1, 2, 19, 20, 21, 99, 100, 10, 30, 40, 50, 60, 70, 80, 90]) {
    expect(REVEALING_LIMITS).toContain(limit);
  }
});

test('ids that no animal has are int64s far from any counter', () => {
  for (const id of fc.sample(farIds(), { seed: SEED, numRuns: 500 })) {
    expect(isInt64(id)).toBe(true);
    expect(id > 2n ** 44n || id < -(2n ** 44n)).toBe(true);
    // A counter that begins at a power of two meets none of them.
    const size = id < 0n ? -id : id;
    for (const start of [2n ** 60n, 2n ** 61n, 2n ** 62n, 2n ** 63n]) {
      expect(size > start + 1_000_000n || size < start - 1_000_000n).toBe(true);
    }
  }
  for (const id of [...EDGE_IDS, ...INT64_EDGES]) expect(isInt64(id)).toBe(true);
});

test('what is called beyond int64 is beyond int64', () => {
  for (const value of [...BEYOND_INT64, ...fc.sample(beyondInt64(), { seed: SEED, numRuns: 300 })]) {
    expect(isInt64(value), `${value}`).toBe(false);
  }
  expect(BEYOND_INT64).toContain(INT64_MAX + 1n);
  expect(BEYOND_INT64).toContain(INT64_MIN - 1n);
});
