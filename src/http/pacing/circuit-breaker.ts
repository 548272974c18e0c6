/** An operation that has never answered is given up after this many requests in a row without an answer. */
const NEVER_ANSWERED = 6;
/** The same for one that has answered before. */
const ANSWERED_BEFORE = 20;
/** An operation that was given up is tried again after this pause (ms), which doubles each time that this fails. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** Requests wait this long (ms) for a service that may be restarting: it has answered before, or refuses connections. */
const RESTART_MS = 5_000;
/** How often a waiting request checks whether the trial request has ended (ms). */
const POLL_MS = 100;

/** How a request ended: with a response, without one, or without a connection. */
export type Ending = 'answered' | 'unanswered' | 'unconnected';

export type Permission =
  | { readonly kind: 'go' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly milliseconds: number };

interface Circuit {
  unanswered: number;
  hasAnswered: boolean;
  /** Set once the operation was given up. */
  open:
    | {
        /** When it may be tried again; undefined while a trial request is in flight. */
        retryAt: number | undefined;
        pauseMs: number;
        readonly waitUntil: number;
      }
    | undefined;
}

/**
 * Gives up an operation that leaves every request unanswered, so that a dead service ends a run soon, and tries it
 * again from time to time, so that a service that recovers is judged. Times are monotonic milliseconds.
 */
export class CircuitBreaker {
  readonly #circuits = new Map<string, Circuit>();

  /** Whether a request may be sent: now, never, or ask again after a while. */
  ask(operation: string, now: number): Permission {
    const { open } = this.#circuits.get(operation) ?? {};
    if (open === undefined) return { kind: 'go' };
    const { retryAt, waitUntil } = open;
    if (retryAt !== undefined && now >= retryAt) return { kind: 'go' };
    if (now >= waitUntil) return { kind: 'refused' };
    const next = Math.min(retryAt ?? waitUntil, now + POLL_MS, waitUntil);
    return { kind: 'wait', milliseconds: Math.max(1, Math.ceil(next - now)) };
  }

  /** Takes the permission to send one request, whose end must be recorded; false where there is none any more. */
  claim(operation: string, now: number): boolean {
    if (this.ask(operation, now).kind !== 'go') return false;
    const { open } = this.#circuits.get(operation) ?? {};
    // One request tries; the others wait for its end.
    if (open !== undefined) open.retryAt = undefined;
    return true;
  }

  record(operation: string, ending: Ending, now: number): void {
    const circuit = this.#circuits.get(operation) ?? { unanswered: 0, hasAnswered: false, open: undefined };
    this.#circuits.set(operation, circuit);
    if (ending === 'answered') {
      Object.assign(circuit, { unanswered: 0, hasAnswered: true, open: undefined });
      return;
    }
    circuit.unanswered += 1;
    const { open, hasAnswered } = circuit;
    if (open === undefined) {
      if (circuit.unanswered < (hasAnswered ? ANSWERED_BEFORE : NEVER_ANSWERED)) return;
      const mayRestart = hasAnswered || ending === 'unconnected';
      const waitUntil = mayRestart ? now + RESTART_MS : now;
      circuit.open = { retryAt: now + FIRST_PAUSE_MS, pauseMs: FIRST_PAUSE_MS, waitUntil };
    } else if (open.retryAt === undefined) {
      open.pauseMs = Math.min(open.pauseMs * 2, LONGEST_PAUSE_MS);
      open.retryAt = now + open.pauseMs;
    }
  }
}
