/** What the command line and the API give the engine, and what they get from it. */
import type { TlsOptions } from '../http/route.ts';
import type { RememberedEntry } from '../petstore/fill.ts';
import type { ReplayFile } from '../petstore/finding.ts';
import type { ListedFailure } from '../report/baseline.ts';
import type { RunProgress } from '../report/progress.ts';
import type { RunResult } from '../report/result.ts';
import type { RunValues } from './options/tables.ts';

/** The known failures of a service. */
export interface Baseline {
  /** As the user named it. */
  readonly file: string;
  readonly entries: readonly ListedFailure[];
}

export const REMEMBERED_FORMAT = 'conformance-remembered/1';

/** What a run saves for the next one, in the order of creation. */
export interface Remembered {
  readonly format: typeof REMEMBERED_FORMAT;
  /** The base URL of the target. */
  readonly target: string;
  /** @maxItems 25 */
  readonly entries: readonly RememberedEntry[];
}

/** An animal that the service has confirmed with its id. */
export interface Created {
  readonly id: string;
  readonly name: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** The content of a file that should be a recorded failure. */
export interface ReplayInput {
  /** As the user named it. */
  readonly file: string;
  readonly content: unknown;
}

/**
 * The options of a run, checked and completed: files are read, the seed is drawn. Everything behind the command line
 * and the API uses them as they are.
 */
export interface RunSettings extends Omit<RunValues, 'token' | 'seed' | 'today' | 'baseline' | 'replay'> {
  /** Undefined for the embedded reference service. */
  readonly baseUrl: string | undefined;
  readonly token: string;
  readonly seed: number;
  /** The UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly tls: TlsOptions;
  readonly baseline: Baseline | undefined;
  readonly replay: readonly ReplayInput[];
  /** Undefined if no reports are written. */
  readonly reportDir: string | undefined;
  /** The options in force, without secrets, as a user would type them. */
  readonly typed: readonly string[];
  /** Credentials that no output may contain: the key, header values, and the password of a proxy. */
  readonly secrets: readonly string[];
}

/** What the engine gets: the settings, and what exists only during the run. */
export interface ConformanceOptions extends RunSettings {
  readonly baseUrl: string;
  readonly isEmbedded: boolean;
  readonly remembered?: Remembered | undefined;
  /** When aborted, nothing more is sent. The reason is the name of the signal, if one ends the run. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  readonly onCreated?: ((animal: Created) => void) | undefined;
}

export interface ConformanceRun {
  /** Not redacted yet: responses may repeat the key. */
  readonly result: RunResult;
  readonly replays: readonly ReplayFile[];
  /** What to save for the next run. */
  readonly remembered: Remembered | undefined;
}

/** What a run would send for a requirement, by stage. */
export interface PlannedRequirement {
  readonly id: string;
  /** How many requests of its tables, by stage. */
  readonly requests: Readonly<Record<string, number>>;
  /** It also sends requests that depend on responses. */
  readonly hasScript: boolean;
}

/** The engine, as the command line knows it. */
export interface Engine {
  conformance(options: ConformanceOptions): Promise<ConformanceRun>;
  replay(failures: readonly ReplayInput[], options: ConformanceOptions): Promise<ConformanceRun>;
  /** Waits until the target responds like the service, at most as long as `waitForMs`; if it does not, the run says why. */
  waitUntilUp(options: ConformanceOptions): Promise<void>;
  plan(options: ConformanceOptions): readonly PlannedRequirement[] | Promise<readonly PlannedRequirement[]>;
}
