import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';
import { PET_STATUSES } from '../contract-facts.ts';
import { EDGE_IDS, farIds, neighboursOf } from './ids.ts';
import { BEYOND_INT64, beyondInt64, INT64_EDGES } from './int64.ts';
import {
  anyInvalidLimit,
  EVERY_LIMIT,
  LIMITS_NOT_INTEGERS,
  LIMITS_OUT_OF_RANGE,
  STATUS_FILTERS_OUTSIDE,
} from './limits.ts';

const SEED = 1729;

/** Whether the text of a parameter is a limit that must be accepted. */
const isValidLimit = (text: string): boolean => /^\d+$/.test(text) && BigInt(text) >= 1n && BigInt(text) <= 100n;

test('every limit from 1 to 100 is tried once', () => {
  expect(EVERY_LIMIT).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
});

test('no invalid limit is one that must be accepted, nor could be read as one with a sign or white space', () => {
  const readable = (text: string): boolean => /^\s*[+-]?\d+\s*$/.test(text) && isValidLimit(text.replace(/[\s+]/g, ''));
  for (const limit of [...LIMITS_OUT_OF_RANGE, ...LIMITS_NOT_INTEGERS]) expect(readable(limit), limit).toBe(false);
  for (const limit of LIMITS_OUT_OF_RANGE) expect(/^-?\d+$/.test(limit), limit).toBe(true);
  for (const limit of LIMITS_NOT_INTEGERS) expect(/^-?\d+$/.test(limit), limit).toBe(false);
  const drawn = fc.sample(anyInvalidLimit(), { seed: SEED, numRuns: 500 });
  for (const limit of drawn) expect(readable(limit), limit).toBe(false);
  for (const edge of ['0', '-1', '101']) expect(LIMITS_OUT_OF_RANGE).toContain(edge);
});

test('status filters outside the enumeration are none of the three statuses', () => {
  for (const status of PET_STATUSES) expect(STATUS_FILTERS_OUTSIDE).not.toContain(status);
  expect(new Set(STATUS_FILTERS_OUTSIDE).size).toBe(STATUS_FILTERS_OUTSIDE.length);
});

test('ids that no animal has are int64s far from any counter', () => {
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

test('what is called beyond int64 is beyond int64', () => {
  for (const value of [...BEYOND_INT64, ...fc.sample(beyondInt64(), { seed: SEED, numRuns: 300 })]) {
    expect(isInt64(value), `${value}`).toBe(false);
  }
  expect(BEYOND_INT64).toContain(INT64_MAX + 1n);
  expect(BEYOND_INT64).toContain(INT64_MIN - 1n);
});
