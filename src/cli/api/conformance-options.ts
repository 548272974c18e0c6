import type { ProxySettings } from '../../http/connect/proxy.ts';
import type { ExtraHeader, RateLimit } from '../../http/options.ts';
import type { Profile, ReportFormat, RunResult } from '../../report/model/result.ts';
import type { ConformanceEvent } from './events.ts';

/**
 * What to judge a service with. The options mean what those of the command line mean, and have the same defaults; times
 * are in milliseconds. An option that is undefined counts as not given.
 */
export interface JudgingOptions {
  /** The API key. */
  readonly token?: string | undefined;
  /** Additional request headers; their values are secrets. */
  readonly headers?: readonly ExtraHeader[] | undefined;
  /** `smoke` for a deploy gate, `standard` by default, `thorough` for a nightly run. */
  readonly profile?: Profile | undefined;
  /** Requirements or checks to run: `LIST-2`, `LIST-*`, `AUTH-2.createPet`; all by default. */
  readonly only?: readonly string[] | undefined;
  /** Requirements or checks to leave out. */
  readonly skip?: readonly string[] | undefined;
  /** Seed of the random samples, 0 to 2^31 - 1. */
  readonly seed?: number | undefined;
  /** Create nothing; checks that need to are inconclusive. */
  readonly readOnly?: boolean | undefined;
  /** Maximum number of animals to create; they cannot be deleted. */
  readonly maxCreates?: number | undefined;
  /** Categories that exist in the service, each an int64; any by default. */
  readonly categoryIds?: readonly bigint[] | undefined;
  /** End the run at the first violation, with its full proof. */
  readonly failFast?: boolean | undefined;
  /** Fail on undocumented statuses where the specification leaves the answer open. */
  readonly strict?: boolean | undefined;
  /** The date that the run takes for today, `YYYY-MM-DD`, to test the removal of getPet; today in UTC by default. */
  readonly today?: string | undefined;
  /** The limit of requests in flight, 1 to 256; 64 by default. */
  readonly concurrency?: number | undefined;
  /** Most requests a second, or `{ kind: 'auto' }` to find out; no limit by default. */
  readonly rateLimit?: RateLimit | undefined;
  /** Timeout of a request; 10,000 by default. */
  readonly requestTimeoutMs?: number | undefined;
  /** Timeout of the whole run; set by the profile by default. */
  readonly maxTimeMs?: number | undefined;
  /** How soon a new animal must be in the list; 5,000 by default. */
  readonly settleMs?: number | undefined;
  /** How old its first animals are when the run looks again at what became of them; set by the profile by default. */
  readonly lingerMs?: number | undefined;
  /** How long to wait for the service to come up; 0 by default. */
  readonly waitForMs?: number | undefined;
  /** Additional certificate authority to trust (a PEM file). */
  readonly caFile?: string | undefined;
  /** Accept any certificate. */
  readonly insecure?: boolean | undefined;
  /** Client certificate (a PEM file). */
  readonly certFile?: string | undefined;
  /** Private key of the certificate (a PEM file); in the same file by default. */
  readonly keyFile?: string | undefined;
  /** Connect to this Unix socket; `baseUrl` then gives only host and path. */
  readonly unixSocket?: string | undefined;
  /** Proxies to send requests through; none by default, whatever the environment says. */
  readonly proxies?: ProxySettings | undefined;
}

/** What {@link runConformance} is given. Nothing is read from the environment. */
export interface ConformanceOptions extends JudgingOptions {
  /** The address of the service, ending in `/v1`; without it, the reference service of this package is judged. */
  readonly baseUrl?: string | undefined;
  /** The folder for reports, recorded failures and the list of what was created; without it, no file is written. */
  readonly reportDir?: string | undefined;
  /** Which reports; with `reportDir`, by default JUnit, JSON, HTML and Markdown. */
  readonly reports?: readonly ReportFormat[] | undefined;
  /** A baseline: failures that are listed in this file do not fail the run, stale and expired entries do. */
  readonly baseline?: string | undefined;
  /** How many percent of what it sets out to judge a run must judge, or it ends without a verdict; 90 by default. */
  readonly minJudged?: number | undefined;
  /** Keep 25 animals of the run in this file, and look first at what became of those that an earlier run kept there. */
  readonly remember?: string | undefined;
  /** Also add the run to this file, as a line. */
  readonly history?: string | undefined;
  /** Repeat a recorded failure, from the folder `failures` of a report folder. */
  readonly replay?: string | undefined;
  /** When aborted, nothing more is sent and the run is rejected with a {@link RunAbortedError}. */
  readonly signal?: AbortSignal | undefined;
  /** Told what happens while it happens. What it throws ends the run, which is then rejected with it. */
  readonly onEvent?: ((event: ConformanceEvent) => void) | undefined;
}

/** Judges a service and resolves with what it found. */
export type RunConformance = (options?: ConformanceOptions) => Promise<RunResult>;
