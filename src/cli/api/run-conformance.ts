import { Stopped } from '../../http/network.ts';
import type { RunResult } from '../../result/result.ts';
import type { RunProgress } from '../../run/state.ts';
import type { Engine } from '../engine.ts';
import { UsageError } from '../errors.ts';
import { readGiven } from '../options/read.ts';
import { runSettings } from '../options/run-settings.ts';
import type { TestingOptions } from '../options/tables.ts';
import { execute, loadEngine } from '../run/execute.ts';

export type ConformanceEvent =
  | ({ readonly type: 'progress' } & RunProgress)
  /** The last event, even of a run that was aborted. */
  | { readonly type: 'result'; readonly result: RunResult };

/**
 * The options of {@link runConformance}; `baseUrl` and `token`, or `embedded: true`, are required. Of the environment,
 * only proxies are read. Without `reportDir`, no files are written except those of `history` and `remember`.
 */
export interface RunConformanceOptions extends TestingOptions {
  /** When aborted, nothing more is sent, and the promise rejects with a {@link RunAbortedError}. */
  readonly signal?: AbortSignal | undefined;
  /** If it throws, the run ends, and the promise rejects with that error. */
  readonly onEvent?: ((event: ConformanceEvent) => void) | undefined;
}

/** The signal of a run was aborted; `cause` is the reason of the signal. */
export class RunAbortedError extends Error {
  override readonly name = 'AbortError';
  readonly code = 'run-aborted';
  /** What was tested until then; undefined if nothing had begun. */
  readonly result: RunResult | undefined;

  constructor(cause: unknown, result?: RunResult) {
    super('The run was aborted before everything was tested.', { cause });
    this.result = result;
  }
}

/**
 * Tests a service as the command does, and resolves with the result, even if the service does not conform. Several runs
 * may be in progress at once.
 *
 * @throws UsageError if the options are wrong, or a file cannot be written
 * @throws RunAbortedError if the signal is aborted
 *
 * @example
 * const { verdict, conclusion } = await runConformance({ baseUrl: 'http://127.0.0.1:8080/v1', token: 'my-key' });
 */
export const runConformance = (options: RunConformanceOptions = {}): Promise<RunResult> => runWith(loadEngine, options);

/** As {@link runConformance}, with a given engine. @internal */
export async function runWith(
  engine: () => Promise<Engine>,
  { signal, onEvent, ...given }: RunConformanceOptions,
): Promise<RunResult> {
  const values = readGiven(given);
  if (values.baseUrl === undefined && !values.embedded) {
    const ways = 'give baseUrl and token, or embedded: true for the reference service of this package';
    throw new UsageError('target-missing', `baseUrl: no target is given; ${ways}`);
  }
  if (!values.embedded && values.token === undefined) {
    throw new UsageError('key-missing', 'token: the target needs an API key; give it as the option token');
  }
  if (values.reportDir === undefined && given.reports !== undefined) {
    throw new UsageError('option-conflict', 'reports: has no effect without reportDir; give the folder too');
  }
  const proxies = Object.entries(process.env).filter(([name]) => /_proxy$/i.test(name));
  const settings = await runSettings(values, { environment: Object.fromEntries(proxies), testsEmbedded: false });
  if (signal?.aborted === true) throw new RunAbortedError(signal.reason);
  const end = new AbortController();
  const forward = (): void => end.abort();
  signal?.addEventListener('abort', forward, { once: true });
  const failures: unknown[] = [];
  const emit = (event: ConformanceEvent): void => {
    if (failures.length > 0) return;
    try {
      onEvent?.(event);
    } catch (error) {
      failures.push(error);
      end.abort();
    }
  };
  try {
    const { result, problems } = await execute(settings, {
      loadEngine: engine,
      signal: end.signal,
      onProgress: (progress) => emit({ type: 'progress', ...progress }),
    });
    emit({ type: 'result', result });
    if (failures.length > 0) throw failures[0];
    if (result.run.interrupted !== undefined) throw new RunAbortedError(signal?.reason, result);
    const [problem] = problems;
    if (problem !== undefined) throw new UsageError('file-unwritable', problem);
    return result;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    // It ended before it had a result.
    throw failures.length > 0 ? failures[0] : new RunAbortedError(signal?.reason);
  } finally {
    signal?.removeEventListener('abort', forward);
  }
}
