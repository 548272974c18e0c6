import { availableParallelism, cpus, totalmem } from 'node:os';
import { suiteVersion } from '../../package.ts';
import {
  type Case,
  collectionCases,
  commandCases,
  floorCases,
  latencyCases,
  repeatCases,
  type Settings,
  toolCases,
} from './cases.ts';
import { drawFaults, findFaults, prepareComparison } from './comparison.ts';
import { BENCH_FORMAT, type BenchResult, type Part, type Row, rowOf, type Sample } from './result.ts';

export interface BenchOptions extends Settings {
  readonly parts: readonly Part[];
  /** Samples of each row, after a warm-up. */
  readonly runs: number;
  /** How many faults each tool is tried on. */
  readonly faults: number;
  /** Told what is being done. */
  readonly onProgress: (text: string) => void;
}

const METHOD =
  'Wall time from the start of the process to its end. Processor time is what process.resourceUsage gives at the end of each Node process of the command, user and system, all threads and child processes. Peak memory is the largest resident set of any of them. Cases of a part take turns.';

/** Measures the parts one after the other; within a part, its cases take turns, after one round that is not counted. */
export async function measure(options: BenchOptions): Promise<BenchResult> {
  const { parts, runs, seed } = options;
  const started = performance.now();
  const measuredAt = new Date().toISOString();
  const has = (part: Part): boolean => parts.includes(part);
  const rows: Row[] = [];
  const take = async (cases: readonly Case[]): Promise<void> => {
    rows.push(...(await takeTurns(cases, options)));
  };
  // Peak memory is read off the same commands.
  if (has('a') || has('f')) await take(commandCases(options));
  if (has('b')) await take(floorCases(options));
  const comparison = has('c') ? await compare(options, take) : undefined;
  if (has('d')) await take(latencyCases(options));
  if (has('e')) await take(collectionCases(options));
  if (has('g')) await take(repeatCases(options));
  return {
    format: BENCH_FORMAT,
    suiteVersion: suiteVersion(),
    measuredAt,
    machine: {
      cores: availableParallelism(),
      model: cpus()[0]?.model.trim() ?? 'unknown',
      memoryBytes: totalmem(),
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
    },
    method: METHOD,
    runs,
    seed,
    parts,
    milliseconds: Math.round(performance.now() - started),
    rows,
    comparison,
  };
}

/**
 * A round for warming up, then as many as there are to be samples; every case once in each. One that fails costs its
 * samples of that round, not the others.
 */
export async function takeTurns(
  cases: readonly Case[],
  { runs, onProgress }: Pick<BenchOptions, 'runs' | 'onProgress'>,
): Promise<readonly Row[]> {
  const turns = cases.map((one) => ({ ...one, taken: [] as (readonly Sample[])[], failures: [] as string[] }));
  for (let round = 0; round <= runs; round += 1) {
    for (const { part, rows, measure: takeSamples, taken, failures } of turns) {
      onProgress(`(${part}) ${rows.join(' and ')}, ${round === 0 ? 'warm-up' : `${round} of ${runs}`}`);
      try {
        const samples = await takeSamples();
        if (round > 0) taken.push(samples);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
  return turns.flatMap(({ part, rows, taken, failures }) =>
    rows.map((row, at) =>
      rowOf(
        part,
        row,
        taken.flatMap((samples) => samples[at] ?? []),
        failures,
      ),
    ),
  );
}

async function compare(
  options: BenchOptions,
  take: (cases: readonly Case[]) => Promise<void>,
): Promise<BenchResult['comparison']> {
  const { seed, scratch, onProgress } = options;
  onProgress('(c) installing the other tools');
  const { contestants, missing } = await prepareComparison(seed, scratch);
  const falseAlarms = new Map<string, readonly string[]>();
  const onFailed = (contestant: string, tests: readonly string[]): void => {
    falseAlarms.set(contestant, [...new Set([...(falseAlarms.get(contestant) ?? []), ...tests])]);
  };
  await take(toolCases(contestants, options, onFailed));
  const faults = drawFaults(options.faults, seed);
  const findings = await findFaults(contestants, faults, falseAlarms, scratch, (trial) => onProgress(`(c) ${trial}`));
  return { faults, tools: [...findings, ...missing] };
}
