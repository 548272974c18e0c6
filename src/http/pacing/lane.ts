import { grouped } from '../../report/model/text.ts';

/** The pause (ms) after a 429 without Retry-After, doubled while nothing is answered, and the longest such pause. */
const FIRST_PAUSE_MS = 250;
const LONGEST_OWN_PAUSE_MS = 8_000;
/** After this many refusals with so few answers before each, a lane is tried without pauses. */
const OFTEN = 2;
const SOON = 30;
/** The trial ends when refusals outweigh answers by this many; after this many answers it has proven right. */
const OUTWEIGHED = 5;
const PROVEN = 20;
/** For how many answers a lane counts as new. */
const NEW = 20;

/** What the lanes of a service know of each other. */
export interface SharedByLanes {
  /** Whether the service refuses a share of the requests at any rate. */
  refusesAtAnyRate: boolean;
}

/**
 * Requests that a service may limit apart from all others: those of one operation, with the right key or without it.
 * After a 429 a lane pauses as asked, and the others go on. Where pauses do not help, as the service refuses a share of
 * the requests at any rate, only the refused request waits. Times are monotonic milliseconds.
 */
export class Lane {
  readonly operation: string;
  readonly hasRightKey: boolean;
  readonly #shared: SharedByLanes;
  /** Answers since the last refusal that paused it. */
  #accepted = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #firstRefusedAt = Number.POSITIVE_INFINITY;
  #askedMs: number | undefined;
  #ownPauseMs = FIRST_PAUSE_MS;
  /** How often it was refused soon, and after how many times it is tried without pauses. */
  #soonRefused = 0;
  #often = OFTEN;
  /** While it is tried: by how many the refusals outweigh the answers, and how many answers there were. */
  #trial: { outweighs: number; answers: number } | undefined;
  /** When the pause ends. */
  pausedUntil = 0;
  /** Answers with 429 so far. */
  refusals = 0;

  constructor(operation: string, hasRightKey: boolean, shared: SharedByLanes = { refusesAtAnyRate: false }) {
    this.operation = operation;
    this.hasRightKey = hasRightKey;
    this.#shared = shared;
  }

  /** As in "POST without the right key". */
  get name(): string {
    return this.hasRightKey ? this.operation : `${this.operation} without the right key`;
  }

  /** Whether hardly anything was answered so far. */
  get isNew(): boolean {
    return this.#accepted < NEW && this.refusals === 0;
  }

  /** Whether it does not pause, as its refusals seem to have nothing to do with the rate. */
  get isOnTrial(): boolean {
    return this.#trial !== undefined;
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

  /** An answer other than 429 came. */
  accepted(sentAt: number): void {
    this.#accepted += 1;
    this.#answeredAt = Math.max(this.#answeredAt, sentAt);
    if (this.#trial === undefined) return;
    this.#trial.outweighs = Math.max(0, this.#trial.outweighs - 1);
    this.#trial.answers += 1;
    if (this.#trial.answers >= PROVEN) this.#shared.refusesAtAnyRate = true;
  }

  /**
   * A 429 came.
   *
   * @param askedMs how long the service asks to wait; undefined where it does not say
   * @param sentAt when the request was sent; one that was in flight at the last refusal says nothing new
   * @returns when the same request may be sent again
   */
  refused(now: number, askedMs: number | undefined, sentAt: number): number {
    this.refusals += 1;
    this.#askedMs = askedMs;
    this.#firstRefusedAt = Math.min(this.#firstRefusedAt, now);
    const isNews = sentAt >= this.#refusedAt;
    if (this.#isTried(isNews)) return now + (askedMs ?? FIRST_PAUSE_MS);
    if (isNews) {
      const isTooShort = this.#accepted === 0 && this.refusals > 1;
      this.#ownPauseMs = isTooShort ? Math.min(this.#ownPauseMs * 2, LONGEST_OWN_PAUSE_MS) : FIRST_PAUSE_MS;
      this.#refusedAt = now;
      this.#accepted = 0;
    }
    this.pausedUntil = Math.max(this.pausedUntil, now + (askedMs ?? this.#ownPauseMs));
    return this.pausedUntil;
  }

  /** Whether only the refused request is to wait. */
  #isTried(isNews: boolean): boolean {
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
    return true;
  }
}
