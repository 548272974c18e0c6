/** The runs of a history as a table, latest first. */

import { comparableRuns, type RunRecord } from '../result/history.ts';
import { requirementFigures } from '../result/verdict.ts';
import { count, dateOf, grouped } from '../text.ts';
import type { Block } from './blocks.ts';

/** How many runs the table shows. */
const MOST_RUNS = 60;

/** @param history earlier runs, of any target and profile */
export function trendBlocks(result: RunRecord, history: readonly RunRecord[]): readonly Block[] {
  const runs = [...comparableRuns(history, result).filter(({ run }) => run.id !== result.run.id), result];
  if (runs.length < 2) return [];
  const shown = runs.slice(-MOST_RUNS).toReversed();
  const rows = shown.map(({ run, verdict, requirements }) => {
    const { passed, failed, notTested } = requirementFigures(requirements);
    return [dateOf(run.startedAt), verdict, ...[passed, failed, notTested].map(grouped)];
  });
  const more = runs.length > shown.length ? ` Only the last ${shown.length} are shown.` : '';
  const caption = `${count(runs.length, 'run')} of this target with this profile, latest first.${more}`;
  return [{ kind: 'table', caption, columns: ['Began', 'Verdict', 'Passed', 'Failed', 'Not tested'], rows, texts: 2 }];
}
