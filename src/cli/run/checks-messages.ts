import type { JudgedCheck, Plan, Progress, StopReason, Telemetry } from '../../engine/plan.ts';
import type { PetStoreOptions } from '../../petstore/definition.ts';

/** What the checks are run with: plain data, for the thread in which they run. */
export interface WorkerPlan {
  readonly plan: Plan;
  readonly petStore: PetStoreOptions;
}

/** What the thread is told: once what to run, and perhaps later that it must end. */
export type ChecksOrder =
  | { readonly kind: 'run'; readonly given: WorkerPlan }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** What the thread tells while vitest's runner runs the tests; the last is `end`. */
export type ChecksEvent =
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** A suite of tests begins: a phase of the checks, or the rules about every answer. */
  | { readonly kind: 'suite'; readonly name: string }
  | {
      readonly kind: 'test';
      readonly name: string;
      /** On a test that concludes a check. */
      readonly judged: JudgedCheck | undefined;
      /** Why it failed. */
      readonly error: string | undefined;
    }
  | { readonly kind: 'telemetry'; readonly telemetry: Telemetry }
  /** An internal error of the suite, outside any test. */
  | { readonly kind: 'fault'; readonly error: string }
  | { readonly kind: 'end' };

interface Thrown {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: unknown;
}

/** An error with what caused it, for those who mend the suite. */
export function describeError({ message, stack, cause }: Thrown): string {
  const text = stack ?? message;
  return isThrown(cause) ? `${text}\ncaused by ${describeError(cause)}` : text;
}

const isThrown = (value: unknown): value is Thrown =>
  typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
