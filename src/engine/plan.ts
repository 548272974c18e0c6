import type { ConnectionOptions } from '../http/connect/route.ts';
import { INTERRUPTED, KEY_LOST, NotSent } from '../http/not-sent.ts';
import type { ExtraHeader, RateLimit } from '../http/options.ts';
import type { ExchangeEvidence } from '../report/model/evidence.ts';
import { FIRST_VIOLATION } from '../report/model/first-violation.ts';
import type { RememberedEntry } from '../report/model/remembered.ts';
import type {
  AnswerCount,
  Cause,
  CheckResult,
  FirstViolation,
  Latency,
  Profile,
  SpaceCoverage,
} from '../report/model/result.ts';
import type { SamplePlace } from './outcome-errors.ts';

/** What of a check is exercised again when a failure is replayed: one sample of a property, or all of it. */
export type ReplayTarget = { readonly kind: 'sample'; readonly place: SamplePlace } | { readonly kind: 'check' };

/** A call without its credential, as the service's replay format writes it. */
export type RecordedCall = Readonly<Record<string, string | boolean | undefined>>;

/** One exchange of a proof as it was sent, alone or with others, so that it can be sent again. */
export interface RecordedStep {
  /** How several calls were sent together; missing for one that was sent by itself. */
  readonly together?: 'on one connection' | 'at one moment' | undefined;
  /** Each call, with the place of the step whose answer gave the id that it names, if one did. */
  readonly calls: readonly { readonly call: RecordedCall; readonly idOf?: number | undefined }[];
  /** Which of the calls belongs to the proof. */
  readonly at: number;
  /** True for the one that was judged. */
  readonly judged: boolean;
  /** The status of its answer; missing where none came. */
  readonly status?: number | undefined;
  /** The id that its answer gave; missing where it gave none. */
  readonly given?: string | undefined;
  /** How many creations the run had begun when it was answered, and how long it was sent after the step before (ms). */
  readonly created: number;
  readonly after: number;
}

/** A violation as it is recorded for a replay. */
export interface RecordedViolation {
  readonly code: string;
  readonly expected: string;
  /** Whether the rule about every answer found it, and not the check's own part. */
  readonly byRule: boolean;
  /** The statuses that would have been right, where it is about the status alone. */
  readonly permitted?: readonly number[] | undefined;
  /** Whether it shows only while the service holds what it held before the run. */
  readonly asFound?: true | undefined;
  /** How many answers were wrong, of how many; `intermittent` if the same request was also answered rightly. */
  readonly violated: number;
  readonly judged: number;
  readonly intermittent: boolean;
}

/** What a replay of a failure needs. */
export interface Recording {
  readonly violation: RecordedViolation;
  /** The exchanges of the proof, in the order in which they were sent; none where they cannot be recorded. */
  readonly steps: readonly RecordedStep[];
  readonly target: ReplayTarget;
  /** How many entries the service held before the run added any, where that is known. */
  readonly sizeAtStart?: number;
}

/** What a user asks of a run, as far as it concerns the engine. Times are in milliseconds. */
export interface RunSettings extends ConnectionOptions {
  readonly token: string;
  readonly headers: readonly ExtraHeader[];
  readonly profile: Profile;
  readonly readOnly: boolean;
  /** 0 to 2^31 - 1. */
  readonly seed: number;
  /** Requests in flight at once, 1 to 256. */
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  /** How long the list may take to show a new entry. */
  readonly settleMs: number;
  readonly strict: boolean;
  /** The UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  /** Whether the run ends at the first violation that is proven. */
  readonly failFast: boolean;
  /** What an earlier run has added, in that order; missing where nothing is remembered. */
  readonly remembered?: readonly RememberedEntry[] | undefined;
}

/** One run against one target, as plain data that can be handed to a worker thread. */
export interface Plan extends RunSettings {
  readonly runId: string;
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly maxCreates: number;
  /** Whether the user has set it: what a default leaves unjudged counts against a verdict. */
  readonly isMaxCreatesChosen?: boolean;
  /** The limit of requests of the checks; undefined for none. */
  readonly maxRequests?: number;
  readonly maxTimeMs: number;
  /** How old the first entries of the run are when it looks again at what became of them. */
  readonly lingerMs: number;
  /** What the time of the run is planned by; it is not planned where this is missing. */
  readonly timing?: {
    /** Time to an answer, as the look at the target found it. */
    readonly latencyMs: number;
    /** The time of the whole run, of which some has passed, and whether the user has set it. */
    readonly maxTimeMs: number;
    readonly isChosen: boolean;
  };
  /** Whether the service serves a few connections at a time, as the look at the target found it. */
  readonly servesFewConnections?: boolean;
  readonly replay: ReplayTarget | undefined;
  /** Ids of the checks that are expected to fail, which does not end a run with `failFast`. */
  readonly expectedViolations?: readonly string[];
  /** Ids of the checks that are concluded, in the order of the specification. */
  readonly checks: readonly string[];
  readonly recordTraffic: boolean;
  /** Where every creation is noted; undefined for nowhere. */
  readonly ledgerFile: string | undefined;
}

/** The limit of requests of the checks, whatever the service does: short pages, for example, take more than usual. */
const MAX_REQUESTS: Readonly<Record<Profile, number>> = { smoke: 1_500, standard: 2_400, thorough: 13_500 };
/** The limit of creations, whatever the service does: one that accepts what it may refuse takes 30 more. */
const MAX_CREATES: Readonly<Record<Profile, number>> = { smoke: 140, standard: 270, thorough: 2_100 };
const MAX_TIME_MS: Readonly<Record<Profile, number>> = { smoke: 60_000, standard: 300_000, thorough: 1_800_000 };

/** From there on, a profile looks again: what becomes of an entry within a second shows in `standard`. */
export const LINGER_MS: Readonly<Record<Profile, number>> = { smoke: 0, standard: 1_060, thorough: 40_000 };

interface MayReplay {
  /** The file of a recorded failure. */
  readonly replay?: string | undefined;
}

/** A replay may take what a run takes, and as much before it: where nothing shows the failure, it ends with that run. */
const factorOf = ({ replay }: MayReplay): number => (replay === undefined ? 1 : 2);

/** The limit of creations of a run; by default that of its profile. */
export function creationBudget(
  options: Pick<RunSettings, 'readOnly' | 'profile'> & MayReplay & { readonly maxCreates: number | undefined },
): number {
  const { readOnly, maxCreates, profile } = options;
  if (readOnly) return 0;
  return maxCreates ?? MAX_CREATES[profile] * factorOf(options);
}

/** The limit of requests of a run. */
export const requestBudget = (options: Pick<RunSettings, 'profile'> & MayReplay): number =>
  MAX_REQUESTS[options.profile] * factorOf(options);

/** The time of a run, in milliseconds; by default that of its profile. */
export function timeBudget(
  options: Pick<RunSettings, 'profile'> & MayReplay & { readonly maxTimeMs: number | undefined },
): number {
  const { maxTimeMs, profile } = options;
  return maxTimeMs ?? MAX_TIME_MS[profile] * factorOf(options);
}

/** How old the first entries are when a run looks again (ms); by default what its profile says. */
export function lingerTime({
  lingerMs,
  profile,
}: Pick<RunSettings, 'profile'> & { readonly lingerMs: number | undefined }): number {
  return lingerMs ?? LINGER_MS[profile];
}

/** What a run counted, beside the results of its checks. */
export interface Telemetry {
  readonly requests: number;
  readonly creations: number;
  readonly throttled: number;
  readonly latencies: readonly Latency[];
  /** How many answers of each operation had which status; missing in a replay. */
  readonly answers?: readonly AnswerCount[];
  /** How far the request spaces were covered. */
  readonly coverage: readonly SpaceCoverage[];
  readonly traffic: readonly ExchangeEvidence[];
  readonly stopped: StopReason | undefined;
  /** The narrower profile by which checks were sent from some moment on, to fit the time. */
  readonly narrowedTo?: Profile | undefined;
  /** The violation that ended the run, where `failFast` was asked for. */
  readonly firstViolation?: Pick<FirstViolation, 'check' | 'requirement'>;
  /** Why the checks failed that were concluded so far. */
  readonly causes?: readonly Cause[];
  /** What a later run may look at, in the order of addition. */
  readonly remembered?: readonly RememberedEntry[];
  /** What was sent for several checks together. */
  readonly shared: { readonly requests: number; readonly creations: number };
  /** Remarks on the run itself. */
  readonly remarks: readonly string[];
}

/** The result of one check, with what a replay of its failure needs. */
export interface JudgedCheck {
  readonly result: CheckResult;
  readonly replay: Recording | undefined;
  readonly creations: number;
}

export type { RunProgress as Progress } from '../report/model/progress.ts';

/** Why a run ended before its checks did. */
export type StopReason = 'out-of-time' | typeof INTERRUPTED | typeof FIRST_VIOLATION | typeof KEY_LOST;

/** The value as a reason to send nothing more, where it is one. */
export function stopReasonIn(value: unknown): StopReason | undefined {
  if (value instanceof NotSent) return KEY_LOST;
  return value === INTERRUPTED || value === FIRST_VIOLATION || value === 'out-of-time' ? value : undefined;
}
