/** The reason with which the deadline is aborted when the user ends the run; any other reason means that time ran out. */
export const INTERRUPTED = 'interrupted';

/** A request was not sent, for a reason that says nothing about the service's conformance. `code` is stable. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code: 'out-of-time' | typeof INTERRUPTED | 'throttled' | 'gave-up';
  constructor(code: NotSent['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Why nothing more is sent once the deadline of the run is aborted. */
export function pastDeadline(deadline: AbortSignal): NotSent {
  return deadline.reason === INTERRUPTED
    ? new NotSent(INTERRUPTED, 'the run was interrupted before this could be judged')
    : new NotSent('out-of-time', 'the time budget of the run was used up before this could be judged');
}
