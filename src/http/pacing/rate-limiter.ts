import type { RateLimit } from '../options.ts';

/** The initial rate where it is to be found by trial (`--rate-limit auto`). */
const INITIAL_RATE = 40;
/**
 * A 429 cuts the rate to this share of what was accepted. It recovers quickly towards the known ceiling, and from
 * there grows slowly (share per second), but faster the longer nothing is refused: the ceiling may be an underestimate.
 */
const CUT = 0.8;
const NEAR_CEILING = 0.9;
const QUICK_GROWTH = 0.5;
const SLOW_GROWTH = 0.02;
/** The rate is never cut below this (requests a second); pauses that the service asks for come on top. */
const LOWEST_RATE = 5;
/** After fewer answers than this, a 429 says nothing of the rate that is accepted in the long run. */
const FEW_ANSWERS = 5;
/** A timer may fire this late (ms) without lowering the rate. */
const LATENESS_MS = 5;

/**
 * How many requests a second may be sent. After a 429 it is below what was accepted, and increases again step by step.
 * Times are monotonic milliseconds.
 */
export class RateLimiter {
  readonly #fixed: boolean;
  /** Requests a second, at first and now; Infinity for no bound. */
  readonly #initial: number = Number.POSITIVE_INFINITY;
  #perSecond: number;
  #ceiling = Number.POSITIVE_INFINITY;
  #accepted = 0;
  #activeSince: number | undefined;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #grownAt = 0;
  #nextAt = 0;

  constructor(limit: RateLimit) {
    this.#fixed = limit.kind === 'fixed';
    if (limit.kind === 'fixed') this.#initial = limit.perSecond;
    if (limit.kind === 'auto') this.#initial = INITIAL_RATE;
    this.#perSecond = this.#initial;
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
    this.#activeSince ??= now;
    if (this.#intervalMs === 0) return;
    this.#nextAt = Math.max(now - LATENESS_MS, this.#nextAt) + this.#intervalMs;
  }

  /** An answer other than 429 came. */
  accepted(now: number): void {
    this.#accepted += 1;
    if (this.#fixed || this.#perSecond === Number.POSITIVE_INFINITY) return;
    const seconds = Math.min(1, (now - this.#grownAt) / 1_000);
    this.#grownAt = now;
    const unrefused = (now - Math.max(0, this.#refusedAt)) / 1_000;
    const isFar = this.#perSecond < this.#ceiling * NEAR_CEILING;
    const growth = isFar ? QUICK_GROWTH : Math.min(QUICK_GROWTH, SLOW_GROWTH * (1 + unrefused));
    this.#perSecond *= 1 + growth * seconds;
  }

  /** Answers became slow: the service is near its capacity. */
  slowDown(): void {
    if (this.#fixed || this.#perSecond === Number.POSITIVE_INFINITY) return;
    this.#perSecond = Math.max(LOWEST_RATE, this.#perSecond * CUT);
  }

  /** A 429 came. @param sentAt when the request was sent; one that was in flight at the last 429 says nothing new */
  refused(now: number, sentAt: number): void {
    if (sentAt < this.#refusedAt) return;
    if (!this.#fixed) {
      const seconds = Math.max(0.25, (now - (this.#activeSince ?? now)) / 1_000);
      const accepted = Math.max(LOWEST_RATE, Math.min(this.#perSecond, this.#accepted / seconds));
      if (this.#accepted >= FEW_ANSWERS) this.#ceiling = accepted;
      this.#perSecond = Math.max(LOWEST_RATE, accepted * CUT);
    }
    this.#refusedAt = now;
    this.#grownAt = now;
    this.#accepted = 0;
    this.#activeSince = undefined;
  }

  /** The 429s so far seem to have had nothing to do with the rate. */
  forget(): void {
    if (this.#fixed) return;
    this.#ceiling = Number.POSITIVE_INFINITY;
    this.#perSecond = this.#initial;
  }
}
