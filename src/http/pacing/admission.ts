import { setTimeout as sleep } from 'node:timers/promises';
import { LOCKED_OUT, NotSent, pastDeadline } from '../not-sent.ts';
import type { RateLimit } from '../options.ts';
import { CircuitBreaker, type Ending } from './circuit-breaker.ts';
import { Lane, type SharedByLanes } from './lane.ts';
import { type HeldUp, Limiter, type Turn } from './limiter.ts';
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

/** Of the time until the deadline, a run waits so much where only wrong keys are left to send, and these are locked out. */
const PATIENCE = 0.1;
/** How often it is checked whether only such requests are left (ms). */
const POLL_MS = 100;

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
  readonly #lanes = new Map<string, Lane>();
  readonly #shared: SharedByLanes = { refusesAtAnyRate: false };
  /** Lanes that ask for a pause which does not end before the deadline. */
  readonly #endless = new Set<Lane>();
  /** Lanes of wrong keys that are not waited for until their pause has ended. */
  readonly #lockedOut = new Set<Lane>();
  #patienceMs: number;
  #poll: NodeJS.Timeout | undefined;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    const { concurrency, requestTimeoutMs, latencyMs, endsAt = Number.POSITIVE_INFINITY } = options;
    this.#rate = new RateLimiter(options.rateLimit);
    this.#limiter = new Limiter(concurrency, this.#rate, requestTimeoutMs, latencyMs);
    this.#patienceMs = (endsAt - performance.now()) * PATIENCE;
  }

  /** What a request is limited with. */
  laneOf(operation: string, hasRightKey: boolean): Lane {
    const key = `${operation} ${hasRightKey}`;
    const lane = this.#lanes.get(key) ?? new Lane(operation, hasRightKey, this.#shared);
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Answers with 429 so far, and those of them that slow down requests with the right key. */
  get refusals(): { readonly all: number; readonly slowing: number } {
    const sum = (lanes: readonly Lane[]): number => lanes.reduce((total, { refusals }) => total + refusals, 0);
    const all = [...this.#lanes.values()];
    return { all: sum(all), slowing: sum(all.filter((lane) => lane.hasRightKey && !lane.isOnTrial)) };
  }

  /** What holds up all that is to be sent. */
  get heldUp(): HeldUp | undefined {
    return this.#limiter.heldUp;
  }

  /** Whether answers take so long in general that a request may time out in a queue of our own making. */
  get isSlow(): boolean {
    return this.#limiter.averageMs * 4 > this.#options.requestTimeoutMs;
  }

  /**
   * Waits until a request may be sent.
   *
   * @throws NotSent where the deadline passes first, or the operation is given up or throttled until then
   */
  async admit(lane: Lane, deadline: AbortSignal, turn?: Turn): Promise<void> {
    const { operation } = lane;
    const { neverGivesUp = false } = this.#options;
    for (;;) {
      this.#mayBeSent(lane);
      const permission = neverGivesUp ? ({ kind: 'go' } as const) : this.#breaker.ask(operation, performance.now());
      if (permission.kind === 'refused') {
        throw new NotSent('gave-up', `${operation} was given up after too many requests in a row without an answer`);
      }
      if (permission.kind === 'wait') {
        await sleep(permission.milliseconds);
        if (deadline.aborted) throw pastDeadline(deadline);
        continue;
      }
      await this.readmit(lane, deadline, turn);
      const isThrottled = this.#endless.has(lane);
      if (!isThrottled && (neverGivesUp || this.#breaker.claim(operation, performance.now()))) return;
      this.#limiter.abandon();
    }
  }

  /** @throws NotSent where the pause of a lane does not end before the deadline, or it is locked out */
  #mayBeSent(lane: Lane): void {
    if (this.#endless.has(lane)) throw endless(lane);
    if (this.#lockedOut.has(lane) && this.#isLockedOut(lane)) throw lockedOut(lane);
    this.#lockedOut.delete(lane);
  }

  /** Waits until a request that was admitted once may be sent again, not before a moment (ms, monotonic). */
  readmit(lane: Lane, deadline: AbortSignal, turn?: Turn, notBefore?: number): Promise<void> {
    return this.#limiter.acquire(lane, deadline, turn, notBefore);
  }

  /** An attempt ended, with anything but a 429. @param kind the kind of the answer; undefined without one */
  ended(lane: Lane, milliseconds: number, kind: string | undefined): void {
    this.#limiter.release(lane, milliseconds, kind);
  }

  /** An attempt that was let through could not be made. */
  abandoned(): void {
    this.#limiter.abandon();
  }

  /**
   * An attempt was answered with 429. Where the pause does not end before the deadline, nothing more is sent in this
   * lane; others may have limits of their own.
   *
   * @param pauseMs how long the service asks to wait; undefined where it does not say
   * @returns when the request may be sent again (ms, monotonic)
   * @throws NotSent where it is not sent again
   */
  throttled(lane: Lane, pauseMs: number | undefined, sentAt: number): number {
    const now = performance.now();
    const { endsAt = Number.POSITIVE_INFINITY } = this.#options;
    this.#breaker.record(lane.operation, 'answered', now);
    const limitsAll = lane.hasRightKey || !lane.isRefusedUnlike(this.laneOf(lane.operation, true));
    const notBefore = this.#limiter.throttle(lane, pauseMs, sentAt, limitsAll);
    if (now + (pauseMs ?? 0) >= endsAt && !this.#isLockedOut(lane)) {
      this.#endless.add(lane);
      this.#limiter.giveUp(new Set([lane]), endless);
    }
    this.#mayBeSent(lane);
    if (!lane.hasRightKey) this.#poll ??= this.#watch();
    return notBefore;
  }

  /**
   * Gives up what is locked out where nothing else is left to send and there is no patience for the pause: a service may
   * refuse wrong keys after some of them, and a run has hundreds.
   */
  #watch(): NodeJS.Timeout {
    let wasHeldUp = false;
    const look = (): void => {
      const lanes = [...this.#lanes.values()].filter((lane) => this.#isLockedOut(lane));
      const held = this.#limiter.heldUp;
      const isHeldUp = held !== undefined && [...held.lanes].every((lane) => lanes.includes(lane));
      if (isHeldUp && wasHeldUp) {
        if (held.until - performance.now() <= this.#patienceMs) this.#patienceMs -= POLL_MS;
        else {
          for (const lane of held.lanes) this.#lockedOut.add(lane);
          this.#limiter.giveUp(held.lanes, lockedOut);
        }
      }
      wasHeldUp = isHeldUp;
      if (lanes.length > 0) return;
      clearInterval(this.#poll);
      this.#poll = undefined;
    };
    return setInterval(look, POLL_MS).unref();
  }

  /** Whether a lane pauses that only wrong keys are sent in, while the right key is answered. */
  #isLockedOut(lane: Lane): boolean {
    if (lane.hasRightKey || lane.pausedUntil <= performance.now()) return false;
    return lane.isRefusedUnlike(this.laneOf(lane.operation, true));
  }

  /** Nothing more is sent. */
  close(): void {
    clearInterval(this.#poll);
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

const endless = (lane: Lane): NotSent =>
  new NotSent(
    'throttled',
    lane.keepsRefusing(performance.now())
      ? `the service kept answering ${lane.refusal} until the time limit of the run (--max-time)`
      : `the service answered ${lane.refusal}, and the run ends before that (--max-time)`,
  );

const lockedOut = ({ refusal }: Lane): NotSent =>
  new NotSent(LOCKED_OUT, `the service answered further requests without the right key with ${refusal}`);
