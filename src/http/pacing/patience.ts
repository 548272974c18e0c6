/** How long one request is waited for. */
export interface Patience {
  /** Aborted when the time is up, with a TimeoutError, or when the run ends, with its reason. */
  readonly signal: AbortSignal;
  /** To be called when the request has ended, so that nothing is left waiting. */
  end(): void;
}

/**
 * Waits for so many milliseconds, or until the run ends. A timer of our own holds on to the signal:
 * `AbortSignal.any([AbortSignal.timeout(…)])` is forgotten at the next garbage collection (seen on Node 20.20) and
 * then never fires, so that a request that hangs would hang for ever.
 */
export function patience(milliseconds: number, deadline: AbortSignal): Patience {
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(deadline.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException('the time limit was reached', 'TimeoutError')),
    milliseconds,
  );
  deadline.addEventListener('abort', giveUp, { once: true });
  if (deadline.aborted) giveUp();
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      deadline.removeEventListener('abort', giveUp);
    },
  };
}
