/** What the command line and the API give to what tests, and what they get from it. */
import type { TlsOptions } from '../http/route.ts';
import type { Baseline } from '../result/baseline.ts';
import type { ConformanceOptions } from '../result/builders.ts';
import type { RunResult } from '../result/result.ts';
import type { PlannedOperation } from '../run/dry-run.ts';
import type { RunOptions } from '../run/options.ts';
import type { RunValues } from './options/tables.ts';

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
  /** The result that the run repeats. */
  readonly replay: RunResult | undefined;
  /** Undefined if no reports are written. */
  readonly reportDir: string | undefined;
  /** The options in force, without secrets, as a user would type them. */
  readonly typed: readonly string[];
  /** Credentials that no output may contain: the key, header values, and the password of a proxy. */
  readonly secrets: readonly string[];
}

/** What tests a target, which takes a while to load. */
export interface Engine {
  conformance(options: ConformanceOptions): Promise<RunResult>;
  plannedOperations(options: RunOptions): readonly PlannedOperation[];
}
