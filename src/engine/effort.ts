import type { Profile } from '../report/model/result.ts';
import { type Check, isOneAtATime } from './check.ts';
import { rowsIn } from './request-space.ts';

/** What is known of the requests of the checks before any of them is sent. */
export interface Effort {
  /** How many rows of request spaces a check sends in a profile. */
  readonly rowsOf: (check: PlannedCheck, profile: Profile) => number;
  /** Requests for what several checks need, in a run of all checks. */
  readonly shared: number;
}

/** How fast a target answers, and how fast it may be asked. */
export interface Pace {
  /** Time to an answer (ms). */
  readonly latencyMs: number;
  /** Most requests a second; Infinity for no limit. */
  readonly perSecond: number;
  /** Most requests under way at once. */
  readonly concurrency: number;
}

/** What is known of a check before it runs. */
export type PlannedCheck = Pick<
  Check<never, never, never>,
  'id' | 'requirement' | 'stage' | 'covers' | 'repeats' | 'requests' | 'looksBack'
>;

/** What is known of the checks of a run with a seed. @param shared see {@link Effort.shared} */
export function effortOf(seed: number, shared: number): Effort {
  // A run asks again and again how much is left.
  const known = new Map<string, number>();
  return {
    rowsOf: ({ id, covers }, profile) => {
      const key = `${profile} ${id}`;
      const rows = known.get(key) ?? rowsIn(covers, profile, seed).length;
      known.set(key, rows);
      return rows;
    },
    shared,
  };
}

/** Which checks a run leaves out to fit its time, and by which profile it runs the others. */
export interface Fit {
  readonly profile: Profile;
  readonly leftOut: ReadonlySet<string>;
}

const NARROWER: Readonly<Record<Profile, Profile | undefined>> = {
  thorough: 'standard',
  standard: 'smoke',
  smoke: undefined,
};

/** The profiles that send less than one, the widest first. */
export function narrowerThan(profile: Profile): readonly Profile[] {
  const next = NARROWER[profile];
  return next === undefined ? [] : [next, ...narrowerThan(next)];
}

/** What the suite itself takes for a request, and for its start and end (ms). */
const OWN_MS = 1.5;
const START_MS = 2_500;
/** What a row takes, with what is asked again, and what a check takes beside its rows. */
const REQUESTS_OF_A_ROW = 1.3;
const REQUESTS_OF_A_CHECK = 3;
const MOST_SHARED_OF_ONE = 25;
/** Of the answers that are waited for one after the other, so many while all checks run side by side; few have fewer. */
const CHAIN_TOGETHER = 12;
const CHAIN_OF_ONE = 3;
const CHAIN_OF_ANOTHER = 0.1;
/** Of the requests of the checks that run alone, so many wait for one another. */
const CHAIN_ALONE = 0.4;

/** About how many requests a check sends by itself. */
function ownRequests(effort: Effort, check: PlannedCheck, profile: Profile): number {
  return REQUESTS_OF_A_CHECK + effort.rowsOf(check, profile) * REQUESTS_OF_A_ROW + (check.requests[profile] ?? 0);
}

/** About how many requests checks send, with those for what they share. */
export function requestsOf(effort: Effort, checks: readonly PlannedCheck[], profile: Profile): number {
  const shared = Math.min(effort.shared, checks.length * MOST_SHARED_OF_ONE);
  return Math.round(checks.reduce((sum, check) => sum + ownRequests(effort, check, profile), shared));
}

const isAlone = ({ stage, repeats }: PlannedCheck): boolean => isOneAtATime(stage) && !repeats;

/** Answers that these checks have to wait for one after the other: mostly those that run alone. */
function chainOf(effort: Effort, checks: readonly PlannedCheck[], profile: Profile): number {
  if (checks.length === 0) return 0;
  const requests = checks.filter(isAlone).reduce((sum, check) => sum + ownRequests(effort, check, profile), 0);
  return Math.min(CHAIN_TOGETHER, CHAIN_OF_ONE + checks.length * CHAIN_OF_ANOTHER) + requests * CHAIN_ALONE;
}

/** How long so many requests of these checks take, without the start (ms). */
export function timeOf(
  requests: number,
  effort: Effort,
  checks: readonly PlannedCheck[],
  profile: Profile,
  { latencyMs, concurrency, perSecond }: Pace,
): number {
  const eachMs = latencyMs + OWN_MS;
  const alone = Math.min(chainOf(effort, checks, profile), requests - requests / concurrency);
  // While many are waited for, there is time for the suite's own work.
  const together = requests * Math.max(eachMs / concurrency, OWN_MS);
  return Math.max(eachMs * alone + together, (requests / perSecond) * 1_000);
}

/** How long checks wait until what was added first is so old as a run is to look at it again (ms). */
export const waitOf = (checks: readonly PlannedCheck[], lingerMs: number): number =>
  checks.some(({ stage, looksBack }) => stage === 'aged' && looksBack) ? lingerMs : 0;

/** How many requests these checks send in a run of a profile, and how long that takes (ms). */
export function forecast(
  effort: Effort,
  checks: readonly PlannedCheck[],
  profile: Profile,
  pace: Pace,
  lingerMs: number,
) {
  const requests = requestsOf(effort, checks, profile);
  const time = timeOf(requests, effort, checks, profile, pace);
  return { requests, milliseconds: START_MS + Math.max(time, waitOf(checks, lingerMs)) };
}

/** What the time of a run is planned by. */
export interface Planning {
  readonly limitMs: number;
  readonly effort: Effort;
  /** Those that have not run. */
  readonly checks: readonly PlannedCheck[];
  readonly profile: Profile;
  readonly pace: Pace;
  /** Ids of those that have. */
  readonly begun: ReadonlySet<string>;
  /** Requests for what several checks need that were sent already. */
  readonly sharedSent: number;
}

/**
 * What to leave out so that the checks take no longer than `limitMs`; nothing where they do not. What finds least goes
 * first: checks that only repeat what others send; then the width of the request spaces, profile by profile; then
 * further checks of requirements that another check judges; then whole requirements; of these, those that take longest.
 */
export function fitInto({ limitMs, effort, checks, begun, profile, pace, sharedSent }: Planning): Fit {
  const leftOut = new Set<string>();
  const left = (): readonly PlannedCheck[] => checks.filter(({ id }) => !leftOut.has(id));
  let current = profile;
  const fits = (): boolean => {
    const requests = Math.max(0, requestsOf(effort, left(), current) - sharedSent);
    return timeOf(requests, effort, left(), current, pace) <= limitMs;
  };
  const leaveOut = (some: readonly PlannedCheck[]): void => {
    // What waits for one answer after the other takes longest.
    const cost = (check: PlannedCheck): number =>
      ownRequests(effort, check, current) * (isAlone(check) ? 1 + CHAIN_ALONE * pace.concurrency : 1);
    for (const check of some.toSorted((one, other) => cost(other) - cost(one))) {
      if (!fits()) leftOut.add(check.id);
    }
  };
  leaveOut(checks.filter(({ repeats }) => repeats));
  for (const narrower of narrowerThan(profile)) {
    if (!fits()) current = narrower;
  }
  const isJudged = (requirement: string): boolean =>
    begun.has(requirement) || checks.some(({ id }) => id === requirement);
  leaveOut(left().filter(({ id, requirement }) => id !== requirement && isJudged(requirement)));
  leaveOut(left());
  return { profile: current, leftOut };
}

/** So many answers after the first refusal show at which rate a service answers. */
const ENOUGH_ANSWERS = 20;
const MOST_ANSWERS = 100;
/** For a longer time (ms) without an answer or a refusal, the run had nothing to send. */
const IDLE_MS = 500;
/** How much one answer counts in the moving average of the latency. */
const WEIGHT = 0.05;

/** How fast a target answers, as a run sees it: for what it plans by, and for what it tells. Times are monotonic (ms). */
export class PaceMeter {
  readonly #given: Pace;
  #latencyMs: number;
  /** From one answer to the next (ms), idle times left out. */
  #gaps: number[] = [];
  #answeredAt: number | undefined;
  #refusals = 0;

  /** @param given what was known before the run */
  constructor(given: Pace) {
    this.#given = given;
    this.#latencyMs = given.latencyMs;
  }

  /** Notes an answer. @param refusals how many requests the service has refused so far, where that slows the run down */
  note(milliseconds: number, now: number, refusals: number): void {
    this.#latencyMs += (milliseconds - this.#latencyMs) * WEIGHT;
    if (refusals === 0) {
      this.#gaps = [];
      this.#answeredAt = undefined;
      return;
    }
    const gap = now - (this.#answeredAt ?? now);
    const isIdle = gap > IDLE_MS && refusals === this.#refusals;
    if (this.#answeredAt !== undefined && !isIdle) this.#gaps.push(gap);
    if (this.#gaps.length > MOST_ANSWERS) this.#gaps.shift();
    this.#answeredAt = now;
    this.#refusals = refusals;
  }

  /** The rate that the service was found to bear; undefined where it has refused nothing, or has answered too little since. */
  foundPerSecond(fewestAnswers = ENOUGH_ANSWERS): number | undefined {
    const milliseconds = this.#gaps.reduce((sum, gap) => sum + gap, 0);
    if (this.#gaps.length + 1 < fewestAnswers || milliseconds === 0) return undefined;
    return (this.#gaps.length / milliseconds) * 1_000;
  }

  get pace(): Pace {
    const { perSecond, concurrency } = this.#given;
    return {
      latencyMs: this.#latencyMs,
      perSecond: Math.min(perSecond, this.foundPerSecond() ?? perSecond),
      concurrency,
    };
  }
}
