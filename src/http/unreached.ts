import { failure } from './failures.ts';
import type { Sent } from './message.ts';

/** The pauses (ms) before a request that did not reach the service is sent again: doubled up to the longest. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** So often another request gets through before what a proxy says of this one counts as the response to it. */
const MOST_OVERTAKEN = 3;

/** One request that does not reach the service, and is sent again. */
export class Unreached {
  #pauseMs = FIRST_PAUSE_MS;
  #since: number | undefined;
  #overtaken = 0;

  /**
   * @param since when the first of all requests did not reach the service; others may have reached it since
   * @returns how long to wait before it is sent again; undefined if it is not
   */
  pause(since: number, patienceMs: number): number | undefined {
    this.#since ??= since;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    return performance.now() + pauseMs - this.#since > patienceMs ? undefined : pauseMs;
  }

  /** Another request got through. @returns whether this was so often that it is about this request */
  overtaken(): boolean {
    this.#overtaken += 1;
    return this.#overtaken >= MOST_OVERTAKEN;
  }

  /** It did reach the service. */
  reached(): void {
    this.#since = undefined;
  }
}

/** The outcome of a request for which the run has no budget. */
export function notSent(): Sent {
  const now = performance.now();
  return { outcome: failure('spent', false), sentAt: now, answeredAt: now, connection: 0, place: 0, times: 0 };
}
