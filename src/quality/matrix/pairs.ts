import type { Writable } from 'node:stream';
import { mix } from '../../engine/mix.ts';
import type { Fault } from '../../reference/index.ts';
import type { Profile } from '../../report/model/result.ts';
import { runTrials } from './queue.ts';
import type { Job, Trial } from './trial.ts';

/** Of the pairs, this share must have a cause for each of the two faults. */
const ENOUGH_PAIRS = 110 / 120;

/** What one run with a fault alone does not show, others may: the requests differ from seed to seed. */
const FURTHER_RUNS = 5;

/** These have a day of their own, or keep each request waiting. */
const ALONE: ReadonlySet<string> = new Set(['VERS-4', 'SERV-5']);

type FaultFacts = Pick<Fault, 'name' | 'breaks'>;
type Pair = readonly [FaultFacts, FaultFacts];

/** What the report of a run on a service with two faults says of them. */
export interface PairRow {
  readonly name: string;
  /** The requirements that no cause names apart from the other fault's. */
  readonly withoutCause: readonly string[];
  /** Causes that name requirements which neither fault violates alone, in any of its runs. */
  readonly untrue: readonly string[];
}

/** Pairs of faults that break different parts of the specification, drawn by the seed. */
export function drawPairs(faults: readonly FaultFacts[], count: number, seed: number): readonly Pair[] {
  const left = faults
    .filter(({ breaks }) => !ALONE.has(breaks))
    .toSorted((one, other) => mix(seed, one.name) - mix(seed, other.name));
  const partOf = ({ breaks }: FaultFacts): string => breaks.split('-', 1)[0] ?? breaks;
  const pairs: Pair[] = [];
  while (pairs.length < count) {
    const first = left.shift();
    const at = first === undefined ? -1 : left.findIndex((other) => partOf(other) !== partOf(first));
    const second = left.splice(at, at < 0 ? 0 : 1)[0];
    if (first === undefined || second === undefined) break;
    pairs.push([first, second]);
  }
  return pairs;
}

/**
 * Judges the causes of a run with two faults: each is to have a cause of its own, and none may name what neither violates.
 *
 * @param together the run with both
 * @param alone the runs with one of them
 */
export function judgePair([first, second]: Pair, together: Trial, alone: readonly Trial[]): PairRow {
  const causes = together.causes ?? [];
  const own = [first, second].map(({ breaks }) => causes.filter(({ requirements }) => requirements.includes(breaks)));
  const [ofFirst = [], ofSecond = []] = own;
  const isShared = ofFirst.length === 1 && ofSecond.length === 1 && ofFirst[0] === ofSecond[0];
  const violated = new Set(alone.flatMap(({ failed }) => failed.map(({ requirement }) => requirement)));
  return {
    name: `${first.name} + ${second.name}`,
    withoutCause: [first, second].flatMap(({ breaks }, at) =>
      own[at]?.length === 0 || (isShared && at === 1) ? [breaks] : [],
    ),
    untrue: causes.flatMap(({ says, requirements }) => {
      const others = requirements.filter((id) => !violated.has(id));
      return others.length === 0 ? [] : `${says}: ${others.join(', ')}`;
    }),
  };
}

interface PairOptions {
  readonly pairs: number;
  /** Worker processes. */
  readonly jobs: number;
  readonly seed: number;
  readonly profile: Profile;
  /** Whether progress may be redrawn in place. */
  readonly interactive: boolean;
}

/**
 * Runs the checks against services with two faults at once, and prints what their reports say of each.
 * @returns whether enough pairs have a cause for each fault, and no cause says what is not so
 */
export async function runPairs(
  faults: readonly FaultFacts[],
  options: PairOptions,
  { stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable },
): Promise<boolean> {
  const { profile } = options;
  const pairs = drawPairs(faults, options.pairs, options.seed);
  const jobOf = ({ name }: FaultFacts, seed = options.seed): Job => ({
    kind: 'fault',
    name,
    seed,
    options: { profile },
  });
  const run = (jobs: readonly Job[]): Promise<readonly Trial[]> =>
    runTrials(jobs, { workers: options.jobs, progress: options.interactive ? stderr : undefined });
  const trials = await run(
    pairs.flatMap(([first, second]) => [{ ...jobOf(first), second: second.name }, jobOf(first), jobOf(second)]),
  );
  const furtherSeeds = Array.from({ length: FURTHER_RUNS }, (_, at) => options.seed + 1 + at);
  const rows: PairRow[] = [];
  for (const [at, pair] of pairs.entries()) {
    const [together, ...alone] = trials.slice(3 * at, 3 * at + 3);
    if (together === undefined) continue;
    const isTrue = judgePair(pair, together, alone).untrue.length === 0;
    const further = isTrue ? [] : await run(furtherSeeds.flatMap((seed) => pair.map((one) => jobOf(one, seed))));
    rows.push(judgePair(pair, together, [...alone, ...further]));
  }
  const [whole, untrue] = [
    rows.filter(({ withoutCause }) => withoutCause.length === 0),
    rows.filter((row) => row.untrue.length > 0),
  ];
  const lines = rows.flatMap((row) => [
    ...row.withoutCause.map((id) => `  ${row.name}: no cause of its own for ${id}`),
    ...row.untrue.map((says) => `  ${row.name}: neither violates what a cause names: ${says}`),
  ]);
  const figures = `Pairs     ${rows.length}: ${whole.length} have a cause for each fault, ${untrue.length} have a cause that says what is not so`;
  stdout.write(`${[figures, ...lines].join('\n')}\n`);
  return whole.length >= ENOUGH_PAIRS * rows.length && untrue.length === 0;
}
