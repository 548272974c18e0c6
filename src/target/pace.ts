import type { RateLimit } from '../run/options.ts';

/** Above this time to answer (ms), fewer requests are kept under way; well below it, more. */
const COMFORTABLE_MS = 1_500;
const STARTING_WIDTH = 8;
/** Wait (ms) after a 429 that does not say how long. */
const DEFAULT_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Throttling or a deadline that the target cannot be blamed for: the request was not sent. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Decides when a request may leave: first come first served, a bounded number under way, no faster than the rate,
 * and not while the service has asked for a pause. The number under way follows the service: it grows while
 * answers are quick and is halved when they become slow, so that a service that answers one request at a time is
 * not taken for one that hangs.
 */
export class Pace {
  readonly #limit: number;
  readonly #rate: RateLimit;
  readonly #waiting: (() => void)[] = [];
  #width: number;
  #underWay = 0;
  #pausedUntil = 0;
  #interval: number;
  #nextDeparture = 0;
  #timer: NodeJS.Timeout | undefined;
  #answeredSinceChange = 0;
  #typical = 0;
  throttled = 0;

  /** @param limit most requests under way at once, 1 to 256 */
  constructor(limit: number, rate: RateLimit) {
    this.#limit = limit;
    this.#rate = rate;
    this.#width = Math.min(STARTING_WIDTH, limit);
    this.#interval = rate.kind === 'fixed' ? 1_000 / rate.perSecond : 0;
  }

  /** A moving average of the time to answer (ms), 0 before the first answer. */
  get typicalMs(): number {
    return this.#typical;
  }

  /** Requests under way now. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Resolves when the request may leave; `done` or `refused` must follow. */
  depart(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        signal.removeEventListener('abort', give_up);
        this.#underWay += 1;
        resolve();
      };
      const give_up = (): void => {
        const at = this.#waiting.indexOf(leave);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(new NotSent('out-of-time', 'the time budget of the run was used up before this could be judged'));
      };
      if (signal.aborted) {
        give_up();
        return;
      }
      signal.addEventListener('abort', give_up, { once: true });
      this.#waiting.push(leave);
      this.#advance();
    });
  }

  /** An answer arrived, or the request failed, after so many milliseconds. */
  done(milliseconds: number): void {
    this.#underWay -= 1;
    this.#typical = this.#typical === 0 ? milliseconds : this.#typical * 0.9 + milliseconds * 0.1;
    this.#answeredSinceChange += 1;
    if (milliseconds > COMFORTABLE_MS && this.#answeredSinceChange >= this.#width) {
      this.#width = Math.max(1, Math.floor(this.#width / 2));
      this.#answeredSinceChange = 0;
    } else if (milliseconds < COMFORTABLE_MS / 2 && this.#width < this.#limit) {
      this.#width += 1;
    }
    if (this.#rate.kind !== 'fixed' && this.#interval > 0) this.#interval = Math.max(0, this.#interval * 0.98 - 0.01);
    this.#advance();
  }

  /** The service answered 429: everything waits, and what follows is slower. */
  refused(milliseconds: number, pauseMs: number | undefined): void {
    this.throttled += 1;
    const pause = Math.min(pauseMs ?? DEFAULT_PAUSE_MS, LONGEST_PAUSE_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + pause);
    if (this.#rate.kind !== 'fixed') this.#interval = Math.min(1_000, Math.max(5, this.#interval * 1.25));
    this.#width = Math.max(1, Math.min(this.#width, STARTING_WIDTH));
    this.done(milliseconds);
  }

  #advance(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.#width) {
      const now = performance.now();
      const earliest = Math.max(this.#pausedUntil, this.#nextDeparture);
      if (now < earliest) {
        this.#timer ??= setTimeout(
          () => {
            this.#timer = undefined;
            this.#advance();
          },
          Math.ceil(earliest - now),
        );
        return;
      }
      if (this.#interval > 0) this.#nextDeparture = Math.max(now, this.#nextDeparture + this.#interval);
      this.#waiting.shift()?.();
    }
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
