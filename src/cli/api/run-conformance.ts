import type { RunResult } from '../../report/model/result.ts';
import { UsageError } from '../errors.ts';
import type { PreparedRunner } from '../run/runner.ts';
import type { ConformanceOptions, RunConformance } from './conformance-options.ts';
import type { ConformanceEvent } from './events.ts';
import { readConformanceOptions } from './given-options.ts';
import { RunAbortedError } from './run-aborted.ts';

/** @param prepareRunner called before a target is looked at, so that what runs the checks is loaded meanwhile */
export function conformanceRunner(prepareRunner: () => PreparedRunner): RunConformance {
  let isRunning = false;
  return async (given = {}) => {
    if (isRunning) {
      const what = 'this process is judging a service already; await that run, or use another process';
      throw new UsageError('run-in-progress', `runConformance: ${what}`);
    }
    isRunning = true;
    try {
      return await run(given, prepareRunner);
    } finally {
      isRunning = false;
    }
  };
}

async function run(given: ConformanceOptions, prepareRunner: () => PreparedRunner): Promise<RunResult> {
  // First, so that it loads what it needs while this thread loads the rest.
  const prepared = given.replay === undefined ? prepareRunner() : undefined;
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
    const result = await runTarget({ options, runner: prepared?.run, signal: end.signal, onEvent });
    if (failures.length > 0) throw failures[0];
    if (result.run.interrupted !== undefined) throw new RunAbortedError(signal?.reason, result);
    return result;
  } finally {
    signal?.removeEventListener('abort', forward);
    await prepared?.close();
  }
}
