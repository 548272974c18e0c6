/** Answers of so long ago still count (ms), and at most so many. */
const WINDOW_MS = 30_000;
const MOST_KEPT = 4_000;
/** With fewer answers than this, or in less time (ms), nothing can be said of the pace. */
const FEWEST = 4;
const SHORTEST_MS = 1_500;
/** So long after a refusal the service still counts as asking for a slower pace (ms). */
const REMEMBERED_MS = 15_000;

/** At which pace a target has answered of late, and whether it asks for a slower one. Times are monotonic (ms). */
export class RecentPace {
  #answeredAt: number[] = [];
  #refusals = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;

  /** Notes an answer that was not refused. */
  note(now: number): void {
    this.#answeredAt.push(now);
    if (this.#answeredAt.length > MOST_KEPT) this.#answeredAt = this.#answeredAt.slice(MOST_KEPT / 2);
  }

  /** Whether the service has refused requests for their rate of late. @param refusals how many in all */
  isRefused(refusals: number, now: number): boolean {
    const isNews = refusals > this.#refusals;
    this.#refusals = refusals;
    // The pace before says nothing of the one that it asks for.
    if (isNews && !this.#remembers(now)) this.#answeredAt = [];
    if (isNews) this.#refusedAt = now;
    return this.#remembers(now);
  }

  /** Answers a second; undefined where there are too few. */
  perSecond(now: number): number | undefined {
    this.#answeredAt = this.#answeredAt.filter((at) => at > now - WINDOW_MS);
    const [first] = this.#answeredAt;
    const { length } = this.#answeredAt;
    if (first === undefined || length < FEWEST || now - first < SHORTEST_MS) return undefined;
    return (length / (now - first)) * 1_000;
  }

  #remembers(now: number): boolean {
    return now - this.#refusedAt < REMEMBERED_MS;
  }
}
