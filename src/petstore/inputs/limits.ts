import { LIMIT } from '../contract-facts.ts';

const { minimum, maximum } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Valid limits, spread over all of them. */
export const SOME_LIMITS: readonly number[] = EVERY_LIMIT.filter(
  (limit) => limit % 20 === minimum || limit === maximum,
);

/** Every fourth valid limit, and both bounds. */
export const EVERY_FOURTH_LIMIT: readonly number[] = EVERY_LIMIT.filter(
  (limit) => limit === maximum || limit % 4 === minimum % 4,
);
