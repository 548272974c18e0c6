import { type Answer, headerOf } from './message.ts';
import { type End, ended, Stopped } from './stop.ts';

/** The pause (ms) after a 429 without `Retry-After`, doubled until another status comes, and the longest such pause. */
const FIRST_PAUSE_MS = 100;
const LONGEST_OWN_PAUSE_MS = 5_000;
/** The recent rate of a lane is that of this many requests. A 429 makes it slower by this factor, to no less than 1 per second. */
const REMEMBERED = 20;
const SLOWER = 1.5;
const LONGEST_INTERVAL_MS = 1_000;
/**
 * Every response shortens the interval of a lane by this factor, but not to the interval at which a 429 came, which is
 * forgotten slowly; below this (ms), its rate is unlimited again.
 */
const [RECOVERY, CLEAR_OF, FORGETTING] = [0.98, 1.05, 0.999];
const UNBOUNDED_MS = 2;
/** A timer may fire this late (ms) without lowering a fixed rate. */
const LATENESS_MS = 5;
const MOST_429S = 200;
/** If half of this many recent responses are 429, the service limits the rate; fewer do not depend on the pace. */
const RECENT = 8;

/** Requests that a service may throttle separately from all others. Times are monotonic, in milliseconds. */
interface Lane {
  readonly sentAt: number[];
  /** Which of the recent responses were 429. */
  readonly were429: boolean[];
  pausedUntil: number;
  throttledAt: number;
  ownPauseMs: number;
  intervalMs: number;
  /** The longest interval at which a 429 came. */
  tooFastMs: number;
  nextAt: number;
}

/**
 * Keeps to a fixed rate, and after a 429 waits as the service asks, then sends more slowly, evenly spaced: each lane
 * separately until it gets a 429, and all that do as one, as a gateway counts the requests of all.
 */
export class Throttle {
  readonly #end: End;
  readonly #fixedIntervalMs: number;
  readonly #endsAt: number;
  readonly #lanes = new Map<string, Lane>();
  /** How many requests wait, by lane. */
  readonly #waiting = new Map<string, number>();
  /** The lane of all that got a 429. */
  #limited: Lane | undefined;
  #nextAt = 0;
  /** How many responses were 429. */
  throttled = 0;

  /**
   * @param perSecond a rate that is never exceeded; undefined for no limit
   * @param endsAt when the time of the run is over (ms, monotonic): a pause beyond it is not waited for
   */
  constructor(end: End, perSecond: number | undefined, endsAt: number) {
    this.#end = end;
    this.#endsAt = endsAt;
    this.#fixedIntervalMs = perSecond === undefined ? 0 : 1_000 / perSecond;
  }

  /** The lanes that wait because of a 429, and until when the first of them does (ms, monotonic). */
  get heldUp(): { readonly lanes: readonly string[]; readonly until: number } | undefined {
    const now = performance.now();
    const held = [...this.#lanes].filter(([name, lane]) => this.#waitingIn(name) > 0 && lane.pausedUntil > now);
    if (held.length === 0) return undefined;
    return { lanes: held.map(([name]) => name), until: Math.min(...held.map(([, lane]) => lane.pausedUntil)) };
  }

  /**
   * Resolves when the lane of a request permits sending it.
   *
   * @param attempts how often this request got a 429
   * @throws Stopped
   */
  async lane(name: string, attempts: number): Promise<void> {
    if (attempts > MOST_429S) throw throttledForGood(attempts);
    this.#waiting.set(name, this.#waitingIn(name) + 1);
    try {
      for (let now = performance.now(); !this.#end.hasCome; now = performance.now()) {
        const lane = this.#laneOf(name);
        if (lane.pausedUntil > this.#endsAt) throw pausedTooLong(lane.pausedUntil - now);
        if (lane.pausedUntil <= now && lane.nextAt <= now) {
          if (lane.intervalMs > 0) lane.nextAt = Math.max(lane.nextAt, now - LATENESS_MS) + lane.intervalMs;
          return;
        }
        await this.#end.wait(Math.ceil(Math.max(lane.pausedUntil, lane.nextAt) - now));
      }
    } finally {
      this.#waiting.set(name, this.#waitingIn(name) - 1);
    }
    throw attempts > 0 ? throttledForGood(attempts) : ended();
  }

  /** Whether a lane has been paused since its request was permitted. */
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
   * Records the response to a request of a lane.
   *
   * @throws Stopped
   * @returns after a 429, how long (ms) the request itself waits before it is sent again (0 if its lane waits);
   *   undefined after any other status
   */
  learn(name: string, answer: Answer, sentAt: number): number | undefined {
    let lane = this.#laneOf(name);
    lane.were429.push(answer.status === 429);
    if (lane.were429.length > RECENT) lane.were429.shift();
    if (answer.status !== 429) {
      lane.sentAt.push(sentAt);
      if (lane.sentAt.length > REMEMBERED) lane.sentAt.shift();
      lane.ownPauseMs = FIRST_PAUSE_MS;
      lane.tooFastMs *= FORGETTING;
      lane.intervalMs = Math.max(lane.intervalMs * RECOVERY, CLEAR_OF * lane.tooFastMs);
      if (lane.intervalMs < UNBOUNDED_MS) lane.intervalMs = 0;
      return undefined;
    }
    this.throttled += 1;
    const now = performance.now();
    const asked = retryAfterMs(answer);
    const pause = asked ?? lane.ownPauseMs;
    if (now + pause > this.#endsAt) {
      lane.pausedUntil = now + pause;
      throw pausedTooLong(pause);
    }
    if (2 * lane.were429.filter(Boolean).length < lane.were429.length) return pause;
    this.#limited ??= lane;
    lane = this.#limited;
    this.#lanes.set(name, lane);
    lane.pausedUntil = Math.max(lane.pausedUntil, now + pause);
    // A request that was in flight at the last 429 shows nothing new.
    if (sentAt < lane.throttledAt) return 0;
    lane.throttledAt = now;
    if (asked === undefined) lane.ownPauseMs = Math.min(lane.ownPauseMs * 2, LONGEST_OWN_PAUSE_MS);
    lane.tooFastMs = Math.max(lane.tooFastMs, recentInterval(lane));
    lane.intervalMs = Math.min(LONGEST_INTERVAL_MS, SLOWER * lane.tooFastMs);
    lane.sentAt.length = 0;
    return 0;
  }

  #waitingIn(name: string): number {
    return this.#waiting.get(name) ?? 0;
  }

  #laneOf(name: string): Lane {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const lane: Lane = {
      sentAt: [], were429: [], pausedUntil: 0, throttledAt: 0, ownPauseMs: FIRST_PAUSE_MS, intervalMs: 0, tooFastMs: 0, nextAt: 0,
    }; // biome-ignore format: one value a line says no more
    this.#lanes.set(name, lane);
    return lane;
  }
}

/** The interval that was kept to, or the usual one of recent requests (ms): now and then a lane has nothing to send. */
function recentInterval({ sentAt, intervalMs }: Lane): number {
  if (intervalMs > 0) return intervalMs;
  const gaps = sentAt.slice(1).map((at, nth) => at - (sentAt[nth] ?? at));
  const median = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  return Math.max(UNBOUNDED_MS, median);
}

function throttledForGood(attempts: number): Stopped {
  return new Stopped('throttled', `the service answered 429 to ${attempts} attempts in a row`);
}

function pausedTooLong(pauseMs: number): Stopped {
  return new Stopped(
    'throttled',
    `the service answered 429 and asks for a pause of ${Math.ceil(pauseMs / 1_000)} s, longer than the time that is left`,
  );
}

/** An HTTP date in any of its three forms; `Date.parse` accepts much more. */
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

/** The asctime form names no zone, but means GMT like the others. */
function dateIn(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
}
