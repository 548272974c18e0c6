import { BroadcastChannel } from 'node:worker_threads';
import type { JudgedCheck, Plan, Progress, Telemetry } from '../../engine/plan.ts';
import type { PetStoreOptions } from '../../petstore/definition.ts';

/** What the worker in which the checks run is given: plain data. */
export interface WorkerPlan {
  readonly plan: Plan;
  readonly petStore: PetStoreOptions;
}

declare module 'vitest' {
  export interface ProvidedContext {
    conformance: WorkerPlan;
  }
  export interface TaskMeta {
    /** On a test that concludes a check. */
    judged?: JudgedCheck;
    /** On the suite that holds all checks. */
    telemetry?: Telemetry;
  }
}

/** The worker says READY, and begins once it is answered with GO or a reason to stop: none is lost while it starts. */
export const READY = 'ready';
export const GO = 'go';

/** Whether a message from the worker says how far it is. */
export function isProgress(message: unknown): message is Progress {
  return typeof message === 'object' && message !== null && 'done' in message && 'running' in message;
}

/** Opens the channel for progress (from the worker) and for reasons to stop (to it). */
export function openChannel({ runId }: Plan, onMessage: (message: unknown) => void): BroadcastChannel {
  const channel = new BroadcastChannel(`petstore-conformance ${runId}`);
  channel.onmessage = (event: unknown) => {
    if (typeof event === 'object' && event !== null) onMessage(Reflect.get(event, 'data'));
  };
  return channel;
}
