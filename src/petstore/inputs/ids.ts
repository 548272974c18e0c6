import fc from 'fast-check';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';

/** Ids that no animal has: far from any counter, and most of them beyond what a double holds. */
export function farIds(): fc.Arbitrary<bigint> {
  return fc.oneof(
    fc.bigInt({ min: 2n ** 60n, max: INT64_MAX - 2n ** 33n }),
    fc.bigInt({ min: INT64_MIN + 2n ** 33n, max: -(2n ** 60n) }),
    fc.bigInt({ min: 2n ** 45n, max: 2n ** 52n }),
  );
}

/** Ids that an animal may or may not have. */
export const EDGE_IDS: readonly bigint[] = [
  0n, -1n, -2n, -100n, 2n ** 31n - 1n, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n,
  INT64_MAX - 1n, INT64_MAX, INT64_MIN + 1n, INT64_MIN, 999999999n,
]; // biome-ignore format: one table

/** Other int64s that an implementation could confuse with `id`. */
export function neighboursOf(id: bigint): readonly bigint[] {
  const asDouble = BigInt(Number(id));
  const candidates = [
    id + 1n, id - 1n, -id, asDouble, asDouble + 1n, asDouble - 1n, id + 2n ** 32n, id - 2n ** 32n, BigInt.asIntN(32, id),
    id + 2n ** 53n, id * 10n, id / 10n,
  ]; // biome-ignore format: one table
  return [...new Set(candidates)].filter((candidate) => candidate !== id && isInt64(candidate));
}

/** Path segments that are not an int64, percent-encoded; the first are built on `id`, the id of an animal. */
export function notInt64(id: bigint): readonly string[] {
  return [
    `${id}abc`, `${id}.5`, `${id}x`, `${id}%20or%201=1`, `${id},${id}`, `${id + 2n ** 64n}`, `abc${id}`, `${id}%2e5`,
    `${id}%27`, `${id}e`,
    'abc', 'null', 'undefined', 'NaN', 'true', '1.5', '-1.5', '12abc', 'abc12', '-', '--1', '0x', 'one', '%F0%9F%98%80', '%20',
    '9223372036854775808', '-9223372036854775809', '18446744073709551616', '99999999999999999999', `1${'0'.repeat(40)}`, '9'.repeat(200),
    '1e', '%7B%7D', '%22', '%27', '*', 'available', '%5B%5D', '%2A',
  ]; // biome-ignore format: one table
}

/** Any word or number that is not an int64. */
export function anyNotInt64(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.stringMatching(/^[a-z]{1,12}$/),
    fc.stringMatching(/^[0-9]{1,6}[a-z]{1,4}$/).filter((text) => !/^\d+e\d*$/.test(text)),
    fc.stringMatching(/^[1-9][0-9]{20,40}$/),
    fc.stringMatching(/^-?[0-9]{1,5}\.[0-9]{0,3}[1-9]$/),
  );
}
