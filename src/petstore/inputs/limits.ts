import fc from 'fast-check';

export const SMALLEST_LIMIT = 1;
export const LARGEST_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

/** Every limit that must be accepted. */
export const ALL_LIMITS: readonly number[] = Array.from({ length: LARGEST_LIMIT }, (_, at) => at + SMALLEST_LIMIT);

/** Limits that are integers, and outside the bounds. */
export const LIMITS_OUTSIDE: readonly string[] = [
  '0', '-1', '101', '-20', '-100', '102', '128', '150', '200', '256', '500', '1000', '10000', '65536', '1000000',
  '2147483647', '2147483648', '-2147483649', '4294967297', '9007199254740993',
  '9223372036854775807', '9223372036854775808', '18446744073709551617', '1'.repeat(30), '-0',
]; // biome-ignore format: one table

/** Limits that are not integers. */
export const LIMITS_NOT_INTEGERS: readonly string[] = [
  '', 'abc', 'ten', '1.5', '0.5', '100.5', '-1.5', '1e1', '1e2', '1e400', '0x10', '0b1', 'null', 'undefined', 'NaN',
  'Infinity', '-Infinity', 'true', '5abc', 'abc5', '1,5', '1 5', ' ', '٣', '五', '[]', '{}', '"5"', "5'", '5;', '5--', '*', '%',
  '1/2', '--1', '1-1',
]; // biome-ignore format: one table

/** Limits outside the bounds or not integers, of any form. */
export function oddLimits(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.integer({ min: LARGEST_LIMIT + 1, max: 100_000 }).map(String),
    fc.integer({ min: -100_000, max: 0 }).map(String),
    fc.string({ maxLength: 8 }).filter((text) => !/^\s*[+-]?\d+\s*$/.test(text)),
  );
}

/** Status filters that are not of the enumeration. */
export const ODD_STATUS_FILTERS: readonly string[] = [
  'AVAILABLE', 'Available', 'Pending', 'SOLD', 'available ', ' sold', 'avail', 'availablee', 'unknown', 'deleted', 'null', 'undefined',
  '0', '1', 'true', '*', '%', '_', 'available,pending', 'available|sold', "sold'", "' OR '1'='1", 'sold"', '[]', '{}',
  '😀', '../sold', 'a'.repeat(500),
]; // biome-ignore format: one table
