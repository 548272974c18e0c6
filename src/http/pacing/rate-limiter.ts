import type { RateLimit } from '../options.ts';

/** The initial rate where it is to be found by trial (`--rate-limit auto`), and how it grows (share per second). */
const INITIAL_RATE = 40;
const GROWTH = 0.5;
/** Where answers become slow, the rate is cut to this share, but never below so many requests a second. */
const CUT = 0.8;
const LOWEST_RATE = 20;
/** A timer may fire this late (ms) without lowering the rate. */
const LATENESS_MS = 5;

/** How many requests a second the user permits, whatever they are. Times are monotonic milliseconds. */
export class RateLimiter {
  readonly #grows: boolean;
  /** Requests a second; Infinity for no bound. */
  #perSecond = Number.POSITIVE_INFINITY;
  #grownAt = 0;
  #nextAt = 0;

  constructor(limit: RateLimit) {
    this.#grows = limit.kind === 'auto';
    if (limit.kind === 'fixed') this.#perSecond = limit.perSecond;
    if (limit.kind === 'auto') this.#perSecond = INITIAL_RATE;
  }

  /** When the next request may be sent. */
  get earliest(): number {
    return this.#nextAt;
  }

  /** From one request to the next (ms); 0 for no bound. */
  get #intervalMs(): number {
    return 1_000 / this.#perSecond;
  }

  sent(now: number): void {
    if (this.#intervalMs === 0) return;
    this.#nextAt = Math.max(now - LATENESS_MS, this.#nextAt) + this.#intervalMs;
  }

  /** An answer other than 429 came. */
  accepted(now: number): void {
    if (!this.#grows) return;
    this.#perSecond *= 1 + GROWTH * Math.min(1, (now - this.#grownAt) / 1_000);
    this.#grownAt = now;
  }

  /** Answers became slow: the service is near its capacity. */
  slowDown(): void {
    if (this.#grows) this.#perSecond = Math.max(LOWEST_RATE, this.#perSecond * CUT);
  }
}
