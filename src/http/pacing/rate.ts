import type { RateLimit } from '../options.ts';

/** Where the rate starts when the user asks to feel the way (`--rate-limit auto`). */
const CAREFUL_START = 40;
/**
 * A 429 cuts the rate to this share of what was accepted, and recovery towards the known ceiling is quick. From there
 * on it grows slowly (share a second), and faster the longer nothing is refused: the ceiling may have been guessed low.
 */
const CUT = 0.8;
const NEAR_CEILING = 0.9;
const QUICK_GROWTH = 0.5;
const SLOW_GROWTH = 0.02;
/** Never slower than this on our own account (requests a second); pauses that the service asks for come on top. */
const SLOWEST = 20;
/** Wait (ms) after a 429 that does not say how long, doubled when the next one follows at once; the longest of all. */
const FIRST_PAUSE_MS = 250;
const LONGEST_OWN_PAUSE_MS = 8_000;
const LONGEST_PAUSE_MS = 60_000;
/** Fewer answers than this between two refusals: the pause was too short. */
const FEW_ANSWERS = 5;
/** A timer may fire so late (ms) without the rate being missed for it. */
const LATENESS_MS = 5;

/**
 * How many requests a second may leave, and when not at all. Unbounded until the service refuses with 429; then it
 * waits as asked, goes on below the rate that was accepted, and feels its way up again.
 */
export class Rate {
  readonly #fixed: boolean;
  /** Requests a second; Infinity for no bound. */
  #perSecond: number;
  #ceiling = Number.POSITIVE_INFINITY;
  #accepted = 0;
  #activeSince: number | undefined;
  #pausedUntil = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #ownPauseMs = FIRST_PAUSE_MS;
  #grownAt = 0;
  #nextDeparture = 0;
  /** Answers so far that asked to slow down. */
  refusals = 0;

  constructor(limit: RateLimit) {
    this.#fixed = limit.kind === 'fixed';
    this.#perSecond =
      limit.kind === 'fixed' ? limit.perSecond : limit.kind === 'auto' ? CAREFUL_START : Number.POSITIVE_INFINITY;
  }

  /** The moment from which the next request may leave (ms, monotonic). */
  get earliest(): number {
    return Math.max(this.#pausedUntil, this.#nextDeparture);
  }

  /** A request leaves now. */
  left(now: number): void {
    this.#activeSince ??= now;
    if (this.#perSecond === Number.POSITIVE_INFINITY) return;
    this.#nextDeparture = Math.max(now - LATENESS_MS, this.#nextDeparture) + 1_000 / this.#perSecond;
  }

  /** An answer other than 429 came. */
  accepted(now: number): void {
    this.#accepted += 1;
    if (this.#fixed || this.#perSecond === Number.POSITIVE_INFINITY) return;
    const seconds = Math.min(1, (now - this.#grownAt) / 1_000);
    this.#grownAt = now;
    const peaceful = (now - this.#pausedUntil) / 1_000;
    const growth =
      this.#perSecond < this.#ceiling * NEAR_CEILING
        ? QUICK_GROWTH
        : Math.min(QUICK_GROWTH, SLOW_GROWTH * (1 + peaceful));
    this.#perSecond *= 1 + growth * seconds;
  }

  /** Answers take long: the service is near what it can do. */
  strained(): void {
    if (this.#fixed || this.#perSecond === Number.POSITIVE_INFINITY) return;
    this.#perSecond = Math.max(SLOWEST, this.#perSecond * CUT);
  }

  /**
   * A 429 came.
   *
   * @param pauseMs how long the service asks to wait, where it says so
   * @param sentAt when the request left; one that was under way at the last refusal already says nothing new
   */
  refused(now: number, pauseMs: number | undefined, sentAt: number): void {
    this.refusals += 1;
    const isNews = sentAt >= this.#refusedAt;
    if (isNews) {
      this.#ownPauseMs =
        this.#accepted < FEW_ANSWERS ? Math.min(this.#ownPauseMs * 2, LONGEST_OWN_PAUSE_MS) : FIRST_PAUSE_MS;
    }
    const pause = Math.min(pauseMs ?? this.#ownPauseMs, LONGEST_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pause);
    if (!isNews) return;
    if (!this.#fixed) {
      const seconds = Math.max(0.25, (now - (this.#activeSince ?? now)) / 1_000);
      this.#ceiling = Math.max(SLOWEST, Math.min(this.#perSecond, this.#accepted / seconds));
      this.#perSecond = Math.max(SLOWEST, this.#ceiling * CUT);
    }
    this.#refusedAt = now;
    this.#accepted = 0;
    this.#activeSince = undefined;
    this.#grownAt = this.#pausedUntil;
  }
}

/**
 * How long a 429 asks to wait, in milliseconds: `Retry-After` in seconds or as an HTTP date.
 * Undefined where the header is missing or unreadable.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
