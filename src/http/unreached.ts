/** The pauses (ms) before a request that did not reach the service is sent again: doubled up to the longest. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** So often others get through in between before what a proxy says of a request counts as the response to it. */
const MOST_OVERTAKEN = 3;

/** One request that does not reach the service, and is sent again. */
export class Unreached {
  #pauseMs = FIRST_PAUSE_MS;
  #since: number | undefined;
  #answersBefore: number | undefined;
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

  /** Whether others got through again and again, while it did not. @param answers how many responses there were so far */
  isOvertaken(answers: number): boolean {
    if (this.#answersBefore !== undefined && answers > this.#answersBefore) this.#overtaken += 1;
    this.#answersBefore = answers;
    return this.#overtaken >= MOST_OVERTAKEN;
  }

  /** It did reach the service. */
  ended(): void {
    this.#since = undefined;
  }
}
