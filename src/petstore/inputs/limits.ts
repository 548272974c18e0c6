import fc from 'fast-check';
import { LIMIT } from '../contract-facts.ts';

const { minimum, maximum } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Limits that clients ask for, beside the default and the largest: enough for the first few animals of a status. */
export const LIMITS_OF_CLIENTS: readonly number[] = [50, 25, 10, 30, 12, 99, 40, 15, 64, 75];

export const anyLimit = (): fc.Arbitrary<number> => fc.integer({ min: minimum, max: maximum });
