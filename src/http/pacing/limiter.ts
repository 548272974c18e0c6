import { type NotSent, pastDeadline } from '../not-sent.ts';
import type { Lane } from './lane.ts';
import { onAbort } from './on-abort.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Answers slower than this (ms, and share of the time limit of a request) reduce the concurrency. */
const SLOW_MS = 1_500;
const SLOW_SHARE = 1 / 4;
/** An answer that takes this many times the shortest of its kind was queued; one below the second factor was not. */
const QUEUED = 2;
const NOT_QUEUED = 1.25;
/** How many requests are in flight at first, when nothing is known of the service. */
const INITIAL_CONCURRENCY = 4;
/** The first requests without the right key wait for those of other checks (ms). */
const GATHERING_MS = 40;
/** The longest time (ms) that a timer takes. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** More requests than this are in flight only while answers do not get slower. */
const EASY_CONCURRENCY = 32;

/** For whom a request waits. */
export interface Turn {
  /** Requests of one queue are sent in order; of several queues, the shortest goes first. */
  readonly queue: unknown;
  /** The queue is sent as a whole: others wait for it, or it belongs together. */
  readonly isWhole?: boolean;
  /** The check that sends it, where it is not the queue. */
  readonly check?: string | undefined;
}

const ONE_FOR_ALL: Turn = { queue: undefined };

/** A request that waits for its turn. */
interface Waiting {
  readonly check: string;
  readonly lane: Lane;
  /** When it may be sent at the earliest (ms, monotonic), as it was refused before. */
  readonly notBefore: number;
  readonly start: () => void;
  readonly giveUp: (reason: NotSent) => void;
}

interface Queue {
  readonly isWhole: boolean;
  readonly waiting: Set<Waiting>;
}

/** All that waits, where none of it may be sent yet. */
export interface HeldUp {
  readonly lanes: ReadonlySet<Lane>;
  /** When the first may be sent (ms, monotonic). */
  readonly until: number;
}

/**
 * Decides when a request may be sent: with bounded concurrency, within the rate limit and that of its lane, and so that
 * what is sent one by one does not wait, each time, for all that is sent side by side. The concurrency grows while answers
 * are quick and is halved when they become slow, so that a service that answers one request at a time is not mistaken for
 * one that hangs.
 */
export class Limiter {
  readonly #maxConcurrency: number;
  readonly #rate: RateLimiter;
  readonly #slowMs: number;
  readonly #queues = new Map<unknown, Queue>();
  /** By check, how many requests without the right key were sent. */
  readonly #sentWithoutKey = new Map<string, number>();
  readonly #shortest = new Map<string, number>();
  #concurrency: number;
  #active = 0;
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #answeredSinceChange = 0;
  /** A moving average of the time to answer (ms), 0 before the first answer. */
  averageMs = 0;

  /**
   * @param maxConcurrency most requests in flight, 1 to 256
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
   * @param notBefore when it may be sent at the earliest, where it was refused before
   * @throws NotSent where the deadline passes first, or `giveUp` is called
   */
  acquire(
    lane: Lane,
    deadline: AbortSignal,
    { queue: key, isWhole = false, check = `${key}` }: Turn = ONE_FOR_ALL,
    notBefore = 0,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        stopListening();
        waiting.delete(one);
        if (waiting.size === 0 && this.#queues.get(key)?.waiting === waiting) this.#queues.delete(key);
      };
      const one: Waiting = {
        check,
        lane,
        notBefore,
        start: () => {
          leave();
          this.#active += 1;
          resolve();
        },
        giveUp: (reason) => {
          leave();
          reject(reason);
        },
      };
      if (deadline.aborted) return reject(pastDeadline(deadline));
      const stopListening = onAbort(deadline, () => one.giveUp(pastDeadline(deadline)));
      const { waiting } = this.#queues.get(key) ?? { waiting: new Set() };
      waiting.add(one);
      this.#queues.set(key, { isWhole, waiting });
      if (lane.hasRightKey) this.#startNext();
      // At first, all checks that send such requests are to have their turns.
      else setTimeout(() => this.#startNext(), lane.isNew ? GATHERING_MS : 0);
    });
  }

  /** A request ended. @param kind the kind of the answer, within which times are compared; undefined without one */
  release(lane: Lane, milliseconds: number, kind: string | undefined): void {
    const now = performance.now();
    this.#rate.accepted(now);
    lane.accepted(now - milliseconds);
    // A request without an answer says nothing about the service's speed, unless it is slow in general.
    if (kind !== undefined || this.averageMs > this.#slowMs / 2) this.#adapt(milliseconds, kind ?? '');
    this.abandon();
  }

  /**
   * The service answered 429: the lane waits, and everything is slower from then on, unless only some requests are limited.
   *
   * @param askedMs how long it asks to wait; undefined where it does not say
   * @param limitsAll whether all requests may be limited alike
   * @returns when the same request may be sent again
   */
  throttle(lane: Lane, askedMs: number | undefined, sentAt: number, limitsAll: boolean): number {
    const now = performance.now();
    const wasOnTrial = lane.isOnTrial;
    const notBefore = lane.refused(now, askedMs, sentAt);
    if (lane.isOnTrial) {
      if (!wasOnTrial) this.#rate.forget();
    } else if (limitsAll) {
      this.#rate.refused(now, sentAt);
      this.#concurrency = Math.min(this.#concurrency, INITIAL_CONCURRENCY);
    }
    this.abandon();
    return notBefore;
  }

  /** Frees the place of a request that says nothing about the service. */
  abandon(): void {
    this.#active -= 1;
    this.#startNext();
  }

  /** What waits in some lanes is not sent. */
  giveUp(lanes: ReadonlySet<Lane>, reasonFor: (lane: Lane) => NotSent): void {
    const all = [...this.#queues.values()].flatMap(({ waiting }) => [...waiting]);
    for (const { lane, giveUp } of all) if (lanes.has(lane)) giveUp(reasonFor(lane));
  }

  /** What holds up all waiting requests; undefined while any is in flight, or none waits. */
  get heldUp(): HeldUp | undefined {
    if (this.#active > 0 || this.#queues.size === 0) return undefined;
    const all = [...this.#queues.values()].flatMap(({ waiting }) => [...waiting]);
    const until = Math.min(...all.map((one) => this.#earliestOf(one)));
    return { lanes: new Set(all.map(({ lane }) => lane)), until };
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
    while (this.#active < this.#concurrency && this.#queues.size > 0) {
      const now = performance.now();
      const next = this.#next(now);
      if (typeof next === 'number') {
        this.#wakeAt(next, now);
        return;
      }
      this.#rate.sent(now);
      if (!next.lane.hasRightKey) this.#sentWithoutKey.set(next.check, this.#sentOf(next) + 1);
      next.start();
    }
  }

  #wakeAt(at: number, now: number): void {
    if (this.#timer !== undefined && this.#wakesAt <= at) return;
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    const wake = (): void => {
      this.#timer = undefined;
      this.#startNext();
    };
    this.#timer = setTimeout(wake, Math.min(Math.ceil(at - now), LONGEST_TIMER_MS));
  }

  #earliestOf({ lane, notBefore }: Waiting): number {
    return Math.max(this.#rate.earliest, lane.pausedUntil, notBefore);
  }

  #sentOf({ check }: Waiting): number {
    return this.#sentWithoutKey.get(check) ?? 0;
  }

  /**
   * The first that may be sent of the shortest queue, or of one that is sent as a whole; where none may be sent yet, when
   * the first may. Without the right key, the checks take turns: after some of these requests, a service may refuse to
   * answer more.
   */
  #next(now: number): Waiting | number {
    if (this.#rate.earliest > now) return this.#rate.earliest;
    let chosen: Waiting | undefined;
    let least = Number.POSITIVE_INFINITY;
    let earliest = Number.POSITIVE_INFINITY;
    for (const { isWhole, waiting } of this.#queues.values()) {
      for (const one of waiting) {
        const at = this.#earliestOf(one);
        earliest = Math.min(earliest, at);
        if (at > now) continue;
        const { lane } = one;
        if (isWhole && (lane.hasRightKey || !lane.isNew)) return one;
        if (lane.hasRightKey && waiting.size === 1) return one;
        const before = lane.hasRightKey ? waiting.size : this.#sentOf(one);
        if (before < least) {
          chosen = one;
          least = before;
        }
        break;
      }
    }
    return chosen ?? earliest;
  }
}
