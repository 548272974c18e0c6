import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';

/** Where implementations lose digits or signs: the edges of int32, of a double's exact integers, and of int64. */
export const INT64_EDGES: readonly bigint[] = [
  0n, 1n, -1n, 2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), -(2n ** 31n) - 1n, 2n ** 32n,
  2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 1234567890123456789n, -1234567890123456789n,
  INT64_MAX - 1n, INT64_MAX, INT64_MIN + 1n, INT64_MIN,
]; // biome-ignore format: one table

/** Any int64; half of them too large for a double to hold exactly. */
export function int64s(): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
    fc.constantFrom(...INT64_EDGES),
  );
}

/** Any integer beyond int64, on either side, from one too far to some 60 digits. */
export function beyondInt64(): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min: INT64_MAX + 1n, max: INT64_MAX + 1_000_000n }),
    fc.bigInt({ min: INT64_MIN - 1_000_000n, max: INT64_MIN - 1n }),
    fc.bigInt({ min: 2n ** 64n, max: 2n ** 200n }),
    fc.bigInt({ min: -(2n ** 200n), max: -(2n ** 64n) }),
  );
}

/** Integers beyond int64 that implementations mistake for valid ones: wrapped to zero, rounded to the edge. */
export const BEYOND_INT64: readonly bigint[] = [
  INT64_MAX + 1n, INT64_MIN - 1n, 2n ** 64n, 2n ** 64n + 1n, -(2n ** 64n), 10n ** 19n, 99999999999999999999n, 10n ** 30n,
]; // biome-ignore format: one table

/** A negative integer that a double cannot hold. */
export const BEYOND_A_DOUBLE = -9007199254740995n;

/** Categories that hardly any service knows. */
export const UNKNOWN_CATEGORIES: readonly bigint[] = [
  0n, 1n, -1n, 2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), -(2n ** 31n) - 1n, 2n ** 32n,
]; // biome-ignore format: one table
