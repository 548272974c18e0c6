/** What a run does in each of its stages. */
export const PHASES = {
  found: 'Reading the collection',
  growing: 'Adding animals one by one',
  rows: 'Sending valid, invalid and unusual requests',
  listed: 'Looking for what was added',
  last: 'Adding animals, to test whether lists are complete',
  full: 'Reading full pages',
  waiting: 'Waiting until the first animals are old enough',
  aged: 'Reading everything again',
} as const;

export type Stage = keyof typeof PHASES;

/** The stages in which rows of tables are sent, in order. */
export const ROW_STAGE_NAMES = ['rows', 'full'] as const satisfies readonly Stage[];

export type RowStage = (typeof ROW_STAGE_NAMES)[number];
