import type { Profile } from '../report/model/result.ts';
import { isOneAtATime, type Phase } from './check.ts';

/** How many requests the checks are known to send, measured on a service that answers rightly. */
export interface Effort {
  readonly profiles: Readonly<Record<Profile, ProfileEffort>>;
  /** By check, the requests for what several checks need that it takes when it runs alone. */
  readonly sharedBy: Readonly<Record<string, number>>;
}

interface ProfileEffort {
  /** Answers that a run of all checks has to wait for one after the other, however many requests may be under way. */
  readonly chain: number;
  /** Requests for what several checks need, in a run of all checks. */
  readonly shared: number;
  /** Requests of the checks that run one at a time. */
  readonly alone: number;
  /** By check, its own requests in a run of all checks. */
  readonly checks: Readonly<Record<string, number>>;
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
export interface PlannedCheck {
  readonly id: string;
  readonly requirement: string;
  readonly phase: Phase;
  /** It only sends again what others have sent. */
  readonly repeats: boolean;
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
/** Of the answers that are waited for one after the other, so many while all checks run side by side; few have fewer. */
const CHAIN_TOGETHER = 12;
const CHAIN_OF_ONE = 3;
const CHAIN_OF_ANOTHER = 0.1;

/** The requests that checks send, with those for what they share. */
export function requestsOf(effort: Effort, checks: readonly Pick<PlannedCheck, 'id'>[], profile: Profile): number {
  const { shared, checks: own } = effort.profiles[profile];
  if (checks.length === 0) return 0;
  const isAll = checks.length >= Object.keys(own).length;
  const most = Math.max(...checks.map(({ id }) => effort.sharedBy[id] ?? 0));
  return checks.reduce((sum, { id }) => sum + (own[id] ?? 0), isAll ? shared : Math.min(shared, most));
}

/** Answers that these checks have to wait for one after the other: mostly those that run alone. */
function chainOf(effort: Effort, checks: readonly PlannedCheck[], profile: Profile): number {
  const { chain, checks: own, alone } = effort.profiles[profile];
  const isAlone = ({ phase, repeats }: PlannedCheck): boolean => isOneAtATime(phase) && !repeats;
  const requests = checks.filter(isAlone).reduce((sum, { id }) => sum + (own[id] ?? 0), 0);
  if (checks.length === 0) return 0;
  const together = Math.min(CHAIN_TOGETHER, CHAIN_OF_ONE + checks.length * CHAIN_OF_ANOTHER);
  return together + (chain - CHAIN_TOGETHER) * Math.min(1, requests / alone);
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

/** How many requests these checks send in a run of a profile, and how long that takes (ms). */
export function forecast(effort: Effort, checks: readonly PlannedCheck[], profile: Profile, pace: Pace) {
  const requests = requestsOf(effort, checks, profile);
  return { requests, milliseconds: START_MS + timeOf(requests, effort, checks, profile, pace) };
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
 * further checks of requirements that another check judges; then whole requirements; of these, those that send most.
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
    const requests = ({ id }: PlannedCheck): number => effort.profiles[current].checks[id] ?? 0;
    for (const check of some.toSorted((one, other) => requests(other) - requests(one))) {
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
