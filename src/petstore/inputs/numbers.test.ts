import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyNotInt64, EDGE_IDS, farIds, neighboursOf, notInt64 } from './ids.ts';
import { BEYOND_INT64, beyondInt64, INT64_EDGES, INT64_MAX, INT64_MIN } from './int64.ts';
import { ALL_LIMITS, LIMITS_NOT_INTEGERS, LIMITS_OUTSIDE, ODD_STATUS_FILTERS, oddLimits } from './limits.ts';
import { PET_STATUSES } from './new-pet.ts';

const SEED = 1729;
const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

/** Whether the text of a parameter is a limit that must be accepted. */
const isSoundLimit = (text: string): boolean => /^\d+$/.test(text) && BigInt(text) >= 1n && BigInt(text) <= 100n;

test('every limit from 1 to 100 is tried once', () => {
  expect(ALL_LIMITS).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
});

test('no odd limit is one that must be accepted, nor could be read as one with a sign or white space', () => {
  const readable = (text: string): boolean => /^\s*[+-]?\d+\s*$/.test(text) && isSoundLimit(text.replace(/[\s+]/g, ''));
  for (const limit of [...LIMITS_OUTSIDE, ...LIMITS_NOT_INTEGERS]) expect(readable(limit), limit).toBe(false);
  for (const limit of LIMITS_OUTSIDE) expect(/^-?\d+$/.test(limit), limit).toBe(true);
  for (const limit of LIMITS_NOT_INTEGERS) expect(/^-?\d+$/.test(limit), limit).toBe(false);
  const drawn = fc.sample(oddLimits(), { seed: SEED, numRuns: 500 });
  for (const limit of drawn) expect(readable(limit), limit).toBe(false);
  for (const edge of ['0', '-1', '101']) expect(LIMITS_OUTSIDE).toContain(edge);
});

test('odd filters are none of the three statuses', () => {
  for (const status of PET_STATUSES) expect(ODD_STATUS_FILTERS).not.toContain(status);
  expect(new Set(ODD_STATUS_FILTERS).size).toBe(ODD_STATUS_FILTERS.length);
});

test('ids that stand for nobody are int64s far from any that counts', () => {
  for (const id of fc.sample(farIds(), { seed: SEED, numRuns: 500 })) {
    expect(isInt64(id)).toBe(true);
    expect(id > 2n ** 44n || id < -(2n ** 44n)).toBe(true);
  }
  for (const id of [...EDGE_IDS, ...INT64_EDGES]) expect(isInt64(id)).toBe(true);
});

test.each([1n, 2n, 0n, -1n, 10n, 2n ** 53n + 1n, INT64_MAX, INT64_MIN, 1234567890123456789n])(
  'the neighbours of %s are int64s other than itself',
  (id) => {
    const neighbours = neighboursOf(id);
    expect(neighbours).not.toContain(id);
    expect(neighbours.every(isInt64)).toBe(true);
    expect(new Set(neighbours).size).toBe(neighbours.length);
    expect(neighbours.length).toBeGreaterThan(2);
  },
);

test('what is beyond int64 is', () => {
  for (const value of [...BEYOND_INT64, ...fc.sample(beyondInt64(), { seed: SEED, numRuns: 300 })]) {
    expect(isInt64(value), `${value}`).toBe(false);
  }
  expect(BEYOND_INT64).toContain(INT64_MAX + 1n);
  expect(BEYOND_INT64).toContain(INT64_MIN - 1n);
});

test.each([undefined, 1n, 42n, -7n, INT64_MAX])('no path for a petId that is no int64 is one (built on %s)', (id) => {
  const asInt64 = (path: string): boolean => {
    const text = decodeURIComponent(path);
    return /^[+-]?\d+$/.test(text) && isInt64(BigInt(text));
  };
  const paths = [...notInt64(id), ...fc.sample(anyNotInt64(), { seed: SEED, numRuns: 500 })];
  for (const path of paths) {
    expect(asInt64(path), path).toBe(false);
    // It stays one segment of a path, and is sent as it stands.
    expect(path).toMatch(/^[^/?#\s]+$/);
  }
});
