import type { RunConformance } from './conformance-options.ts';
import type { ConformanceEvent } from './events.ts';
import { readConformanceOptions } from './given-options.ts';
import { RunAbortedError } from './run-aborted.ts';

/**
 * Judges a service, as the command does, and resolves with what it found; a service that does not conform is a result,
 * not an error.
 *
 * @throws UsageError where the options are wrong, with the codes of the command line
 * @throws RunAbortedError where the signal is aborted
 *
 * @example
 * const { verdict, conclusion } = await runConformance({ baseUrl: 'http://127.0.0.1:8080/v1', token: 'my-key' });
 */
export const runConformance: RunConformance = async (given = {}) => {
  const { signal } = given;
  const end = new AbortController();
  const forward = (): void => end.abort(signal?.reason);
  signal?.addEventListener('abort', forward, { once: true });
  const failures: unknown[] = [];
  const onEvent = (event: ConformanceEvent): void => {
    try {
      given.onEvent?.(event);
    } catch (error) {
      failures.push(error);
      end.abort();
    }
  };
  try {
    const { PET_STORE_OUTLINE } = await import('../../petstore/outline.ts');
    const options = readConformanceOptions(given, PET_STORE_OUTLINE.loadCatalogue);
    if (signal?.aborted === true) throw new RunAbortedError(signal.reason);
    const { runTarget } = await import('../run/target-run.ts');
    const result = await runTarget({ options, signal: end.signal, onEvent });
    if (failures.length > 0) throw failures[0];
    if (result.run.interrupted !== undefined) throw new RunAbortedError(signal?.reason, result);
    return result;
  } finally {
    signal?.removeEventListener('abort', forward);
  }
};
