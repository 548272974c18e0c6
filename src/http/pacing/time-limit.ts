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
 * Where the event loop was busy for more than this share of the time, it may be the suite that did not come to read what
 * had arrived: then the limit is extended, a limited number of times.
 */
const TOO_BUSY = 0.8;
const MOST_EXTENSIONS = 3;

/**
 * Starts a time limit that also ends with the run. The timer keeps a reference to the signal: on Node 20
 * `AbortSignal.any([AbortSignal.timeout(…)])` is lost to garbage collection, and a request that hangs would never end.
 */
export function timeLimit(milliseconds: number, deadline: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const endWithRun = (): void => controller.abort(deadline.reason);
  let busy = performance.eventLoopUtilization();
  let extensions = 0;
  const timeout = (): void => {
    const { utilization } = performance.eventLoopUtilization(busy);
    if (utilization > TOO_BUSY && extensions < MOST_EXTENSIONS) {
      extensions += 1;
      start(milliseconds);
      return;
    }
    controller.abort(new DOMException('the time limit was reached', 'TimeoutError'));
  };
  let ended = false;
  let left = 0;
  let startedAt = 0;
  let timer: NodeJS.Timeout;
  function start(time: number): void {
    left = time;
    startedAt = performance.now();
    busy = performance.eventLoopUtilization();
    timer = setTimeout(timeout, Math.max(0, time));
  }
  start(milliseconds);
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
        if (!ended) start(left);
      }
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      stopListening();
    },
  };
}
