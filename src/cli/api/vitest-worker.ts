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

/** What it is told: where the service is, as soon as that is known, and that nobody waits any longer. */
export type ToWorker = { readonly baseUrl: string } | 'abort';

/** A run that is so much longer than it may be (ms) hangs. */
const PATIENCE_MS = 60_000;
/** A function that gives the URL may take so long (ms): the project's own timers, and its timeouts, do not end it. */
const LONGEST_START_MS = 120_000;

const given: Omit<RunConformanceOptions, 'baseUrl'> = workerData;
const { maxTimeMs = RUN_OPTIONS.maxTimeMs.initial, waitForMs = RUN_OPTIONS.waitForMs.initial } = given;
const end = new AbortController();
const post = (message: FromWorker): void => parentPort?.postMessage(message);
const within = (ms: number, says: (seconds: number) => string): NodeJS.Timeout =>
  setTimeout(() => post({ error: says(ms / 1_000) }), ms);

let watch = within(
  Math.min(maxTimeMs, LONGEST_START_MS),
  (seconds) => `The function baseUrl gave no URL within ${seconds} s: check that what it waits for starts.`,
);
try {
  const baseUrl = await new Promise<string>((resolve, reject) => {
    parentPort?.on('message', (message: ToWorker) => {
      if (message !== 'abort') return resolve(message.baseUrl);
      end.abort();
      return reject(new RunAbortedError(end.signal.reason));
    });
  });
  clearTimeout(watch);
  watch = within(
    waitForMs + maxTimeMs + PATIENCE_MS,
    (seconds) => `The conformance run did not end within ${seconds} s: this is a fault of the suite.`,
  );
  post({ result: await runConformance({ ...given, baseUrl, signal: end.signal }) });
} catch (error) {
  const code = error instanceof UsageError || error instanceof RunAbortedError ? error.code : undefined;
  post({ error: error instanceof Error ? error.message : String(error), code });
} finally {
  clearTimeout(watch);
  parentPort?.close();
}
