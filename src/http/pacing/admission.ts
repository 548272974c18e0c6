import { setTimeout as sleep } from 'node:timers/promises';
import { NotSent, pastDeadline } from '../not-sent.ts';
import type { RateLimit } from '../options.ts';
import { CircuitBreaker, type Ending } from './circuit-breaker.ts';
import { Limiter, type Turn } from './limiter.ts';
import { RateLimiter } from './rate-limiter.ts';

export interface AdmissionOptions {
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  /** Continues after any number of unanswered requests, to wait for a service that is not up yet. */
  readonly neverGivesUp?: boolean;
}

/**
 * Admits requests: each waits for its turn (concurrency and rate), and for its operation where that is given up for
 * the moment. Every admission must be followed by `ended` or `throttled`.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #rate: RateLimiter;
  readonly #limiter: Limiter;
  readonly #breaker = new CircuitBreaker();

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#rate = new RateLimiter(options.rateLimit);
    this.#limiter = new Limiter(options.concurrency, this.#rate, options.requestTimeoutMs);
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
   * @throws NotSent where the deadline passes first, or the operation is given up
   */
  async admit(operation: string, deadline: AbortSignal, turn?: Turn): Promise<void> {
    const { neverGivesUp = false } = this.#options;
    for (;;) {
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
      if (neverGivesUp || this.#breaker.claim(operation, performance.now())) return;
      this.#limiter.abandon();
    }
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

  /** An attempt was answered with 429. */
  throttled(operation: string, pauseMs: number | undefined, sentAt: number): void {
    this.#breaker.record(operation, 'answered', performance.now());
    this.#limiter.throttle(pauseMs, sentAt);
  }

  /** A second bound of the rate, beside that of the options; undefined for none. */
  limitRate(perSecond: number | undefined): void {
    this.#rate.bound(perSecond);
  }

  /** A request is concluded and is not sent again. */
  concluded(operation: string, ending: Ending): void {
    this.#breaker.record(operation, ending, performance.now());
  }
}
