import type { Writable } from 'node:stream';
import { CATALOGUE } from '../../petstore/outline.ts';
import { type Comparison, compareResults, compareRuns } from '../../report/compare.ts';
import { renderComparison, type Sayings } from '../../report/formats/comparison.ts';
import { recordedName } from '../../report/history/record-of.ts';
import { EMBEDDED_NAME } from '../../report/model/queries.ts';
import type { RunResult } from '../../report/model/result.ts';
import type { RunRecord } from '../../report/model/run-record.ts';
import { UsageError } from '../errors.ts';
import type { Command } from './command.ts';
import { readHistoryOf } from './stored-history.ts';
import { readResultOf } from './stored-result.ts';

type CompareCommand = Extract<Command, { kind: 'compare' }>;

interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Most runs that are compared where nothing else is said. */
const LAST = 2;

/** Prints what changed from one run to another. @returns the exit code: 1 where there is a regression */
export async function compare(command: CompareCommand, { stdout, stderr }: Streams): Promise<number> {
  const { results, history = '', format } = command;
  if (results === undefined) {
    const runs = await runsOf(history, command, stderr);
    const [first, ...others] = runs;
    if (first === undefined || others.length === 0) {
      // The first of many nightly runs is no mistake.
      stderr.write(`compare: ${history} holds only one run of ${nameOf(runs)}; there is nothing to compare yet\n`);
      return 0;
    }
    return print(compareRuns([first, ...others]), sayingsOf([]));
  }
  const [before, after] = results;
  const read = [await readResultOf('compare', before), await readResultOf('compare', after)] as const;
  return print(compareResults(...read), sayingsOf(read));

  function print(comparison: Comparison, says: Sayings): number {
    stdout.write(renderComparison(comparison, format, says));
    return comparison.exitCode;
  }
}

/** The last runs of one target, the earliest first. */
async function runsOf(
  path: string,
  { last, baseUrl }: CompareCommand,
  stderr: Writable,
): Promise<readonly RunRecord[]> {
  const { runs, damaged } = await readHistoryOf('--history', path);
  for (const line of damaged) stderr.write(`compare: ${line}\n`);
  const target = baseUrl ?? runs.at(-1)?.target;
  const own = runs.filter((run) => run.target === target);
  if (own.length === 0) {
    const which = baseUrl === undefined ? 'no run' : `no run of ${baseUrl}`;
    throw new UsageError('history-empty', `--history: ${path} holds ${which}; run with --history ${path} first`);
  }
  const chosen = own.slice(-(last ?? LAST));
  if (chosen.length > 1 && last !== undefined && chosen.length < last) {
    stderr.write(`compare: ${path} holds only ${chosen.length} runs of ${nameOf(own)}; these are compared\n`);
  }
  return chosen;
}

const nameOf = ([run]: readonly RunRecord[]): string => (run === undefined ? EMBEDDED_NAME : recordedName(run));

/** What requirements say: as the results have it, or the catalogue of today. */
function sayingsOf(results: readonly RunResult[]): Sayings {
  return new Map(
    [CATALOGUE, ...results].flatMap(({ requirements }) => requirements.map(({ id, says }) => [id, says] as const)),
  );
}
