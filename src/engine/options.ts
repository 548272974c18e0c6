import type { ProxySettings } from '../http/connect/proxy.ts';
import type { ExtraHeader, RateLimit } from '../http/options.ts';
import type { Profile, ReportFormat } from '../report/model/result.ts';

/**
 * Everything that a user can ask of one run against one target, checked and complete.
 * The command line makes it, the planner reads it; times are in milliseconds.
 */
export interface RunOptions {
  /** The base address, ending in `/v1`, without a trailing slash; undefined for the embedded reference service. */
  readonly baseUrl: string | undefined;
  readonly token: string;
  readonly headers: readonly ExtraHeader[];
  readonly profile: Profile;
  /** How long to keep the service under load after the checks; undefined for not at all. */
  readonly soakMs: number | undefined;
  /** Only say what would be sent. */
  readonly dryRun: boolean;
  /** Whether somebody sits at the terminal who can be asked, and has not answered already (--yes). */
  readonly mayAsk: boolean;
  readonly readOnly: boolean;
  /** The budget of animals; undefined for the profile's own. */
  readonly maxCreates: number | undefined;
  /** Known categories, each an int64; empty where any will do. */
  readonly categoryIds: readonly bigint[];
  /** Requirement patterns (`LIST-*`); empty `only` means all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** 0 to 2^31 - 1. */
  readonly seed: number;
  readonly replay: string | undefined;
  /** Requests under way at once, 1 to 256. */
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  /** undefined for the profile's own. */
  readonly maxTimeMs: number | undefined;
  readonly settleMs: number;
  /** How long to wait for the target to come up; 0 for not at all. */
  readonly waitForMs: number;
  readonly expectedFailures: string | undefined;
  readonly strict: boolean;
  /** The clock for the removal date: the UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly reports: readonly ReportFormat[];
  readonly reportDir: string;
  readonly caFile: string | undefined;
  readonly insecure: boolean;
  /** A client certificate; where no key is named, it stands in the same file. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Connect to this Unix socket instead of the host and port of the address. */
  readonly unixSocket?: string | undefined;
  /** The proxies of the environment; undefined for none. */
  readonly proxies?: ProxySettings | undefined;
  readonly output: 'quiet' | 'normal' | 'verbose';
  readonly color: boolean;
  /** Whether progress may be redrawn in place. */
  readonly interactive: boolean;
}

/** A run that asks for nothing in particular, quietly and without reports: others name what they want otherwise. */
export const PLAIN_RUN: RunOptions = {
  baseUrl: undefined,
  token: '',
  headers: [],
  profile: 'standard',
  soakMs: undefined,
  dryRun: false,
  mayAsk: false,
  readOnly: false,
  maxCreates: undefined,
  categoryIds: [],
  only: [],
  skip: [],
  seed: 1,
  replay: undefined,
  concurrency: 16,
  rateLimit: { kind: 'none' },
  requestTimeoutMs: 2_000,
  maxTimeMs: undefined,
  settleMs: 5_000,
  waitForMs: 0,
  expectedFailures: undefined,
  strict: false,
  today: '2027-01-01',
  reports: [],
  reportDir: '',
  caFile: undefined,
  insecure: false,
  output: 'quiet',
  color: false,
  interactive: false,
};
