import type { Progress } from '../../engine/plan.ts';
import type { WorkerPlan } from './checks-messages.ts';
import type { TestedChecks, TestListener } from './test-results.ts';

/** What a run of checks tells while it is under way. */
export interface RunnerListener extends TestListener {
  readonly onProgress: (progress: Progress) => void;
}

/** Runs the checks of a plan, and resolves with what they found. */
export type Runner = (
  given: WorkerPlan,
  options: RunnerListener & {
    /** When aborted, with a StopReason, nothing more is sent and the checks conclude with what they have. */
    readonly stop: AbortSignal;
  },
) => Promise<TestedChecks>;

/** A runner that is being loaded, for one run. */
export interface PreparedRunner {
  readonly run: Runner;
  /** Called last, whether anything was run or not. */
  close(): Promise<void>;
}
