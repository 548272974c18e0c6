import type { JudgedCheck, Plan, StopReason, Telemetry } from '../../engine/plan.ts';
import { INTERRUPTED } from '../../http/not-sent.ts';

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

/**
 * What the worker says before it sends anything: it begins once it is answered, with {@link GO} or with the reason to
 * stop, so that no word to stop is lost while it starts.
 */
export const READY = 'ready';
export const GO = 'go';

/** The message as a reason to send nothing more and to conclude, where it is one. */
export function stopReasonIn(message: unknown): StopReason | undefined {
  return message === INTERRUPTED || message === 'out-of-time' ? message : undefined;
}

/** The payload of a message event. */
export function payloadOf(event: unknown): unknown {
  return typeof event === 'object' && event !== null ? Reflect.get(event, 'data') : undefined;
}

/** The name of the channel for progress (from the worker) and for reasons to stop (to it). */
export function channelOf(plan: Plan): string {
  return `petstore-conformance ${plan.runId}`;
}
