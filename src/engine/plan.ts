import type { ProxySettings } from '../http/connect/proxy.ts';
import type { INTERRUPTED } from '../http/not-sent.ts';
import type { ExtraHeader, RateLimit } from '../http/options.ts';
import type { CheckResult, ExchangeEvidence, Latency, Profile, Soak } from '../report/model/result.ts';
import type { RunOptions } from './options.ts';
import type { SamplePlace } from './signals.ts';

/** What is sent again when a failure is replayed: one sample of a property, one request, or the whole check. */
export type ReplayTarget =
  | { readonly kind: 'sample'; readonly place: SamplePlace }
  | { readonly kind: 'request'; readonly request: RecordedRequest }
  | { readonly kind: 'check' };

/** A request without its key: `credential` is the name of what stands in its place. */
export interface RecordedRequest {
  readonly operation: 'listPets' | 'createPet' | 'getPet';
  readonly credential: string;
  readonly limit?: string;
  readonly status?: string;
  readonly petId?: string;
  readonly bodyBase64?: string;
  readonly bodyIsSound?: boolean;
  readonly contentType?: string;
  readonly label?: string;
}

/** One run against one target, as plain data that can be handed to the worker in which the checks run. */
export interface Plan {
  readonly runId: string;
  readonly baseUrl: string;
  readonly token: string;
  readonly headers: readonly ExtraHeader[];
  readonly userAgent: string;
  readonly profile: Profile;
  readonly readOnly: boolean;
  readonly maxCreates: number;
  readonly categoryIds: readonly bigint[];
  readonly seed: number;
  readonly replay: ReplayTarget | undefined;
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  readonly maxTimeMs: number;
  readonly settleMs: number;
  readonly strict: boolean;
  readonly today: string;
  readonly caFile: string | undefined;
  readonly insecure: boolean;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly unixSocket?: string | undefined;
  /** Read by the program, so that the worker need not have its environment. */
  readonly proxies?: ProxySettings | undefined;
  /** Ids of the checks that were selected, in the order of the specification. */
  readonly checks: readonly string[];
  readonly recordTraffic: boolean;
  /** How long to keep the service under load after the checks, in milliseconds. */
  readonly soakMs?: number | undefined;
  /** Where every animal that is created is noted; undefined for nowhere. */
  readonly ledgerFile?: string | undefined;
}

/** Why a run ended before its checks did. */
export type StopReason = 'out-of-time' | typeof INTERRUPTED;

/** What a run counted, beside the results of its checks. */
export interface Telemetry {
  readonly requests: number;
  readonly creations: number;
  readonly throttled: number;
  readonly latencies: readonly Latency[];
  readonly traffic: readonly ExchangeEvidence[];
  readonly stopped: StopReason | undefined;
  readonly soak?: Soak;
  /** What was sent for several checks together. */
  readonly shared: Effort;
  /** Remarks on the run itself. */
  readonly remarks: readonly string[];
  /** Faults of the suite itself outside any check. */
  readonly faults: readonly string[];
}

export interface Effort {
  readonly requests: number;
  readonly creations: number;
}

/** The result of one check, with what a replay of its failure needs. */
export interface JudgedCheck {
  readonly result: CheckResult;
  readonly replay: ReplayTarget | undefined;
  /** Animals that the check added. */
  readonly creations: number;
}

const MAX_CREATES: Readonly<Record<Profile, number>> = { smoke: 300, standard: 1_000, thorough: 4_000 };
const MAX_TIME_MS: Readonly<Record<Profile, number>> = { smoke: 60_000, standard: 300_000, thorough: 1_800_000 };

/** Most animals that a run may create. */
export function creationBudget({ readOnly, maxCreates, profile }: RunOptions): number {
  return readOnly ? 0 : (maxCreates ?? MAX_CREATES[profile]);
}

/** Fills in what the profile decides where the user has not. */
export function planOf(
  options: RunOptions,
  parts: Pick<Plan, 'runId' | 'baseUrl' | 'userAgent' | 'checks' | 'replay' | 'ledgerFile'>,
): Plan {
  const { profile } = options;
  return {
    ...parts,
    token: options.token,
    headers: options.headers,
    profile,
    readOnly: options.readOnly,
    maxCreates: creationBudget(options),
    categoryIds: options.categoryIds,
    seed: options.seed,
    concurrency: options.concurrency,
    rateLimit: options.rateLimit,
    requestTimeoutMs: options.requestTimeoutMs,
    maxTimeMs: options.maxTimeMs ?? MAX_TIME_MS[profile] + (options.soakMs ?? 0),
    soakMs: options.soakMs,
    settleMs: options.settleMs,
    strict: options.strict,
    today: options.today,
    caFile: options.caFile,
    insecure: options.insecure,
    certFile: options.certFile,
    keyFile: options.keyFile,
    unixSocket: options.unixSocket,
    proxies: options.proxies,
    recordTraffic: options.reports.includes('har'),
  };
}
