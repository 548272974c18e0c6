import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '../../report/model/text.ts';
import { NotSent, pastDeadline } from '../not-sent.ts';
import type { RateLimit } from '../options.ts';
import { CircuitBreaker, type Ending } from './circuit-breaker.ts';
import { Limiter, type Turn } from './limiter.ts';
import { RateLimiter } from './rate-limiter.ts';

export interface AdmissionOptions {
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  /** The time to an answer (ms), where it is known. */
  readonly latencyMs?: number | undefined;
  /** When the deadline passes (milliseconds, monotonic); never by default. */
  readonly endsAt?: number | undefined;
  /** Continues after any number of unanswered requests, to wait for a service that is not up yet. */
  readonly neverGivesUp?: boolean;
}

/**
 * Admits requests: each waits for its turn (concurrency and rate), and for its operation where that is given up for
 * the moment. Every admission must be followed by `ended`, `throttled` or `abandoned`, and by `readmit` before the next
 * attempt; a request whose last attempt has ended must be `concluded`, or an operation on trial stays given up.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #rate: RateLimiter;
  readonly #limiter: Limiter;
  readonly #breaker = new CircuitBreaker();
  /** By operation, the pause (ms) that the service asks for and that does not end before the deadline. */
  readonly #endless = new Map<string, number>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { concurrency, requestTimeoutMs, latencyMs } = options;
    this.#rate = new RateLimiter(options.rateLimit);
    this.#limiter = new Limiter(concurrency, this.#rate, requestTimeoutMs, latencyMs);
  }

  /** Answers with 429 so far. */
  get refusals(): number {
    return this.#rate.refusals;
  }

  /** How much longer everything waits after a refusal (ms). */
  get pauseMs(): number {
    return this.#rate.pauseMs(performance.now());
  }

  /** Whether answers take so long in general that a request may time out in a queue of our own making. */
  get isSlow(): boolean {
    return this.#limiter.averageMs * 4 > this.#options.requestTimeoutMs;
  }

  /**
   * Waits until a request of an operation may be sent.
   *
   * @throws NotSent where the deadline passes first, or the operation is given up or throttled until then
   */
  async admit(operation: string, deadline: AbortSignal, turn?: Turn): Promise<void> {
    const { neverGivesUp = false } = this.#options;
    for (;;) {
      this.#mayBeSent(operation);
      const permission = neverGivesUp ? ({ kind: 'go' } as const) : this.#breaker.ask(operation, performance.now());
      if (permission.kind === 'refused') {
        throw new NotSent('gave-up', `${operation} was given up after too many requests in a row without an answer`);
      }
      if (permission.kind === 'wait') {
        await sleep(permission.milliseconds);
        if (deadline.aborted) throw pastDeadline(deadline);
        continue;
      }
      await this.readmit(deadline, turn);
      const isThrottled = this.#endless.has(operation);
      if (!isThrottled && (neverGivesUp || this.#breaker.claim(operation, performance.now()))) return;
      this.#limiter.abandon();
    }
  }

  /** @throws NotSent where the service asks for a pause of an operation that does not end before the deadline */
  #mayBeSent(operation: string): void {
    const pauseMs = this.#endless.get(operation);
    if (pauseMs === undefined) return;
    const seconds = grouped(Math.ceil(pauseMs / 1_000));
    throw new NotSent('throttled', `the service asks for a pause of ${seconds} s, for which there is no time`);
  }

  /** Waits until a request that was admitted once may be sent again. */
  readmit(deadline: AbortSignal, turn?: Turn): Promise<void> {
    return this.#limiter.acquire(deadline, turn);
  }

  /** An attempt ended, with anything but a 429. @param kind the kind of the answer; undefined without one */
  ended(milliseconds: number, kind: string | undefined): void {
    this.#limiter.release(milliseconds, kind);
  }

  /** An attempt that was let through could not be made. */
  abandoned(): void {
    this.#limiter.abandon();
  }

  /**
   * An attempt was answered with 429. Where the pause does not end before the deadline, the operation is not sent any
   * more; others may have limits of their own.
   *
   * @param pauseMs how long the service asks to wait; undefined where it does not say
   * @throws NotSent where there is no time for the pause
   */
  throttled(operation: string, pauseMs: number | undefined, sentAt: number): void {
    const now = performance.now();
    const { endsAt = Number.POSITIVE_INFINITY } = this.#options;
    this.#breaker.record(operation, 'answered', now);
    const isEndless = pauseMs !== undefined && now + pauseMs >= endsAt;
    if (isEndless) this.#endless.set(operation, pauseMs);
    this.#limiter.throttle(isEndless ? undefined : pauseMs, sentAt);
    this.#mayBeSent(operation);
  }

  /** A request is concluded and is not sent again. */
  concluded(operation: string, ending: Ending): void {
    this.#breaker.record(operation, ending, performance.now());
  }
}
