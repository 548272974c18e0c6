import { FIRST_VIOLATION } from '../report/model/first-violation.ts';

/** The reason with which the deadline is aborted when the user ends the run; any other reason means that time ran out. */
export const INTERRUPTED = 'interrupted';

/** The code of a request with a wrong key that is not sent, as the service refuses more of them with 429. */
export const LOCKED_OUT = 'locked-out';

/** The code of a request that is not sent, as the service no longer accepts the key. */
export const KEY_LOST = 'key-lost';

/** A request was not sent, for a reason that says nothing about the service's conformance. `code` is stable. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code:
    | 'out-of-time'
    | typeof INTERRUPTED
    | typeof FIRST_VIOLATION
    | 'throttled'
    | typeof LOCKED_OUT
    | typeof KEY_LOST
    | 'gave-up';
  constructor(code: NotSent['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Why nothing more is sent once the deadline of the run, or of a check, is aborted. */
export function pastDeadline(deadline: AbortSignal): NotSent {
  if (deadline.reason instanceof NotSent) return deadline.reason;
  if (deadline.reason === FIRST_VIOLATION) {
    return new NotSent(FIRST_VIOLATION, '--fail-fast: the run ended at the first violation');
  }
  return deadline.reason === INTERRUPTED
    ? new NotSent(INTERRUPTED, 'the run was interrupted')
    : new NotSent('out-of-time', 'the time budget of the run was used up');
}
