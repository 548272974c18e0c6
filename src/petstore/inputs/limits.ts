import fc from 'fast-check';
import { LIMIT } from '../contract-facts.ts';

const { minimum, maximum } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Limits that clients ask for, beside the default and the largest: enough for the first few animals of a status. */
export const LIMITS_OF_CLIENTS: readonly number[] = [50, 25, 10, 30, 12, 40, 15, 64, 75];

/** What people take for any number. */
const ANY_NUMBERS = [13, 37, 42, 73, 77];

const isTelling = (limit: number): boolean =>
  limit < 10 ||
  [0, 1, 9].includes(limit % 10) ||
  [LIMITS_OF_CLIENTS, ANY_NUMBERS].flat().includes(limit) ||
  isBesideAPowerOf2(limit);
const isBesideAPowerOf2 = (limit: number): boolean => [16, 32, 64].some((power) => Math.abs(limit - power) <= 1);

/** The bounds, the default, small and round numbers, powers of two, the numbers beside these, and what people ask for. */
export const TELLING_LIMITS: readonly number[] = EVERY_LIMIT.filter(isTelling);

export const anyLimit = (): fc.Arbitrary<number> => fc.integer({ min: minimum, max: maximum });
