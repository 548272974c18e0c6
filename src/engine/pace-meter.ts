import type { Pace } from './effort.ts';

/** So many answers after the first refusal show at which rate a service answers. */
const ENOUGH_ANSWERS = 20;
const MOST_ANSWERS = 100;
/** How much one answer counts in the moving average of the latency. */
const WEIGHT = 0.05;

/** How fast a target answers, as a run sees it. Times are monotonic milliseconds. */
export class PaceMeter {
  readonly #given: Pace;
  #latencyMs: number;
  #answeredAt: number[] = [];

  /** @param given what was known before the run */
  constructor(given: Pace) {
    this.#given = given;
    this.#latencyMs = given.latencyMs;
  }

  /** Notes an answer. @param isThrottled whether the service has refused a request for its rate */
  note(milliseconds: number, now: number, isThrottled: boolean): void {
    this.#latencyMs += (milliseconds - this.#latencyMs) * WEIGHT;
    if (!isThrottled) return;
    this.#answeredAt.push(now);
    if (this.#answeredAt.length > MOST_ANSWERS) this.#answeredAt.shift();
  }

  /** The rate that the service was found to bear; undefined where it has refused nothing, or that is not known yet. */
  get foundPerSecond(): number | undefined {
    const [first, last] = [this.#answeredAt[0], this.#answeredAt.at(-1)];
    if (first === undefined || last === undefined || this.#answeredAt.length < ENOUGH_ANSWERS) return undefined;
    return last > first ? ((this.#answeredAt.length - 1) / (last - first)) * 1_000 : undefined;
  }

  get pace(): Pace {
    const { perSecond, concurrency } = this.#given;
    return {
      latencyMs: this.#latencyMs,
      perSecond: Math.min(perSecond, this.foundPerSecond ?? perSecond),
      concurrency,
    };
  }
}
