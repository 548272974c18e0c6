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
const LOWEST_RATE = 20;
/** The pause (ms) after a 429 without Retry-After, doubled when the next follows at once, and the longest such pause. */
const FIRST_PAUSE_MS = 250;
const LONGEST_OWN_PAUSE_MS = 8_000;
/** With fewer answers than this between two refusals, the pause was too short. */
const FEW_ANSWERS = 5;
/** A timer may fire this late (ms) without lowering the rate. */
const LATENESS_MS = 5;

/**
 * How many requests a second may be sent. After a 429 it pauses as asked, continues below the rate that was accepted,
 * and increases it again step by step. Times are monotonic milliseconds.
 */
export class RateLimiter {
  readonly #fixed: boolean;
  /** Requests a second; Infinity for no bound. */
  #perSecond = Number.POSITIVE_INFINITY;
  #ceiling = Number.POSITIVE_INFINITY;
  #accepted = 0;
  #activeSince: number | undefined;
  #pausedUntil = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #ownPauseMs = FIRST_PAUSE_MS;
  #grownAt = 0;
  #nextAt = 0;
  /** Answers with 429 so far. */
  refusals = 0;

  constructor(limit: RateLimit) {
    this.#fixed = limit.kind === 'fixed';
    if (limit.kind === 'fixed') this.#perSecond = limit.perSecond;
    if (limit.kind === 'auto') this.#perSecond = INITIAL_RATE;
  }

  /** When the next request may be sent. */
  get earliest(): number {
    return Math.max(this.#pausedUntil, this.#nextAt);
  }

  /** How much of the pause after a 429 is left (ms). */
  pauseMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
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
    const unrefused = (now - this.#pausedUntil) / 1_000;
    const isFar = this.#perSecond < this.#ceiling * NEAR_CEILING;
    const growth = isFar ? QUICK_GROWTH : Math.min(QUICK_GROWTH, SLOW_GROWTH * (1 + unrefused));
    this.#perSecond *= 1 + growth * seconds;
  }

  /** Answers became slow: the service is near its capacity. */
  slowDown(): void {
    if (this.#fixed || this.#perSecond === Number.POSITIVE_INFINITY) return;
    this.#perSecond = Math.max(LOWEST_RATE, this.#perSecond * CUT);
  }

  /**
   * A 429 came.
   *
   * @param pauseMs how long the service asks to wait; undefined where it does not say
   * @param sentAt when the request was sent; one that was under way at the last refusal says nothing new
   */
  refused(now: number, pauseMs: number | undefined, sentAt: number): void {
    this.refusals += 1;
    const isNews = sentAt >= this.#refusedAt;
    if (isNews) {
      this.#ownPauseMs =
        this.#accepted < FEW_ANSWERS ? Math.min(this.#ownPauseMs * 2, LONGEST_OWN_PAUSE_MS) : FIRST_PAUSE_MS;
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + (pauseMs ?? this.#ownPauseMs));
    if (!isNews) return;
    if (!this.#fixed) {
      const seconds = Math.max(0.25, (now - (this.#activeSince ?? now)) / 1_000);
      this.#ceiling = Math.max(LOWEST_RATE, Math.min(this.#perSecond, this.#accepted / seconds));
      this.#perSecond = Math.max(LOWEST_RATE, this.#ceiling * CUT);
    }
    this.#refusedAt = now;
    this.#accepted = 0;
    this.#activeSince = undefined;
    this.#grownAt = this.#pausedUntil;
  }
}

/**
 * The wait that a 429 asks for, in milliseconds: `Retry-After` in seconds or as an HTTP date.
 * Undefined where the header is missing or invalid.
 *
 * @param now the time by the clock of the service, in milliseconds since 1970
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.min(Number(value) * 1_000, Number.MAX_SAFE_INTEGER);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
