import { PARTS } from '../../../suites/index.ts';

/** The short title of each requirement, by its id. Plain data, as the built package does not load the suites. */
export const TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  PARTS.flatMap(({ requirements }) => requirements.map(({ id, says }) => [id, says])),
);
