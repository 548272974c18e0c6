import { LIMIT } from '../contract-facts.ts';

const { minimum, maximum } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Valid limits, spread over all of them. */
export const LIMITS_OF_EACH_TEN: readonly number[] = EVERY_LIMIT.filter((limit) => limit % 10 === minimum);

/** Every other valid limit, and both bounds. */
export const EVERY_SECOND_LIMIT: readonly number[] = EVERY_LIMIT.filter(
  (limit) => limit === minimum || limit % 2 === maximum % 2,
);
