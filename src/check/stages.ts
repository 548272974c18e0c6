/** What a run does in each of its stages. */
export const PHASES = {
  found: 'Reading the collection',
  growing: 'Adding animals one by one',
  rows: 'Sending valid, invalid and unusual requests',
  listed: 'Looking for what was added',
  last: 'Adding plain animals, to see which pages have room',
  full: 'Reading full pages',
  waiting: 'Waiting until the first animals are old enough',
  aged: 'Reading everything again',
} as const;

export type Stage = keyof typeof PHASES;

/** The stages in which rows of tables are sent: the state of the collection. */
export const ROW_STAGES = {
  found: 'before the run adds any animal',
  rows: 'while it adds animals',
  full: 'once pages are full',
  aged: 'once the first animals have aged',
} as const satisfies Partial<Record<Stage, string>>;

export type RowStage = keyof typeof ROW_STAGES;

const isRowStage = (name: string): name is RowStage => Object.hasOwn(ROW_STAGES, name);

export const ROW_STAGE_NAMES: readonly RowStage[] = Object.keys(ROW_STAGES).filter(isRowStage);
