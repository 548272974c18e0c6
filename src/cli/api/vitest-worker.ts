/** The program of the thread in which a run goes on that somebody's vitest has started. */
import { parentPort, workerData } from 'node:worker_threads';
import type { RunResult } from '../../report/result.ts';
import { UsageError } from '../errors.ts';
import { RUN_OPTIONS } from '../options/tables.ts';
import { RunAbortedError, type RunConformanceOptions, runConformance } from './run-conformance.ts';

/** What the thread says at its end. */
export type FromWorker =
  | { readonly result: RunResult }
  | { readonly error: string; readonly code?: string | undefined };

/** A run that is so much longer than it may be (ms) hangs. */
const PATIENCE_MS = 60_000;

const options: RunConformanceOptions = workerData;
const end = new AbortController();
const tell = (message: FromWorker): void => parentPort?.postMessage(message);
parentPort?.on('message', () => end.abort());
const limitMs = (options.maxTimeMs ?? RUN_OPTIONS.maxTimeMs.initial) + PATIENCE_MS;
const watch = setTimeout(() => {
  tell({ error: `The conformance run did not end within ${limitMs / 1_000} s: this is a fault of the suite.` });
}, limitMs);

try {
  tell({ result: await runConformance({ ...options, signal: end.signal }) });
} catch (error) {
  const code = error instanceof UsageError || error instanceof RunAbortedError ? error.code : undefined;
  tell({ error: error instanceof Error ? error.message : String(error), code });
} finally {
  clearTimeout(watch);
  parentPort?.close();
}
