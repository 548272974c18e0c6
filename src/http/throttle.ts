import { type Answer, headerOf } from './message.ts';
import { type End, ended, Stopped } from './stop.ts';

/** The pause (ms) after a 429 that asks for none, doubled while nothing is answered, and the longest such pause. */
const FIRST_PAUSE_MS = 250;
const LONGEST_OWN_PAUSE_MS = 5_000;
/** Longer pauses are not waited for in one: after this (ms), the request is tried again. */
const LONGEST_PAUSE_MS = 60_000;
/** From so many requests the late rate of a lane is known, which is halved after a 429, and is never below 1 a second. */
const REMEMBERED = 20;
const LONGEST_INTERVAL_MS = 1_000;
/** Every answer brings a lane nearer to its former rate, and so near it is unbounded again (ms). */
const RECOVERY = 0.98;
const UNBOUNDED_MS = 2;
/** A timer may fire this late (ms) without lowering a fixed rate. */
const LATENESS_MS = 5;
const MOST_REFUSALS = 200;
/** Of so many late answers, half are 429 where a service limits a rate; fewer have nothing to do with how fast they are sent. */
const LATE = 8;

/** Requests that a service may limit apart from all others. Times are monotonic, in milliseconds. */
interface Lane {
  readonly sentAt: number[];
  /** Which of the late answers were 429. */
  readonly refused: boolean[];
  pausedUntil: number;
  refusedAt: number;
  ownPauseMs: number;
  intervalMs: number;
  nextAt: number;
  /** How many requests wait since a 429. */
  waiting: number;
}

/** Keeps to a fixed rate, and waits as a service asks that answers 429: each lane by itself, and slower from then on. */
export class Throttle {
  readonly #end: End;
  readonly #fixedIntervalMs: number;
  readonly #lanes = new Map<string, Lane>();
  #nextAt = 0;
  /** Answers with 429 so far. */
  throttled = 0;

  /** @param perSecond requests a second that are never exceeded; undefined for no bound */
  constructor(end: End, perSecond: number | undefined) {
    this.#end = end;
    this.#fixedIntervalMs = perSecond === undefined ? 0 : 1_000 / perSecond;
  }

  /** The lanes that wait because of a 429, and until when the first of them does (ms, monotonic). */
  get heldUp(): { readonly lanes: readonly string[]; readonly until: number } | undefined {
    const now = performance.now();
    const held = [...this.#lanes].filter(([, lane]) => lane.waiting > 0 && lane.pausedUntil > now);
    if (held.length === 0) return undefined;
    return { lanes: held.map(([name]) => name), until: Math.min(...held.map(([, lane]) => lane.pausedUntil)) };
  }

  /**
   * Resolves when a request of a lane may be sent, as far as the lane is concerned.
   *
   * @param refusals how often the service has answered 429 to it
   * @throws Stopped
   */
  async lane(name: string, refusals: number): Promise<void> {
    if (refusals > MOST_REFUSALS) throw throttledToTheEnd(refusals);
    const lane = this.#laneOf(name);
    lane.waiting += 1;
    try {
      for (let now = performance.now(); !this.#end.hasCome; now = performance.now()) {
        if (lane.pausedUntil <= now && lane.nextAt <= now) {
          if (lane.intervalMs > 0) lane.nextAt = Math.max(lane.nextAt, now - LATENESS_MS) + lane.intervalMs;
          return;
        }
        await this.#end.wait(Math.ceil(Math.max(lane.pausedUntil, lane.nextAt) - now));
      }
    } finally {
      lane.waiting -= 1;
    }
    throw refusals > 0 ? throttledToTheEnd(refusals) : ended();
  }

  /** Whether a lane pauses since its request was let through. */
  isPaused(name: string): boolean {
    return this.#laneOf(name).pausedUntil > performance.now();
  }

  /** Resolves when the fixed rate permits one more request, of whatever lane. */
  async rate(): Promise<void> {
    if (this.#fixedIntervalMs === 0) return;
    const now = performance.now();
    const at = Math.max(this.#nextAt, now - LATENESS_MS);
    this.#nextAt = at + this.#fixedIntervalMs;
    await this.#end.wait(Math.ceil(at - now));
  }

  /**
   * An answer came to a request of a lane.
   *
   * @returns how long (ms) the request itself waits before it is sent again, where it is a 429 (0 where its lane waits);
   *   undefined where it is none
   */
  learn(name: string, answer: Answer, sentAt: number): number | undefined {
    const lane = this.#laneOf(name);
    lane.refused.push(answer.status === 429);
    if (lane.refused.length > LATE) lane.refused.shift();
    if (answer.status !== 429) {
      lane.sentAt.push(sentAt);
      if (lane.sentAt.length > REMEMBERED) lane.sentAt.shift();
      lane.ownPauseMs = FIRST_PAUSE_MS;
      lane.intervalMs = lane.intervalMs * RECOVERY < UNBOUNDED_MS ? 0 : lane.intervalMs * RECOVERY;
      return undefined;
    }
    this.throttled += 1;
    const now = performance.now();
    const asked = retryAfterMs(answer);
    const pause = Math.min(asked ?? lane.ownPauseMs, LONGEST_PAUSE_MS);
    if (2 * lane.refused.filter(Boolean).length < lane.refused.length) return pause;
    lane.pausedUntil = Math.max(lane.pausedUntil, now + pause);
    // One that was in flight at the last 429 says nothing new.
    if (sentAt < lane.refusedAt) return 0;
    lane.refusedAt = now;
    if (asked === undefined) lane.ownPauseMs = Math.min(lane.ownPauseMs * 2, LONGEST_OWN_PAUSE_MS);
    lane.intervalMs = Math.min(LONGEST_INTERVAL_MS, 2 * lateInterval(lane, now));
    lane.sentAt.length = 0;
    return 0;
  }

  #laneOf(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const lane: Lane = {
      sentAt: [], refused: [], pausedUntil: 0, refusedAt: 0, ownPauseMs: FIRST_PAUSE_MS, intervalMs: 0, nextAt: 0, waiting: 0,
    }; // biome-ignore format: one value a line says no more
    this.#lanes.set(name, lane);
    return lane;
  }
}

/** From one accepted request to the next, of late (ms). */
function lateInterval({ sentAt, intervalMs }: Lane, now: number): number {
  const [first] = sentAt;
  return first === undefined ? intervalMs : Math.max(intervalMs, (now - first) / sentAt.length);
}

function throttledToTheEnd(refusals: number): Stopped {
  return new Stopped('throttled', `the service answered 429 to ${refusals} attempts in a row`);
}

/** An HTTP date in any of its three forms. Nothing else that `Date.parse` takes for a date is one. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d( gmt| \d{4})$/i;

/** The pause that a 429 asks for (ms): in whole seconds, or as a date by the clock of the service, which may be another. */
export function retryAfterMs({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const text = headerOf(headers, 'retry-after')?.trim() ?? '';
  const now = dateIn(headerOf(headers, 'date') ?? '');
  const milliseconds = /^\d+$/.test(text)
    ? Number(text) * 1_000
    : dateIn(text) - (Number.isNaN(now) ? Date.now() : now);
  return milliseconds > 0 ? milliseconds : undefined;
}

/** The form of C's asctime names no zone, and means GMT like the others. */
function dateIn(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
}
