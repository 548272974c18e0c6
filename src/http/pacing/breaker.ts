import type { OperationId } from '../../report/model/result.ts';

/** So many requests in a row without an answer, and an operation that has never answered is given up. */
const NEVER_ANSWERED = 6;
/** The same where it has answered before. */
const ANSWERED_BEFORE = 20;
/** An operation that was given up is tried again after so long (ms), and after longer each time that this fails. */
const TRY_AGAIN_MS = 250;
const LONGER_EACH_TIME = 2;
const LONGEST_MS = 30_000;
/** One that has answered before, or cannot be connected to, is waited for so long (ms): a service that restarts. */
const PATIENCE_MS = 5_000;
/** How often a request that waits looks how the one that tries has ended (ms). */
const LOOK_MS = 100;

/** How a request ended: with a response, without one, or without so much as a connection. */
export type Ending = 'answered' | 'unanswered' | 'unconnected';

/** Whether a request may be sent: now, not at all, or to be asked again after a while. */
export type Permission =
  | { readonly kind: 'go' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly milliseconds: number };

interface State {
  unanswered: number;
  hasAnswered: boolean;
  givenUp:
    | {
        /** When the operation may be tried again; undefined while a request tries. */
        tryAgainAt: number | undefined;
        pauseMs: number;
        readonly patientUntil: number;
      }
    | undefined;
}

/**
 * Gives an operation up that leaves every request hanging or broken, so that a dead service ends a run soon; and tries
 * it again from time to time, so that one that comes back is judged on.
 */
export class Breaker {
  readonly #states = new Map<OperationId, State>();

  /** Whether a request may be sent at this moment (ms, monotonic). */
  ask(operation: OperationId, now: number): Permission {
    const { givenUp } = this.#states.get(operation) ?? {};
    if (givenUp === undefined) return { kind: 'go' };
    const { tryAgainAt, patientUntil } = givenUp;
    if (tryAgainAt !== undefined && now >= tryAgainAt) return { kind: 'go' };
    if (now >= patientUntil) return { kind: 'refused' };
    const next = Math.min(tryAgainAt ?? patientUntil, now + LOOK_MS, patientUntil);
    return { kind: 'wait', milliseconds: Math.max(1, Math.ceil(next - now)) };
  }

  /** Takes the permission to send one request, after which {@link record} must follow; false where it is gone. */
  claim(operation: OperationId, now: number): boolean {
    if (this.ask(operation, now).kind !== 'go') return false;
    const { givenUp } = this.#states.get(operation) ?? {};
    // One request tries; the others wait for how it ends.
    if (givenUp !== undefined) givenUp.tryAgainAt = undefined;
    return true;
  }

  /** Takes note of how a request ended. */
  record(operation: OperationId, ending: Ending, now: number): void {
    if (ending === 'answered') {
      this.#states.set(operation, { unanswered: 0, hasAnswered: true, givenUp: undefined });
      return;
    }
    const state = this.#states.get(operation) ?? { unanswered: 0, hasAnswered: false, givenUp: undefined };
    this.#states.set(operation, state);
    state.unanswered += 1;
    const { givenUp, hasAnswered } = state;
    if (givenUp === undefined) {
      if (state.unanswered < (hasAnswered ? ANSWERED_BEFORE : NEVER_ANSWERED)) return;
      const mayRestart = hasAnswered || ending === 'unconnected';
      const patientUntil = mayRestart ? now + PATIENCE_MS : now;
      state.givenUp = { tryAgainAt: now + TRY_AGAIN_MS, pauseMs: TRY_AGAIN_MS, patientUntil };
    } else if (givenUp.tryAgainAt === undefined) {
      givenUp.pauseMs = Math.min(givenUp.pauseMs * LONGER_EACH_TIME, LONGEST_MS);
      givenUp.tryAgainAt = now + givenUp.pauseMs;
    }
  }
}
