import type { Attempt, Line } from './line.ts';
import type { Crowd, WireRequest } from './message.ts';

/** A service may close a connection that was idle for longer (ms); if a request meets this, it is nobody's fault. */
const IDLE_MS = 3;
/** If something takes so much longer (ms) than it should, this process was busy, and a service may have acted meanwhile. */
const BUSY_MS = 25;
/** What was learned of idle connections holds for this long (ms), and then is tried again. */
const LEARNED_FOR_MS = 10_000;
/** A response after this time (ms) may have waited for another connection to be closed. */
const LATE_MS = 1_000;
/** After this many requests failed even when sent again alone, a missing response is the service's fault. */
const MOST_FAILURES_ALONE = 2;
/** How often a request is sent again because the connection ended before all of it was written. */
const MOST_CUT = 3;
/** A request with a shorter body is written at once. */
const SHORT_BYTES = 16 * 1024;

/** Learns how a service treats connections, and so whose fault it is that a connection was closed or not served. */
export class Doubts {
  /** Whether the service closed a connection that had been idle for more than a moment, with nothing sent on it. */
  closesIdle = false;
  #mostServed = 0;
  #failuresAlone = 0;
  /** The last two idle connections that the service closed: when, and for how long they had been idle (ms). */
  #closedIdle: readonly { readonly at: number; readonly idleMs: number }[] = [];
  /** The shortest time (ms) from when a connection began to be made until something was sent on it. */
  #firstSentMs = Number.POSITIVE_INFINITY;

  /** A response came while this many connections were served. */
  responded(served: number): void {
    this.#mostServed = Math.max(this.#mostServed, served);
  }

  /** The most connections that were served at once. */
  get mostServed(): number {
    return this.#mostServed;
  }

  /** A request that was sent again alone got no response either. */
  failedAlone(): void {
    this.#failuresAlone += 1;
  }

  /** Whether a missing response may be due to too many connections: not if requests failed when sent again alone, too. */
  get mayBeCrowded(): boolean {
    return this.#failuresAlone < MOST_FAILURES_ALONE;
  }

  /** The service closed a connection that had been idle for this long (ms), without announcing it. */
  closedIdle(idleMs: number, wasInUse = false): void {
    this.closesIdle ||= !wasInUse && idleMs > IDLE_MS;
    this.#closedIdle = [...this.#closedIdle, { at: performance.now(), idleMs }].slice(-2);
  }

  /** Whether the service may be about to close a connection, so that a request on it may be lost: it closed two such lately. */
  mayBeClosing({ isKept, idleMs }: Line): boolean {
    const lately = this.#closedLately;
    const safeMs = Math.max(...lately.map((one) => (one.idleMs <= IDLE_MS ? 0 : one.idleMs / 2)));
    return !isKept && lately.length === 2 && idleMs > safeMs;
  }

  /** Whether a new connection that was closed may have been idle: it took longer than others until something was sent on it. */
  hadWaited({ unanswered, place, idleMs }: Attempt): boolean {
    if (place > 0) return false;
    this.#firstSentMs = Math.min(this.#firstSentMs, idleMs);
    return unanswered === 'closed' && idleMs > this.#firstSentMs + BUSY_MS;
  }

  get #closedLately() {
    return this.#closedIdle.filter(({ at }) => performance.now() - at < LEARNED_FOR_MS);
  }

  /**
   * Whether a request without a response, or with a late one, may have been on one connection too many.
   *
   * @param open how many connections were open
   */
  crowdOf({ unanswered, place, sentAt, answeredAt }: Attempt, open: number): Crowd | undefined {
    if (place > 0 || open <= this.#mostServed || !this.mayBeCrowded) return undefined;
    if (unanswered !== undefined) return { how: unanswered === 'closed' ? 'closed' : 'no response', open };
    return answeredAt - sentAt > LATE_MS ? { how: 'late response', open } : undefined;
  }

  /**
   * Whether to send a request on a new connection, as the service had closed the other before it could see all of it.
   *
   * @param cut how often it was sent again for this reason
   */
  wasCutShort({ unanswered, written, wasCut, place, idleMs }: Attempt, request: WireRequest, cut: number): boolean {
    if (unanswered !== 'closed' || request.mayBeClosed === true) return false;
    if (written && place > 0) this.closedIdle(idleMs, true);
    // A short request is written at once or not at all, so it cannot be the reason.
    if (wasCut && place > 0 && (request.body?.length ?? 0) < SHORT_BYTES) this.closedIdle(0, true);
    return (!written || wasCut) && cut < MOST_CUT;
  }
}
