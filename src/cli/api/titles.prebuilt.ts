import { PARTS } from '../../../suites/index.ts';

/** What each requirement says in a few words, by its id: plain data, as the built package does not load the suites. */
export const TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  PARTS.flatMap(({ requirements }) => requirements.map(({ id, says }) => [id, says])),
);
