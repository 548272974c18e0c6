import { LIMIT } from '../contract-facts.ts';

const { minimum, maximum } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Every eighth valid limit, and both bounds. */
export const EVERY_EIGHTH_LIMIT: readonly number[] = EVERY_LIMIT.filter(
  (limit) => limit === maximum || limit % 8 === minimum % 8,
);
