import { onAbort } from './on-abort.ts';

export interface TimeLimit {
  /** Aborted when the time is up, with a TimeoutError, or when the run ends, with its reason. */
  readonly signal: AbortSignal;
  /** Stops the clock while the suite itself holds a request up. */
  while<T>(waiting: Promise<T>): Promise<T>;
  /** Stops the timer; to be called when the request has ended. */
  end(): void;
}

/**
 * Starts a time limit that also ends with the run. The timer keeps a reference to the signal: on Node 20
 * `AbortSignal.any([AbortSignal.timeout(…)])` is lost to garbage collection, and a request that hangs would never end.
 */
export function timeLimit(milliseconds: number, deadline: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const endWithRun = (): void => controller.abort(deadline.reason);
  const timeout = (): void => controller.abort(new DOMException('the time limit was reached', 'TimeoutError'));
  let left = milliseconds;
  let startedAt = performance.now();
  let timer = setTimeout(timeout, left);
  const stopListening = onAbort(deadline, endWithRun);
  if (deadline.aborted) endWithRun();
  return {
    signal: controller.signal,
    while: async (waiting) => {
      clearTimeout(timer);
      left -= performance.now() - startedAt;
      try {
        return await waiting;
      } finally {
        startedAt = performance.now();
        timer = setTimeout(timeout, Math.max(0, left));
      }
    },
    end: () => {
      clearTimeout(timer);
      stopListening();
    },
  };
}
