import type { Attempt, Line } from './line.ts';
import type { WireRequest } from './message.ts';

/** A service may close a connection that was idle for longer (ms): that a request meets this is nobody's fault. */
const IDLE_MS = 3;
/** Once so many requests were sent again alone in vain, what is not answered is the service's. */
const MOST_IN_VAIN = 2;
const MOST_UNWRITTEN = 3;
/** A request with a shorter body is written at once. */
const SHORT_BYTES = 16 * 1024;

/** That a new connection was not served because others were, and how many. */
export interface Suspicion {
  readonly unanswered: 'closed' | 'late';
  readonly served: number;
}

/**
 * What to do about a request that was not answered:
 * - `again`: on a new connection, as the service had closed the other before it saw the request
 * - a suspicion: alone, as there may have been too many connections
 * - `unsure`: not to be sent again, as the service may have processed it, though its loss may be nobody's fault
 */
type Doubt = 'again' | 'unsure' | Suspicion | undefined;

/** Knows what a service does to connections, and so whose fault it is that one was closed or not served. */
export class Doubts {
  /** The most connections that were served at the same time. */
  #mostServed = 0;
  #aloneInVain = 0;
  /** The service closed an idle connection when a request was on its way, or at once after a response. */
  #closesIdle = false;
  #idleMs = IDLE_MS;

  /** A request was answered while so many connections were served. */
  answered(served: number): void {
    this.#mostServed = Math.max(this.#mostServed, served);
  }

  /** A request that was sent again alone was not answered either. */
  wasAloneInVain(): void {
    this.#aloneInVain += 1;
  }

  /** The service closed a connection that had been idle for so long (ms), without having said that it would. */
  closedIdle(milliseconds: number): void {
    if (milliseconds > IDLE_MS) return;
    this.#closesIdle = true;
    this.#idleMs = 0;
  }

  /** Whether the service may be about to close a connection, so that a creation on it may be lost. */
  mayBeClosing({ isPrivate, idleSince }: Line): boolean {
    return this.#closesIdle && !isPrivate && performance.now() - idleSince > this.#idleMs;
  }

  /**
   * @param served how many connections are served
   * @param races how often the request was sent again, in how many attempts that were written
   */
  about(attempt: Attempt, request: WireRequest, served: number, races: Races): Doubt {
    const { unanswered, written, wasCut, place } = attempt;
    if (unanswered === undefined) return undefined;
    const isSafe = request.method === 'GET' || !written || wasCut;
    if (place === 0 && served > 0 && served >= this.#mostServed && this.#aloneInVain < MOST_IN_VAIN) {
      if (isSafe) return { unanswered, served };
      return unanswered === 'closed' ? 'unsure' : undefined;
    }
    if (unanswered === 'late' || !this.#isRace(attempt, races)) return undefined;
    if (written && place > 0) {
      this.#closesIdle = true;
      // Nothing of a short request was written, so that it cannot be why.
      if (wasCut && (request.body?.length ?? 0) < SHORT_BYTES) this.closedIdle(0);
    }
    return isSafe ? 'again' : 'unsure';
  }

  #isRace({ written, wasCut, place, idleMs }: Attempt, races: Races): boolean {
    if (!written) return races.unwritten < MOST_UNWRITTEN;
    return races.written === 0 && (wasCut || (place > 0 && idleMs > this.#idleMs));
  }
}

/** How often a request met the end of a connection, after and before it was written. */
interface Races {
  readonly written: number;
  readonly unwritten: number;
}
