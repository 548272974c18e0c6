import fc from 'fast-check';
import { INT64_MAX, INT64_MIN } from '../../contract/exact-integer.ts';
import type { LevelTable } from '../../engine/request-space.ts';

/** Where implementations lose digits or signs: the edges of int32, of a double's exact integers, and of int64. */
export const INT64_EDGES: readonly bigint[] = [
  0n, 1n, -1n, 2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), -(2n ** 31n) - 1n, 2n ** 32n,
  2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 1234567890123456789n, -1234567890123456789n,
  INT64_MAX - 1n, INT64_MAX, INT64_MIN + 1n, INT64_MIN,
]; // biome-ignore format: one table

const UPWARDS = Array.from({ length: 63 }, (_, at) => BigInt(at));
const POWERS = [
  ...UPWARDS.flatMap((exponent) => [2n ** exponent - 1n, 2n ** exponent, 2n ** exponent + 1n]),
  ...UPWARDS.slice(0, 19).flatMap((exponent) => [10n ** exponent - 1n, 10n ** exponent]),
];

/**
 * What programs keep for values of their own, such as -1 and 9999, and where a value needs a digit or a bit more: the
 * powers of two and of ten and their neighbours, in both signs.
 */
export const SENTINELS: readonly bigint[] = [
  ...new Set([-999n, -9999n, 99n, 65_535n, ...POWERS, ...POWERS.map((power) => -power)]),
];

/** Every kind of category id; each must be accepted where no categories are named. */
export const CATEGORIES: LevelTable<bigint> = {
  'a small one': { examples: [2n, 7n, 10n, 42n, 99n, 100n], others: fc.bigInt({ min: 2n, max: 999n }) },
  'zero or one': { examples: [0n, 1n] },
  'a negative one': { examples: [-1n, -7n, -128n, -1_000n, -32_768n], others: fc.bigInt({ min: -(2n ** 20n), max: -1n }) },
  'at the edges of bytes': { examples: [127n, 128n, 255n, 256n, 32_767n, 32_768n, 65_535n, 65_536n] },
  'at the edges of int32': { examples: [2n ** 31n, 2n ** 31n - 1n, -(2n ** 31n) - 1n, -(2n ** 31n), 2n ** 32n, 2n ** 32n - 1n] },
  'at the edges of a double': { examples: [2n ** 53n + 1n, 2n ** 53n - 1n, -(2n ** 53n) - 1n, 2n ** 53n, 2n ** 62n + 1n] },
  'of many digits': { examples: [1234567890123456789n, -1234567890123456789n, 1_000_000_000n, 10n ** 18n, 999999999999999999n] },
  'at the edges of int64': { examples: [INT64_MAX, INT64_MIN, INT64_MAX - 1n, INT64_MIN + 1n] },
  any: { examples: [], others: int64s() },
}; // biome-ignore format: one table

/** Any int64; half of them too large for a double to hold exactly. */
export function int64s(): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.constantFrom(...SENTINELS),
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

/**
 * Categories that show whether any int64 is taken, beside those of all valid bodies: of the known ones all, where the user
 * listed them.
 */
export function revealingCategories(known: readonly bigint[]): readonly bigint[] {
  return known.length > 0 ? known : [2n ** 53n + 1n, INT64_MAX, INT64_MIN];
}
