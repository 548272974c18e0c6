import type { JudgedCheck, Plan, Telemetry } from './plan.ts';

/** What passes between the program and the worker in which the checks run. */
declare module 'vitest' {
  export interface ProvidedContext {
    plan: Plan;
  }
  export interface TaskMeta {
    judged?: JudgedCheck;
    telemetry?: Telemetry;
  }
}

/** Asks the worker to send nothing more and to conclude. */
export const STOP = 'stop';

/** The name of the channel for progress (from the worker) and for {@link STOP} (to it). */
export function channelOf(plan: Plan): string {
  return `petstore-conformance ${plan.runId}`;
}
