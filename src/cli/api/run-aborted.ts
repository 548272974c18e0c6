import type { RunResult } from '../../report/model/result.ts';

/** The signal of a run was aborted; the reason of the signal is the cause. */
export class RunAbortedError extends Error {
  override readonly name = 'AbortError';
  readonly code = 'run-aborted';
  /** What was judged until then; undefined where nothing had begun. */
  readonly result: RunResult | undefined;

  constructor(cause: unknown, result?: RunResult) {
    super('The run was aborted before everything was judged.', { cause });
    this.result = result;
  }
}
