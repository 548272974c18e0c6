import type { Pace } from './effort.ts';

/** So many answers after the first refusal show at which rate a service answers. */
const ENOUGH_ANSWERS = 20;
const MOST_ANSWERS = 100;
/** For a longer time (ms) without an answer or a refusal, the run had nothing to send. */
const IDLE_MS = 500;
/** How much one answer counts in the moving average of the latency. */
const WEIGHT = 0.05;

/** How fast a target answers, as a run sees it. Times are monotonic milliseconds. */
export class PaceMeter {
  readonly #given: Pace;
  #latencyMs: number;
  /** From one answer to the next (ms), idle times left out. */
  #gaps: number[] = [];
  #answeredAt: number | undefined;
  #refusals = 0;

  /** @param given what was known before the run */
  constructor(given: Pace) {
    this.#given = given;
    this.#latencyMs = given.latencyMs;
  }

  /** Notes an answer. @param refusals how many requests the service has refused so far, where that slows the run down */
  note(milliseconds: number, now: number, refusals: number): void {
    this.#latencyMs += (milliseconds - this.#latencyMs) * WEIGHT;
    if (refusals === 0) {
      this.#gaps = [];
      this.#answeredAt = undefined;
      return;
    }
    const gap = now - (this.#answeredAt ?? now);
    const isIdle = gap > IDLE_MS && refusals === this.#refusals;
    if (this.#answeredAt !== undefined && !isIdle) this.#gaps.push(gap);
    if (this.#gaps.length > MOST_ANSWERS) this.#gaps.shift();
    this.#answeredAt = now;
    this.#refusals = refusals;
  }

  /** The rate that the service was found to bear; undefined where it has refused nothing, or that is not known yet. */
  get foundPerSecond(): number | undefined {
    const milliseconds = this.#gaps.reduce((sum, gap) => sum + gap, 0);
    if (this.#gaps.length + 1 < ENOUGH_ANSWERS || milliseconds === 0) return undefined;
    return (this.#gaps.length / milliseconds) * 1_000;
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
