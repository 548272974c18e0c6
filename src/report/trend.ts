/** The runs of a history as a chart, latest last, and as a table, latest first. */

import { count, dateOf, grouped } from '../text.ts';
import type { Block } from './blocks.ts';
import { comparableRuns, hasVerdict, type RunRecord } from './history.ts';
import { requirementFigures } from './verdict.ts';

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
  const columns = shown.toReversed().map((one) => {
    const { testable, passed, failed, notTested } = requirementFigures(one.requirements);
    const began = dateOf(one.run.startedAt);
    if (!hasVerdict(one))
      return { name: began, title: `${began}: no verdict`, parts: [{ tone: 'plain', value: testable }] } as const;
    const title = `${began}: ${grouped(passed)} passed, ${grouped(failed)} failed, ${grouped(notTested)} not tested`;
    const parts = [
      { tone: 'good', value: passed },
      { tone: 'bad', value: failed },
      { tone: 'unsure', value: notTested },
    ] as const;
    return { name: began, title, parts };
  });
  const legend = [
    { tone: 'good', text: 'passed' },
    { tone: 'bad', text: 'failed' },
    { tone: 'unsure', text: 'not tested' },
    { tone: 'plain', text: 'no verdict' },
  ] as const;
  const more = runs.length > shown.length ? ` Only the last ${shown.length} are shown.` : '';
  const caption = `${count(runs.length, 'run')} of this target with this profile, latest first.${more}`;
  return [
    { kind: 'chart', label: 'Requirements in each run', columns, legend },
    { kind: 'table', caption, columns: ['Began', 'Verdict', 'Passed', 'Failed', 'Not tested'], rows, texts: 2 },
  ];
}
