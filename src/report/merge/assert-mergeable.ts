import { targetName } from '../model/queries.ts';
import type { RunResult, Shard } from '../model/result.ts';
import { MergeError } from './merge-error.ts';

/** A result that is one of several shards. */
interface ShardResult {
  /** Where it stands among the results, from 1. */
  readonly at: number;
  readonly result: RunResult;
  readonly shard: Shard;
}

/** @throws MergeError where the results are not of one target and one catalogue, or not all of the shards of one run */
export function assertMergeable(results: readonly RunResult[]): void {
  const [first, ...others] = results;
  if (first === undefined) throw new MergeError('nothing-to-merge', 'no result was given.');
  for (const [index, other] of others.entries()) assertAlike(first, other, index + 2);
  const shards = results.flatMap((result, index): readonly ShardResult[] => {
    const { shard } = result.run;
    return shard === undefined ? [] : [{ at: index + 1, result, shard }];
  });
  const [one] = shards;
  if (one === undefined) return;
  if (shards.length < results.length) {
    const whole = results.findIndex(({ run }) => run.shard === undefined) + 1;
    const message = `result ${whole} is of a whole run, and others are of shards. Merge the shards of one run only.`;
    throw new MergeError('shards-mixed', message);
  }
  for (const shard of shards) assertOneRun(one, shard);
  assertComplete(shards, one.shard.of);
}

function catalogueOf({ requirements }: RunResult): ReadonlyMap<string, string> {
  return new Map(
    requirements.map(({ id, part, source, kind, says, because, readings }) => [
      id,
      JSON.stringify([part, source, kind, says, because, readings]),
    ]),
  );
}

function assertAlike(first: RunResult, other: RunResult, at: number): void {
  if (targetName(other) !== targetName(first)) {
    const message = `result ${at} is of ${other.target.baseUrl}, the first of ${first.target.baseUrl}. Shards must judge one target; use \`compare\` for two.`;
    throw new MergeError('target-differs', message);
  }
  const [catalogue, rows] = [catalogueOf(first), catalogueOf(other)];
  const differs = [...catalogue.keys(), ...rows.keys()].find((id) => catalogue.get(id) !== rows.get(id));
  if (differs === undefined) return;
  const message = `result ${at} was made with another catalogue (${differs} differs). Run every shard with one version of the suite.`;
  throw new MergeError('catalogue-differs', message);
}

/** Options that decide which requests are sent or how their answers are judged; how fast does not matter. */
const DECISIVE = [
  '--strict',
  '--read-only',
  '--category-id',
  '--max-creates',
  '--settle',
  '--request-timeout',
  '--today',
  '-H',
] as const;

/** How a run was given an option: each time that it was given, in any order. */
function givenOf({ run }: RunResult, name: (typeof DECISIVE)[number]): string {
  const given = run.options.filter((option) => option === name || option.startsWith(`${name} `));
  // Left out, it is the day of the start: runs around midnight have two, and are shards of one run all the same.
  const today = `--today ${run.startedAt.slice(0, 10)}`;
  return given
    .filter((option) => option !== today)
    .toSorted()
    .join(' ');
}

/** What decides which requests a shard sends, and what their answers come to, must be the same in all of them. */
function assertOneRun(one: ShardResult, other: ShardResult): void {
  const differing = (code: MergeError['code'], of: (given: ShardResult) => string | number, what: string): void => {
    if (of(one) === of(other)) return;
    const message = `result ${other.at} ran with ${what} ${of(other)}, the first with ${of(one)}. Run every shard with the same.`;
    throw new MergeError(code, message);
  };
  differing('version-differs', ({ result }) => result.suite.version, 'version');
  differing('seed-differs', ({ result }) => result.run.seed, '--seed');
  differing('profile-differs', ({ result }) => result.run.profile, '--profile');
  differing('shard-count-differs', ({ shard }) => shard.of, 'a number of shards of');
  for (const name of DECISIVE) {
    const [here, there] = [givenOf(other.result, name), givenOf(one.result, name)];
    if (here === there) continue;
    const ran = (given: string): string => (given === '' ? `without ${name}` : `with ${given}`);
    const message = `result ${other.at} ran ${ran(here)}, the first ${ran(there)}. Run every shard with the same.`;
    throw new MergeError('option-differs', message);
  }
  const selected = ({ shard: { own, others } }: ShardResult): string => [...own, ...others].toSorted().join(' ');
  if (selected(one) === selected(other)) return;
  const message = `result ${other.at} ran with other checks than the first. Run every shard with the same --only and --skip.`;
  throw new MergeError('selection-differs', message);
}

function assertComplete(shards: readonly ShardResult[], of: number): void {
  const first = new Map<number, number>();
  for (const { at, shard } of shards) {
    const earlier = first.get(shard.number);
    if (earlier !== undefined) {
      const message = `results ${earlier} and ${at} are both of shard ${shard.number}/${of}. Leave out one of them.`;
      throw new MergeError('shard-repeated', message);
    }
    first.set(shard.number, at);
  }
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((number) => !first.has(number));
  if (missing.length === 0) return;
  const names = missing.map((number) => `${number}/${of}`).join(', ');
  const [verb, them] = missing.length === 1 ? ['is', 'its'] : ['are', 'their'];
  const message = `shard ${names} ${verb} missing, and nothing can be said without ${them} checks. Add ${them} conformance.json, or run with --shard ${missing[0]}/${of} first.`;
  throw new MergeError('shards-missing', message);
}
