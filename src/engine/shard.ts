import type { Profile, Shard } from '../report/model/result.ts';
import { isOneAtATime } from './check.ts';
import type { Effort, PlannedCheck } from './effort.ts';

/** Which of the equal parts of a run is meant: the second of four is `{ number: 2, of: 4 }`. */
export interface ShardNumber {
  readonly number: number;
  readonly of: number;
}

/** What decides where a check is dealt to. */
export interface DealtCheck extends Omit<PlannedCheck, 'repeats'> {
  readonly repeats?: boolean;
  /** It judges what its run has left behind, so every shard has it. */
  readonly looksBack?: boolean;
}

/** What is waited for alone takes so many times as long as one request among others, at about 20 ms an answer. */
const ALONE = 4;

/** A shard while checks are dealt out. */
interface Hand {
  readonly checks: DealtCheck[];
  load: number;
  /** The most that one of its checks takes of what several need. */
  shared: number;
}

/** How full a shard may get before another one is preferred that has less of what a check shares, as shares of the mean. */
const FILLINGS = Array.from({ length: 41 }, (_, at) => 0.8 + at / 40);

/**
 * Deals checks out so that all shards take about equally long. It depends on nothing but the checks, their number of
 * shards and the profile, so that shards on several machines agree.
 *
 * @returns the ids of each shard, in the order of `checks`
 */
export function dealOut(
  checks: readonly DealtCheck[],
  of: number,
  profile: Profile,
  effort: Effort | undefined,
): readonly (readonly string[])[] {
  const sharedBy = ({ id }: DealtCheck): number => effort?.sharedBy[id] ?? 0;
  const loadOf = (check: DealtCheck): number => loadOfCheck(check, profile, effort);
  const dealt = checks.filter(({ looksBack }) => looksBack !== true);
  const mean = dealt.reduce((sum, check) => sum + loadOf(check), 0) / of;
  const orders = [
    dealt.toSorted((one, other) => sharedBy(other) - sharedBy(one) || loadOf(other) - loadOf(one)),
    dealt.toSorted((one, other) => loadOf(other) - loadOf(one)),
  ];
  const dealings = orders.flatMap((order) =>
    FILLINGS.map((filling) => dealInTurn(order, of, filling * mean, { sharedBy, loadOf })),
  );
  const best = leastOf(dealings, (hands) => [Math.max(...hands.map(({ load }) => load))]) ?? [];
  return best.map((hand) =>
    checks.filter((check) => check.looksBack === true || hand.checks.includes(check)).map(({ id }) => id),
  );
}

/**
 * Gives each check in turn to the shard that has most of what it shares with others, unless that would be too full then,
 * or else to the one that has least to do.
 */
function dealInTurn(
  checks: readonly DealtCheck[],
  of: number,
  full: number,
  {
    sharedBy,
    loadOf,
  }: { readonly sharedBy: (check: DealtCheck) => number; readonly loadOf: (check: DealtCheck) => number },
): readonly Hand[] {
  const hands = Array.from({ length: of }, (): Hand => ({ checks: [], load: 0, shared: 0 }));
  const added = (hand: Hand, check: DealtCheck): number => loadOf(check) + Math.max(0, sharedBy(check) - hand.shared);
  for (const [at, check] of checks.entries()) {
    const empty = hands.filter((hand) => hand.checks.length === 0);
    // No shard may be left without a check.
    const open = checks.length - at <= empty.length ? empty : hands;
    const fitting = open.filter((hand) => hand.load + added(hand, check) <= full);
    const chosen =
      leastOf(fitting, (hand) => [added(hand, check), hand.load]) ??
      leastOf(open, (hand) => [hand.load + added(hand, check)]);
    if (chosen === undefined) continue;
    chosen.load += added(chosen, check);
    chosen.shared = Math.max(chosen.shared, sharedBy(check));
    chosen.checks.push(check);
  }
  return hands;
}

/** What one shard gets of the checks that are dealt out. */
export function shardOf(
  checks: readonly DealtCheck[],
  { number, of }: ShardNumber,
  profile: Profile,
  effort: Effort | undefined,
): Shard {
  const own = dealOut(checks, of, profile, effort)[number - 1] ?? [];
  return { number, of, own, others: checks.map(({ id }) => id).filter((id) => !own.includes(id)) };
}

/** How long a check takes in a shard, as the number of requests that take as long side by side. */
export function loadOfCheck(check: DealtCheck, profile: Profile, effort: Effort | undefined): number {
  const requests = 1 + (effort?.profiles[profile].checks[check.id] ?? 0);
  return isOneAtATime(check.phase) && check.repeats !== true ? requests * ALONE : requests;
}

/** The checks of a plan, in its order; without their own part where that belongs to another shard. */
export function plannedChecks<T extends { readonly id: string; readonly exercise: unknown }>(
  { checks, shard }: { readonly checks: readonly string[]; readonly shard?: Shard | undefined },
  library: readonly T[],
): readonly T[] {
  const chosen = checks.flatMap((id) => library.find((check) => check.id === id) ?? []);
  return chosen.map((check) => (isElsewhere(check, shard) ? { ...check, exercise: undefined } : check));
}

/** Whether a check sends its requests in another shard. */
export const isElsewhere = ({ id }: { readonly id: string }, shard: Shard | undefined): boolean =>
  shard?.others.includes(id) === true;

/** What is known of the checks' effort, for one of some shards: what only repeats is shared out among them. */
export function effortOfShard(effort: Effort, checks: readonly DealtCheck[], of: number): Effort {
  const repeating = new Set(checks.flatMap(({ id, repeats }) => (repeats === true ? id : [])));
  const shareOf = (profile: Profile): Effort['profiles'][Profile] => {
    const known = effort.profiles[profile];
    const shares = Object.entries(known.checks).map(
      ([id, requests]) => [id, repeating.has(id) ? Math.ceil(requests / of) : requests] as const,
    );
    return { ...known, checks: Object.fromEntries(shares) };
  };
  const profiles = { smoke: shareOf('smoke'), standard: shareOf('standard'), thorough: shareOf('thorough') };
  return { ...effort, profiles };
}

/** The first with the least figures, compared one after the other. */
function leastOf<T>(candidates: readonly T[], figuresOf: (candidate: T) => readonly number[]): T | undefined {
  return candidates
    .map((candidate) => ({ candidate, figures: figuresOf(candidate) }))
    .toSorted((one, other) => {
      const differing = one.figures.findIndex((figure, at) => figure !== other.figures[at]);
      return (one.figures[differing] ?? 0) - (other.figures[differing] ?? 0);
    })
    .at(0)?.candidate;
}
