import type { ConnectionOptions } from '../http/connect/route.ts';
import { INTERRUPTED } from '../http/not-sent.ts';
import type { ExtraHeader, RateLimit } from '../http/options.ts';
import type {
  Cause,
  CheckResult,
  ExchangeEvidence,
  Latency,
  Profile,
  Soak,
  SpaceCoverage,
} from '../report/model/result.ts';
import type { SamplePlace } from './outcome-errors.ts';

/** What is sent again when a failure is replayed: one sample of a property, one request, or the whole check. */
export type ReplayTarget =
  | { readonly kind: 'sample'; readonly place: SamplePlace }
  | { readonly kind: 'request'; readonly request: RecordedCall }
  | { readonly kind: 'check' };

/** A call without its credential, as the service's replay format writes it. */
export type RecordedCall = Readonly<Record<string, string | boolean | undefined>>;

/** What a user asks of a run, as far as it concerns the engine. Times are in milliseconds. */
export interface RunSettings extends ConnectionOptions {
  readonly token: string;
  readonly headers: readonly ExtraHeader[];
  readonly profile: Profile;
  readonly readOnly: boolean;
  /** 0 to 2^31 - 1. */
  readonly seed: number;
  /** Requests under way at once, 1 to 256. */
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  /** How long the list may take to show a new entry. */
  readonly settleMs: number;
  readonly strict: boolean;
  /** The UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  /** How long to keep the service under load after the checks; undefined for not at all. */
  readonly soakMs: number | undefined;
}

/** One run against one target, as plain data that can be handed to a worker thread. */
export interface Plan extends RunSettings {
  readonly runId: string;
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly maxCreates: number;
  readonly maxTimeMs: number;
  readonly replay: ReplayTarget | undefined;
  /** Ids of the checks that were selected, in the order of the specification. */
  readonly checks: readonly string[];
  readonly recordTraffic: boolean;
  /** Where every creation is noted; undefined for nowhere. */
  readonly ledgerFile: string | undefined;
}

const MAX_CREATES: Readonly<Record<Profile, number>> = { smoke: 300, standard: 1_000, thorough: 4_000 };
const MAX_TIME_MS: Readonly<Record<Profile, number>> = { smoke: 60_000, standard: 300_000, thorough: 1_800_000 };

/** Most creations of a run; by default those of its profile. */
export function creationBudget(
  options: Pick<RunSettings, 'readOnly' | 'profile'> & { readonly maxCreates: number | undefined },
): number {
  return options.readOnly ? 0 : (options.maxCreates ?? MAX_CREATES[options.profile]);
}

/** The time of a run, in milliseconds; by default that of its profile, with a soak on top. */
export function timeBudget(
  options: Pick<RunSettings, 'profile' | 'soakMs'> & { readonly maxTimeMs: number | undefined },
): number {
  const { maxTimeMs, profile, soakMs } = options;
  return maxTimeMs ?? MAX_TIME_MS[profile] + (soakMs ?? 0);
}

/** What a run counted, beside the results of its checks. */
export interface Telemetry {
  readonly requests: number;
  readonly creations: number;
  readonly throttled: number;
  readonly latencies: readonly Latency[];
  /** How far the request spaces were covered. */
  readonly coverage: readonly SpaceCoverage[];
  readonly traffic: readonly ExchangeEvidence[];
  readonly stopped: StopReason | undefined;
  readonly soak?: Soak | undefined;
  /** Why the checks failed that were concluded so far. */
  readonly causes?: readonly Cause[];
  /** What was sent for several checks together. */
  readonly shared: { readonly requests: number; readonly creations: number };
  /** Remarks on the run itself. */
  readonly remarks: readonly string[];
  /** Internal errors of the suite outside any check. */
  readonly faults: readonly string[];
}

/** The result of one check, with what a replay of its failure needs. */
export interface JudgedCheck {
  readonly result: CheckResult;
  readonly replay: ReplayTarget | undefined;
  readonly creations: number;
}

/** How far a run is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  readonly running: readonly string[];
}

/** Why a run ended before its checks did. */
export type StopReason = 'out-of-time' | typeof INTERRUPTED;

/** The value as a reason to send nothing more, where it is one. */
export function stopReasonIn(value: unknown): StopReason | undefined {
  return value === INTERRUPTED || value === 'out-of-time' ? value : undefined;
}
