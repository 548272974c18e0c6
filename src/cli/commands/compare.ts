import { comparisonDocument } from '../../report/comparison.ts';
import { markdownOf } from '../../report/markdown.ts';
import { terminalText } from '../../report/terminal.ts';
import { type Comparison, compareRuns } from '../../result/comparison.ts';
import { lastComparable, type RunRecord, readHistory } from '../../result/history.ts';
import { targetName } from '../../result/result.ts';
import { readResult } from '../../result/stored.ts';
import { conflict, UsageError, withFile } from '../errors.ts';
import type { Values } from '../options/option.ts';
import { COMPARE_OPTIONS } from '../options/tables.ts';
import { viewOf } from '../terminal.ts';
import { type Context, command } from './command.ts';

type CompareValues = Values<typeof COMPARE_OPTIONS>;

/** Prints what changed from one run to another; the exit code is 1 if there is a regression. */
export const compareCommand = command({
  name: 'compare',
  summary: 'show what changed between two results, or in a history',
  args: [
    ['[before]', 'a conformance.json, or its folder'],
    ['[after]', 'the later result'],
  ],
  options: COMPARE_OPTIONS,
  perform: async (values, args, context) => {
    const runs = await runsOf(values, args, context);
    if (runs === undefined) return 0;
    const comparison = compareRuns(...runs);
    context.stdout.write(comparisonText(comparison, values, context));
    return comparison.exitCode;
  },
});

type Pair = readonly [before: RunRecord, after: RunRecord];

/** The runs to compare; undefined if the history has nothing to compare yet. */
async function runsOf(
  { history, last }: CompareValues,
  [before, after]: readonly string[],
  { stderr }: Context,
): Promise<Pair | undefined> {
  if (history === undefined) {
    if (last !== undefined) throw conflict('--last: has no effect without --history; give the history too');
    if (before !== undefined && after !== undefined) {
      const read = (path: string) => withFile('compare', 'file-unreadable', () => readResult(path));
      return [await read(before), await read(after)];
    }
    const lines = '`petstore-conformance compare BEFORE AFTER`, or `compare --history FILE`';
    throw new UsageError('argument-missing', `compare: missing argument; write ${lines}`);
  }
  if (before !== undefined) {
    throw conflict('--history: compares the runs of the history; leave out the results, or --history');
  }
  const runs = await withFile('--history', 'file-unreadable', () => readHistory(history));
  const comparable = lastComparable(runs, last);
  const [first, latest] = [comparable.at(0), comparable.at(-1)];
  if (first === undefined || latest === undefined) {
    throw new UsageError('history-empty', `--history: ${history} contains no run; run with --history ${history} first`);
  }
  const name = `${targetName(latest)} with the profile ${latest.run.profile}`;
  if (comparable.length === 1) {
    // The first of many nightly runs is no mistake.
    stderr.write(`compare: ${history} has only one run of ${name}; there is nothing to compare yet\n`);
    return undefined;
  }
  if (last !== undefined && comparable.length < last) {
    stderr.write(`compare: ${history} has only ${comparable.length} runs of ${name}, which are compared\n`);
  }
  return [first, latest];
}

function comparisonText(comparison: Comparison, { format }: CompareValues, context: Context): string {
  if (format === 'json') return `${JSON.stringify(comparison, undefined, 2)}\n`;
  const document = comparisonDocument(comparison);
  return format === 'md' ? `${markdownOf(document)}\n` : terminalText(document, viewOf({}, context));
}
