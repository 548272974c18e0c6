import type { Trial } from './model.ts';
import type { Job } from './trial.ts';

/** Whether a message to a worker is a job. */
export function isJob(message: unknown): message is Job {
  return typeof message === 'object' && message !== null && 'kind' in message && 'seed' in message;
}

/** Whether a message from a worker is the outcome of a job. */
export function isTrial(message: unknown): message is Trial {
  return typeof message === 'object' && message !== null && 'kind' in message && 'exitCode' in message;
}
