import fc from 'fast-check';
import { LIMIT, PET_STATUSES, type PetStatus } from '../contract-facts.ts';

const { minimum, maximum } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Integers that are not valid limits. */
export const LIMITS_OUT_OF_RANGE: readonly string[] = [
  `${minimum - 1}`, '-1', `${maximum + 1}`, `${-LIMIT.default}`, `${-maximum}`, `${maximum + 2}`, '128', '150', '200', '256', '500',
  '1000', '10000', '65536', '1000000', '2147483647', '2147483648', '-2147483649', '4294967297', '9007199254740993',
  '9223372036854775807', '9223372036854775808', '18446744073709551617', '1'.repeat(30), '-0',
]; // biome-ignore format: one table

/** Limits that are not integers. */
export const LIMITS_NOT_INTEGERS: readonly string[] = [
  '', 'abc', 'ten', '1.5', '0.5', `${maximum}.5`, '-1.5', '1e1', '1e2', '1e400', '0x10', '0b1', 'null', 'undefined', 'NaN',
  'Infinity', '-Infinity', 'true', '5abc', 'abc5', '1,5', '1 5', ' ', '٣', '五', '[]', '{}', '"5"', "5'", '5;', '5--', '*', '%',
  '1/2', '--1', '1-1',
]; // biome-ignore format: one table

/** Any limit that is out of range or not an integer. */
export function anyInvalidLimit(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.integer({ min: maximum + 1, max: 100_000 }).map(String),
    fc.integer({ min: -100_000, max: minimum - 1 }).map(String),
    fc.string({ maxLength: 8 }).filter((text) => !/^\s*[+-]?\d+\s*$/.test(text)),
  );
}

/** Valid queries with a limit and a status. */
export function anyListQuery(): fc.Arbitrary<{ readonly status: PetStatus; readonly limit: number }> {
  return fc.record({ status: fc.constantFrom(...PET_STATUSES), limit: fc.integer({ min: minimum, max: maximum }) });
}

/** Status filters that are not in the enumeration. */
export const STATUS_FILTERS_OUTSIDE: readonly string[] = [
  'AVAILABLE', 'Available', 'Pending', 'SOLD', 'available ', ' sold', 'avail', 'availablee', 'unknown', 'deleted', 'null', 'undefined',
  '0', '1', 'true', '*', '%', '_', 'available,pending', 'available|sold', "sold'", "' OR '1'='1", 'sold"', '[]', '{}',
  '😀', '../sold', 'a'.repeat(500),
]; // biome-ignore format: one table
