import { grouped } from '../../report/model/text.ts';

/**
 * A 429 cuts the rate to this share of what was accepted. It recovers quickly towards the known ceiling, and from
 * there grows slowly (share per second), but faster the longer nothing is refused: the ceiling may be an underestimate.
 */
const CUT = 0.8;
const NEAR_CEILING = 0.9;
const QUICK_GROWTH = 0.5;
const SLOW_GROWTH = 0.02;
/** The rate is never cut below this (requests a second); pauses that the service asks for come on top. */
const LOWEST_RATE = 10;
/** The pause (ms) after a 429 without Retry-After, doubled when the next follows at once, and the longest such pause. */
const FIRST_PAUSE_MS = 250;
const LONGEST_OWN_PAUSE_MS = 8_000;
/** With fewer answers than this between two refusals, the pause was too short. */
const FEW_ANSWERS = 5;
/** A timer may fire this late (ms) without lowering the rate. */
const LATENESS_MS = 5;
/** Refused so often with only so many answers before each time, a lane is tried unslowed. */
const OFTEN = 2;
const SOON = 30;
/** That ends where refusals come to outweigh the answers by so many; after so many answers it has proven right. */
const OUTWEIGHED = 5;
const PROVEN = 20;
/** A lane is new for so many answers. */
const NEW = 20;

/** What the lanes of a service know of each other. */
export interface SharedByLanes {
  /** Whether the service was found to refuse a share of the requests at any rate. */
  refusesAtAnyRate: boolean;
}

/**
 * Requests that a service may limit apart from all others: those of one operation, with the right key or without it.
 * After a 429 a lane pauses as asked, continues below the rate that was accepted, and increases it again step by step;
 * the other lanes go on. Where slowing down does not help, as the service refuses a share of the requests at any rate,
 * only the refused request waits. Times are monotonic milliseconds.
 */
export class Lane {
  readonly operation: string;
  readonly hasRightKey: boolean;
  /** Whether the rate is the user's, and is kept. */
  readonly #isFixed: boolean;
  #perSecond = Number.POSITIVE_INFINITY;
  #ceiling = Number.POSITIVE_INFINITY;
  #accepted = 0;
  #activeSince: number | undefined;
  #pausedUntil = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #askedMs: number | undefined;
  #firstRefusedAt = Number.POSITIVE_INFINITY;
  #ownPauseMs = FIRST_PAUSE_MS;
  #grownAt = 0;
  #nextAt = 0;
  readonly #shared: SharedByLanes;
  /** How often it was refused soon after it had been slowed down, and after how many times it is tried unslowed. */
  #soonRefused = 0;
  #often = OFTEN;
  /** While it is tried unslowed: by how many the refusals outweigh the answers, and how many answers there were. */
  #trial: { outweighs: number; answers: number } | undefined;
  /** Answers with 429 so far. */
  refusals = 0;

  constructor(
    operation: string,
    hasRightKey: boolean,
    isFixed = false,
    shared: SharedByLanes = { refusesAtAnyRate: false },
  ) {
    this.operation = operation;
    this.hasRightKey = hasRightKey;
    this.#isFixed = isFixed;
    this.#shared = shared;
  }

  /** As in "POST without the right key". */
  get name(): string {
    return this.hasRightKey ? this.operation : `${this.operation} without the right key`;
  }

  /** When the next request may be sent. */
  get earliest(): number {
    return Math.max(this.#pausedUntil, this.#nextAt);
  }

  /** Whether hardly anything was answered so far. */
  get isNew(): boolean {
    return this.#accepted < NEW && this.refusals === 0;
  }

  /** Whether its refusals slow it down. */
  get isLimited(): boolean {
    return this.refusals > 0 && this.#trial === undefined;
  }

  /** How much of the pause after a 429 is left (ms). */
  pauseMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now);
  }

  /** Its refusal, as in "429 (Retry-After: 60 s)". */
  get refusal(): string {
    return this.#askedMs === undefined ? '429' : `429 (Retry-After: ${grouped(Math.ceil(this.#askedMs / 1_000))} s)`;
  }

  /** Whether it has been refused for longer than it was asked to wait. */
  keepsRefusing(now: number): boolean {
    return now - this.#firstRefusedAt > (this.#askedMs ?? 0);
  }

  /** Whether another lane is answered all the time, or has been since this one was refused. */
  isRefusedUnlike(other: Lane): boolean {
    return other.#answeredAt > (other.refusals === 0 ? Number.NEGATIVE_INFINITY : this.#refusedAt);
  }

  sent(now: number): void {
    this.#activeSince ??= now;
    this.#nextAt = Math.max(now - LATENESS_MS, this.#nextAt) + 1_000 / this.#perSecond;
  }

  /** An answer other than 429 came. */
  accepted(now: number, sentAt = now): void {
    this.#accepted += 1;
    this.#answeredAt = Math.max(this.#answeredAt, sentAt);
    if (this.#trial !== undefined) {
      this.#trial.outweighs = Math.max(0, this.#trial.outweighs - 1);
      this.#trial.answers += 1;
      if (this.#trial.answers >= PROVEN) this.#shared.refusesAtAnyRate = true;
    }
    if (this.#perSecond === Number.POSITIVE_INFINITY) return;
    const seconds = Math.min(1, (now - this.#grownAt) / 1_000);
    this.#grownAt = now;
    const unrefused = (now - this.#pausedUntil) / 1_000;
    const isFar = this.#perSecond < this.#ceiling * NEAR_CEILING;
    const growth = isFar ? QUICK_GROWTH : Math.min(QUICK_GROWTH, SLOW_GROWTH * (1 + unrefused));
    this.#perSecond *= 1 + growth * seconds;
  }

  /**
   * A 429 came.
   *
   * @param askedMs how long the service asks to wait; undefined where it does not say
   * @param sentAt when the request was sent; one that was under way at the last refusal says nothing new
   * @returns when the same request may be sent again
   */
  refused(now: number, askedMs: number | undefined, sentAt: number): number {
    this.refusals += 1;
    this.#askedMs = askedMs;
    this.#firstRefusedAt = Math.min(this.#firstRefusedAt, now);
    const isNews = sentAt >= this.#refusedAt;
    if (this.#isOnTrial(isNews)) return now + (askedMs ?? FIRST_PAUSE_MS);
    if (isNews) {
      const isTooSoon = this.#accepted < FEW_ANSWERS;
      this.#ownPauseMs = isTooSoon ? Math.min(this.#ownPauseMs * 2, LONGEST_OWN_PAUSE_MS) : FIRST_PAUSE_MS;
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + (askedMs ?? this.#ownPauseMs));
    if (isNews) this.#slowDown(now);
    return this.#pausedUntil;
  }

  /** Whether only the refused request is to wait. */
  #isOnTrial(isNews: boolean): boolean {
    if (this.#trial !== undefined) {
      this.#trial.outweighs += 1;
      if (this.#trial.outweighs < OUTWEIGHED) return true;
      this.#trial = undefined;
      this.#soonRefused = 0;
      this.#often *= 2;
      return false;
    }
    if (!isNews) return false;
    // Without any answer before it, the pause was too short, whatever the rate.
    if (this.#accepted > SOON) this.#soonRefused = 0;
    else if (this.#accepted > 0) this.#soonRefused += 1;
    const isExpected = this.#shared.refusesAtAnyRate && this.#often === OFTEN;
    if (this.#soonRefused < this.#often && !isExpected) return false;
    this.#trial = { outweighs: 1, answers: 0 };
    this.#accepted = 0;
    this.#activeSince = undefined;
    if (!this.#isFixed) this.#perSecond = Number.POSITIVE_INFINITY;
    return true;
  }

  #slowDown(now: number): void {
    if (!this.#isFixed) {
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
