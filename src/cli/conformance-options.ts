/** What the command line and the programmatic entry ask of the engine, and what they get. */
import type { Headers } from '../http/message.ts';
import type { TlsOptions } from '../http/route.ts';
import type { RememberedEntry } from '../petstore/fill.ts';
import type { ReplayFile } from '../petstore/finding.ts';
import type { ListedFailure } from '../report/baseline.ts';
import type { RunProgress } from '../report/progress.ts';
import type { Profile, RunResult } from '../report/result.ts';

/** The known failures of a service. */
export interface Baseline {
  /** As the user named it. */
  readonly file: string;
  readonly entries: readonly ListedFailure[];
}

export const REMEMBERED_FORMAT = 'conformance-remembered/1';

/** What a run keeps for the next one, in the order of creation. */
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

/** Everything that a run gets: validated and complete. */
export interface ConformanceOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly isEmbedded: boolean;
  readonly profile: Profile;
  readonly seed: number;
  /** Ids of requirements, or globs such as `LIST-*`; empty for all. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly concurrency: number;
  readonly perSecond?: number | undefined;
  readonly requestTimeoutMs: number;
  readonly maxTimeMs: number;
  readonly maxCreates?: number | undefined;
  readonly readOnly: boolean;
  readonly settleMs: number;
  /** Categories that exist; empty where any must be accepted. */
  readonly categoryIds: readonly bigint[];
  /** The UTC date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly failFast: boolean;
  readonly headers: Headers;
  readonly tls: TlsOptions;
  /** The options in force without secrets, as a user would type them. */
  readonly typed: readonly string[];
  readonly baseline?: Baseline | undefined;
  readonly remembered?: Remembered | undefined;
  /** How long the target was waited for at most; where it was, nothing advises it any more. */
  readonly waitForMs?: number | undefined;
  /** When aborted, nothing more is sent. The reason is the name of the signal, where one ends the run. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  readonly onCreated?: ((animal: Created) => void) | undefined;
}

export interface ConformanceRun {
  /** It may contain what the service has repeated of the key. */
  readonly result: RunResult;
  readonly replays: readonly ReplayFile[];
  /** What to keep for the next run. */
  readonly remembered: Remembered | undefined;
}

/** A file that should hold a recorded failure, as it was read. */
export interface ReplayInput {
  /** As the user named it. */
  readonly file: string;
  readonly content: unknown;
}

/** What a run would send for a requirement, by stage. */
export interface PlannedRequirement {
  readonly id: string;
  readonly requests: Readonly<Record<string, number>>;
}

/** The engine, as the command line knows it. */
export interface Engine {
  conformance(options: ConformanceOptions): Promise<ConformanceRun>;
  replay(failures: readonly ReplayInput[], options: ConformanceOptions): Promise<ConformanceRun>;
  plan(options: ConformanceOptions): readonly PlannedRequirement[] | Promise<readonly PlannedRequirement[]>;
}
