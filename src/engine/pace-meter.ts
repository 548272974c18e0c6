/** How fast a target answers, and how fast it may be asked. */
export interface Pace {
  /** Time to a response (ms). */
  readonly latencyMs: number;
  /** The limit of requests a second; Infinity for none. */
  readonly perSecond: number;
  /** The limit of requests in flight. */
  readonly concurrency: number;
}

/** How many responses after the first refusal show at which rate a service answers, and how many are remembered. */
const ENOUGH_RESPONSES = 20;
const MOST_RESPONSES = 100;
/** After a longer time (ms) without a response or a refusal, the run had nothing to send. */
const IDLE_MS = 500;
/** The weight of one response in the moving average of the latency. */
const WEIGHT = 0.05;

/** Measures how fast a target answers. Times are monotonic (ms). */
export class PaceMeter {
  readonly #given: Pace;
  #latencyMs: number;
  /** From one response to the next (ms), without idle times, since the service first refused one. */
  #gaps: readonly number[] = [];
  #answeredAt: number | undefined;
  #refusals = 0;

  /** @param given what was known before the run */
  constructor(given: Pace) {
    this.#given = given;
    this.#latencyMs = given.latencyMs;
  }

  /** Notes a response. @param refusals how many requests the service has refused so far, where that slows the run down */
  note(milliseconds: number, now: number, refusals: number): void {
    this.#latencyMs += (milliseconds - this.#latencyMs) * WEIGHT;
    const gap = this.#answeredAt === undefined ? 0 : now - this.#answeredAt;
    const isIdle = gap > IDLE_MS && refusals === this.#refusals;
    if (refusals === 0) this.#gaps = [];
    else if (gap > 0 && !isIdle) this.#gaps = [...this.#gaps, gap].slice(-MOST_RESPONSES);
    this.#answeredAt = refusals === 0 ? undefined : now;
    this.#refusals = refusals;
  }

  /** The rate at which the service answers; undefined where it has refused nothing, or has answered too little since. */
  perSecond(fewestResponses = ENOUGH_RESPONSES): number | undefined {
    const milliseconds = this.#gaps.reduce((sum, gap) => sum + gap, 0);
    if (this.#gaps.length + 1 < fewestResponses || milliseconds === 0) return undefined;
    return (this.#gaps.length / milliseconds) * 1_000;
  }

  get pace(): Pace {
    const { perSecond, concurrency } = this.#given;
    return { latencyMs: this.#latencyMs, perSecond: Math.min(perSecond, this.perSecond() ?? perSecond), concurrency };
  }
}
