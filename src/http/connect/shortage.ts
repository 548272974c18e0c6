import type { Answer } from '../exchange.ts';

/** A request that waits so long for its answer (ms, and share of its time limit) may wait for a connection to be closed. */
const PATIENCE_MS = 2_000;
const PATIENCE_SHARE = 1 / 2;
/** So many requests in a row that were answered at once when idle connections were closed show that they waited for that. */
const OFTEN = 3;
/** For so many requests it is taken as proven; then one more sign is enough. A busy machine may look the same for once. */
const PROVEN_FOR = 240;
/** A request is passed over where so many that were sent long after it were answered before it. */
const MANY = 5;

/** A connection that waits to be served may be open already, or not, where many wait. */
const TIMED_OUT: ReadonlySet<string> = new Set(['timeout', 'connect-timeout']);

interface UnderWay {
  readonly sentAt: number;
  hasLostPatience: boolean;
  /** Others had lost patience meanwhile. */
  hasCompany: boolean;
  passedOverBy: number;
}

/**
 * Finds out whether a service has a thread for each of a few connections, or for one, and comes to the next only when
 * one of them is closed: idle connections are closed where a request waits.
 */
export class Shortage {
  readonly #patienceMs: number;
  readonly #makeWay: () => boolean;
  readonly #underWay = new Set<UnderWay>();
  /** By operation, how long the quickest answer took (ms). */
  readonly #quickest = new Map<string, number>();
  #lastAnswerAt = 0;
  #signs = 0;
  #provenFor = 0;
  #lastSignAt = 0;

  /** @param makeWay closes connections that are idle, others once they were answered; true where any was idle */
  constructor(requestTimeoutMs: number, makeWay: () => boolean) {
    this.#patienceMs = Math.min(PATIENCE_MS, requestTimeoutMs * PATIENCE_SHARE);
    this.#makeWay = makeWay;
  }

  get isProven(): boolean {
    return this.#provenFor > 0;
  }

  /** Whether a request waits that may wait for a connection to be closed: meanwhile, none is to be kept. */
  get isSuspected(): boolean {
    for (const { hasLostPatience } of this.#underWay) if (hasLostPatience) return true;
    return false;
  }

  /** A request was answered only once it was sent alone. */
  prove(): void {
    this.#provenFor = PROVEN_FOR;
    this.#signs = OFTEN - 1;
  }

  /**
   * Watches a request until `end`. Then `judge` learns from its answer, and says whether it may have waited in vain for a
   * connection to be closed.
   *
   * @param isOnUsed whether the service has answered on its connection before: that has its thread, and waits for none
   */
  watch(
    operation: string,
    sentAt: number,
    isOnUsed: () => boolean,
  ): { readonly end: () => void; readonly judge: (answer: Answer) => boolean } {
    const request: UnderWay = { sentAt, hasLostPatience: false, hasCompany: false, passedOverBy: 0 };
    this.#underWay.add(request);
    if (this.#provenFor > 0) this.#provenFor -= 1;
    const quickestMs = (): number => this.#quickest.get(operation) ?? 0;
    const halfMs = this.#patienceMs / 2;
    let lostAt: number | undefined;
    let wasPassedOver = false;
    const losePatience = (): void => {
      if (isOnUsed()) return;
      lostAt = performance.now();
      request.hasLostPatience = true;
      const impatient = [...this.#underWay].filter(({ hasLostPatience }) => hasLostPatience);
      if (impatient.length > 1) for (const one of impatient) one.hasCompany = true;
      // Where no answer was quicker, it is not for a connection that it waits.
      if (quickestMs() >= this.#patienceMs) return;
      const isSilent = this.#lastAnswerAt < lostAt - halfMs;
      wasPassedOver = (this.#makeWay() && isSilent) || request.passedOverBy >= MANY;
    };
    const timer = setTimeout(losePatience, this.#patienceMs);
    const end = (): void => {
      clearTimeout(timer);
      this.#underWay.delete(request);
    };
    const judge = (answer: Answer): boolean => {
      if (answer.kind === 'no response') return TIMED_OUT.has(answer.code) && request.hasCompany;
      const now = performance.now();
      this.#lastAnswerAt = now;
      this.#quickest.set(operation, Math.min(answer.milliseconds, quickestMs() || answer.milliseconds));
      for (const one of this.#underWay) if (one.sentAt + halfMs < sentAt) one.passedOverBy += 1;
      // One closing tells once, however many waited for it.
      if (lostAt === undefined || this.isProven || sentAt < this.#lastSignAt) return false;
      const isSign = wasPassedOver && Math.max(now - lostAt, quickestMs()) < halfMs;
      this.#signs = isSign ? this.#signs + 1 : 0;
      if (this.#signs >= OFTEN) this.prove();
      this.#lastSignAt = now;
      return false;
    };
    return { end, judge };
  }
}
