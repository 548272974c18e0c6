import { pastDeadline } from '../not-sent.ts';
import type { Rate } from './rate.ts';

/** Above this time to answer (ms), fewer requests are kept under way; well below it, more. */
const COMFORTABLE_MS = 1_500;
/** It is never more than this share of the time limit of a request. */
const COMFORTABLE_SHARE = 1 / 4;
/** Answers that take so many times the shortest of their kind have waited in a queue; those below have not. */
const QUEUED = 2;
const NOT_QUEUED = 1.25;
const STARTING_WIDTH = 4;

/**
 * Decides when a request may leave: first come first served, a bounded number under way, no faster than the rate.
 * The number under way follows the service: it grows while answers are quick and is halved when they become slow, so
 * that a service that answers one request at a time is not taken for one that hangs.
 */
export class Pace {
  readonly #limit: number;
  readonly #rate: Rate;
  readonly #waiting: (() => void)[] = [];
  #width: number;
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  #answeredSinceChange = 0;
  #typical = 0;
  readonly #comfortableMs: number;
  readonly #shortest = new Map<string, number>();

  /**
   * @param limit most requests under way at once, 1 to 256
   * @param requestTimeoutMs how long a request may take
   */
  constructor(limit: number, rate: Rate, requestTimeoutMs: number) {
    this.#limit = limit;
    this.#rate = rate;
    this.#comfortableMs = Math.min(COMFORTABLE_MS, requestTimeoutMs * COMFORTABLE_SHARE);
    this.#width = Math.min(STARTING_WIDTH, limit);
  }

  /** A moving average of the time to answer (ms), 0 before the first answer. */
  get typicalMs(): number {
    return this.#typical;
  }

  /** Answers so far that asked to slow down. */
  get throttled(): number {
    return this.#rate.refusals;
  }

  /**
   * Resolves when the request may leave; `done` or `refused` must follow.
   *
   * @throws NotSent where the run ends first
   */
  depart(deadline: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        deadline.removeEventListener('abort', giveUp);
        this.#underWay += 1;
        resolve();
      };
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(leave);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(pastDeadline(deadline));
      };
      if (deadline.aborted) {
        giveUp();
        return;
      }
      deadline.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(leave);
      this.#advance();
    });
  }

  /**
   * A request ended after so many milliseconds. One that was not answered says nothing of the service's speed, unless
   * it is slow in general.
   *
   * @param kind what the answer was to and of, so that like is compared with like; undefined where there was none
   */
  done(milliseconds: number, kind: string | undefined): void {
    this.#rate.accepted(performance.now());
    if (kind !== undefined || this.#typical > this.#comfortableMs / 2) this.#adapt(milliseconds, kind ?? '');
    this.#freed();
  }

  #adapt(milliseconds: number, kind: string): void {
    this.#typical = this.#typical === 0 ? milliseconds : this.#typical * 0.9 + milliseconds * 0.1;
    const shortest = this.#shortest.get(kind) ?? Number.POSITIVE_INFINITY;
    this.#shortest.set(kind, Math.min(milliseconds, shortest));
    this.#answeredSinceChange += 1;
    // A service that is slow whoever asks is no faster when it is asked less.
    const isStrained = milliseconds > this.#comfortableMs && milliseconds > shortest * QUEUED;
    const isAtEase =
      milliseconds < this.#comfortableMs / 2 ||
      (shortest !== Number.POSITIVE_INFINITY && milliseconds < shortest * NOT_QUEUED);
    if (isStrained && this.#answeredSinceChange >= this.#width) {
      this.#width = Math.max(1, Math.floor(this.#width / 2));
      this.#answeredSinceChange = 0;
      this.#rate.strained();
    } else if (isAtEase && this.#width < this.#limit) {
      this.#width += 1;
    }
  }

  /** A request that was let go was not sent after all. */
  abandoned(): void {
    this.#freed();
  }

  /**
   * The service answered 429: everything waits, and what follows is slower.
   *
   * @param pauseMs how long it asks to wait, where it says so
   * @param sentAt when the request left (ms, monotonic)
   */
  refused(pauseMs: number | undefined, sentAt: number): void {
    this.#rate.refused(performance.now(), pauseMs, sentAt);
    this.#width = Math.max(1, Math.min(this.#width, STARTING_WIDTH));
    this.#freed();
  }

  #freed(): void {
    this.#underWay -= 1;
    this.#advance();
  }

  #advance(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.#width) {
      const now = performance.now();
      const { earliest } = this.#rate;
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
      this.#rate.left(now);
      this.#waiting.shift()?.();
    }
  }
}
