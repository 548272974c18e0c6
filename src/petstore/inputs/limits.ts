import { LIMIT } from '../contract-facts.ts';

const { minimum, maximum, default: usual } = LIMIT;

/** Every valid limit. */
export const EVERY_LIMIT: readonly number[] = Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

/** Every fourth valid limit, and both bounds. */
export const EVERY_FOURTH_LIMIT: readonly number[] = EVERY_LIMIT.filter(
  (limit) => limit === maximum || limit % 4 === minimum % 4,
);

/** The other valid limits, and all of those that stand for a page of the usual size or less. */
export const OTHER_LIMITS: readonly number[] = EVERY_LIMIT.filter(
  (limit) => limit <= usual || limit === maximum || !EVERY_FOURTH_LIMIT.includes(limit),
);
