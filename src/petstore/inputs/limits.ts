import fc from 'fast-check';
import { LIMIT } from '../contract-facts.ts';

const { minimum, maximum } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Limits that clients ask for, beside the default and the largest: enough for the first few animals of a status. */
export const LIMITS_OF_CLIENTS: readonly number[] = [50, 25, 10, 30, 12, 40, 15, 64, 75];

/** What people take for any number. */
const ANY_NUMBERS = [13, 37, 42, 73, 77];

/** Sizes of pages, buffers and chunks: one more and one fewer reveal as much. */
const USUAL_SIZES = [10, 16, 20, 32, 50, 64, 100];

const isRevealing = (limit: number): boolean =>
  limit < 10 ||
  limit % 10 === 0 ||
  [LIMITS_OF_CLIENTS, ANY_NUMBERS].flat().includes(limit) ||
  USUAL_SIZES.some((size) => Math.abs(limit - size) <= 1);

/** The bounds, the default, small and round numbers, usual sizes, the numbers beside these, and what people ask for. */
export const REVEALING_LIMITS: readonly number[] = EVERY_LIMIT.filter(isRevealing);

export const anyLimit = (): fc.Arbitrary<number> => fc.integer({ min: minimum, max: maximum });
