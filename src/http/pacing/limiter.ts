import { pastDeadline } from '../not-sent.ts';
import { onAbort } from './on-abort.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Answers slower than this (ms, and share of the time limit of a request) reduce the concurrency. */
const SLOW_MS = 1_500;
const SLOW_SHARE = 1 / 4;
/** An answer that takes this many times the shortest of its kind was queued; one below the second factor was not. */
const QUEUED = 2;
const NOT_QUEUED = 1.25;
/** So many are under way at once at first, where nothing is known of the service. */
const INITIAL_CONCURRENCY = 4;
/** The longest time (ms) that a timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** More requests than this are under way at once only where answers take no longer for it. */
const EASY_CONCURRENCY = 32;

/** For whom a request waits. */
export interface Turn {
  /** Requests of one queue are sent in order; of several queues, the shortest goes first. */
  readonly queue: unknown;
  /** The queue is sent as a whole: others wait for it, or it belongs together. */
  readonly isWhole?: boolean;
}

const ONE_FOR_ALL: Turn = { queue: undefined };

interface Queue {
  readonly isWhole: boolean;
  readonly waiting: Set<() => void>;
}

/**
 * Decides when a request may be sent: with bounded concurrency, within the rate limit, and so that what is sent one by
 * one does not wait, each time, for all that is sent side by side. The concurrency grows while answers are quick and is
 * halved when they become slow, so that a service that answers one request at a time is not mistaken for one that hangs.
 */
export class Limiter {
  readonly #maxConcurrency: number;
  readonly #rate: RateLimiter;
  readonly #slowMs: number;
  readonly #queues = new Map<unknown, Queue>();
  readonly #shortest = new Map<string, number>();
  #concurrency: number;
  #active = 0;
  #timer: NodeJS.Timeout | undefined;
  #answeredSinceChange = 0;
  /** A moving average of the time to answer (ms), 0 before the first answer. */
  averageMs = 0;

  /**
   * @param maxConcurrency most requests under way at once, 1 to 256
   * @param latencyMs the time to an answer, where it is known
   */
  constructor(maxConcurrency: number, rate: RateLimiter, requestTimeoutMs: number, latencyMs?: number) {
    this.#maxConcurrency = maxConcurrency;
    this.#rate = rate;
    this.#slowMs = Math.min(SLOW_MS, requestTimeoutMs * SLOW_SHARE);
    // Though they be answered one by one, the last of them is in good time.
    const inGoodTime = latencyMs === undefined ? 0 : Math.floor((requestTimeoutMs * SLOW_SHARE) / latencyMs);
    const initial = Math.min(Math.max(INITIAL_CONCURRENCY, inGoodTime), EASY_CONCURRENCY);
    this.#concurrency = Math.min(initial, maxConcurrency);
  }

  /**
   * Resolves when the request may be sent; `release`, `throttle` or `abandon` must follow.
   *
   * @throws NotSent where the deadline passes first
   */
  acquire(deadline: AbortSignal, { queue: key, isWhole = false }: Turn = ONE_FOR_ALL): Promise<void> {
    return new Promise((resolve, reject) => {
      const { waiting } = this.#queues.get(key) ?? { waiting: new Set() };
      const start = (): void => {
        stopListening();
        this.#active += 1;
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(start);
        if (waiting.size === 0) this.#queues.delete(key);
        reject(pastDeadline(deadline));
      };
      if (deadline.aborted) return giveUp();
      const stopListening = onAbort(deadline, giveUp);
      waiting.add(start);
      this.#queues.set(key, { isWhole, waiting });
      this.#startNext();
    });
  }

  /** A request ended. @param kind the kind of the answer, within which times are compared; undefined without one */
  release(milliseconds: number, kind: string | undefined): void {
    this.#rate.accepted(performance.now());
    // A request without an answer says nothing about the service's speed, unless it is slow in general.
    if (kind !== undefined || this.averageMs > this.#slowMs / 2) this.#adapt(milliseconds, kind ?? '');
    this.abandon();
  }

  /**
   * The service answered 429: everything waits, and is slower from then on.
   *
   * @param pauseMs how long it asks to wait; undefined where it does not say
   */
  throttle(pauseMs: number | undefined, sentAt: number): void {
    this.#rate.refused(performance.now(), pauseMs, sentAt);
    this.#concurrency = Math.min(this.#concurrency, INITIAL_CONCURRENCY);
    this.abandon();
  }

  /** Frees the place of a request that says nothing about the service. */
  abandon(): void {
    this.#active -= 1;
    this.#startNext();
  }

  #adapt(milliseconds: number, kind: string): void {
    this.averageMs = this.averageMs === 0 ? milliseconds : this.averageMs * 0.9 + milliseconds * 0.1;
    const shortest = this.#shortest.get(kind);
    this.#shortest.set(kind, Math.min(milliseconds, shortest ?? milliseconds));
    this.#answeredSinceChange += 1;
    // A service that is always slow does not become faster with fewer requests.
    const wasQueued = shortest !== undefined && milliseconds > shortest * QUEUED;
    const isAsQuick = shortest !== undefined && milliseconds < shortest * NOT_QUEUED;
    const isMany = this.#concurrency >= EASY_CONCURRENCY;
    const isAtEase = isAsQuick || (!isMany && milliseconds < this.#slowMs / 2);
    if (milliseconds > this.#slowMs && wasQueued && this.#answeredSinceChange >= this.#concurrency) {
      this.#concurrency = Math.max(1, Math.floor(this.#concurrency / 2));
      this.#answeredSinceChange = 0;
      this.#rate.slowDown();
    } else if (isAtEase && this.#concurrency < this.#maxConcurrency) {
      this.#concurrency += 1;
    } else if (wasQueued && this.#concurrency > EASY_CONCURRENCY) {
      this.#concurrency -= 1;
    }
  }

  #startNext(): void {
    while (this.#active < this.#concurrency) {
      const next = this.#next();
      if (next === undefined) return;
      const now = performance.now();
      const wait = this.#rate.earliest - now;
      if (wait > 0) {
        this.#timer ??= setTimeout(
          () => {
            this.#timer = undefined;
            this.#startNext();
          },
          Math.min(Math.ceil(wait), LONGEST_TIMER_MS),
        );
        return;
      }
      this.#rate.sent(now);
      const [key, { waiting }, start] = next;
      waiting.delete(start);
      if (waiting.size === 0) this.#queues.delete(key);
      start();
    }
  }

  /** The first of the shortest queue, or of one that is sent as a whole. */
  #next(): readonly [unknown, Queue, () => void] | undefined {
    let shortest: readonly [unknown, Queue] | undefined;
    for (const entry of this.#queues) {
      const [, { isWhole, waiting }] = entry;
      if (shortest === undefined || isWhole || waiting.size < shortest[1].waiting.size) shortest = entry;
      if (isWhole || waiting.size === 1) break;
    }
    const [start] = shortest?.[1].waiting ?? [];
    return shortest === undefined || start === undefined ? undefined : [...shortest, start];
  }
}
