/** What the command line and the API give the engine, and what they get from it. */
import type { TlsOptions } from '../http/route.ts';
import type { Baseline } from '../report/baseline.ts';
import type { ConformanceRun, ReportedOptions } from '../report/result-of.ts';
import type { RunValues } from './options/tables.ts';

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
export type ConformanceOptions = RunSettings & ReportedOptions;

/** What a run would send for an operation. */
export interface PlannedOperation {
  readonly operation: string;
  /** How many requests of tables, and random ones. */
  readonly requests: number;
  /** How many of them may add an animal. */
  readonly creations: number;
}

/** The engine, as the command line knows it. */
export interface Engine {
  conformance(options: ConformanceOptions): Promise<ConformanceRun>;
  replay(failures: readonly ReplayInput[], options: ConformanceOptions): Promise<ConformanceRun>;
  /** Waits until the target responds like the service, at most as long as `waitForMs`; if it does not, the run says why. */
  waitUntilUp(options: ConformanceOptions): Promise<void>;
  plan(options: ConformanceOptions): readonly PlannedOperation[] | Promise<readonly PlannedOperation[]>;
}
