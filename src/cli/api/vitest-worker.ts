/** The thread in which a run of the vitest entry is carried out. */
import { parentPort, workerData } from 'node:worker_threads';
import type { RunResult } from '../../run/result.ts';
import { UsageError } from '../errors.ts';
import { RUN_OPTIONS } from '../options/tables.ts';
import { RunAbortedError, type RunConformanceOptions, runConformance } from './run-conformance.ts';

/** The message that the thread sends at its end. */
export type FromWorker =
  | { readonly result: RunResult }
  | { readonly error: string; readonly code?: string | undefined };

/** The messages that it receives: the base URL as soon as it is known, and that nobody waits any longer. */
export type ToWorker = { readonly baseUrl: string } | 'abort';

/** A run that exceeds its time limit by this much (ms) hangs. */
const PATIENCE_MS = 60_000;
/** How long (ms) the function `baseUrl` may take; timers and timeouts of the project do not end it. */
const LONGEST_START_MS = 120_000;

const given: Omit<RunConformanceOptions, 'baseUrl'> = workerData;
const { maxTimeMs = RUN_OPTIONS.maxTimeMs.initial, waitForMs = RUN_OPTIONS.waitForMs.initial } = given;
const end = new AbortController();
const post = (message: FromWorker): void => parentPort?.postMessage(message);
const within = (ms: number, says: (seconds: number) => string): NodeJS.Timeout =>
  setTimeout(() => post({ error: says(ms / 1_000) }), ms);

let watch = within(
  Math.min(maxTimeMs, LONGEST_START_MS),
  (seconds) => `The function baseUrl returned no URL within ${seconds} s; check that what it waits for starts.`,
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
    (seconds) => `The conformance run did not end within ${seconds} s; this is a fault of the suite.`,
  );
  post({ result: await runConformance({ ...given, baseUrl, signal: end.signal }) });
} catch (error) {
  const code = error instanceof UsageError || error instanceof RunAbortedError ? error.code : undefined;
  post({ error: error instanceof Error ? error.message : String(error), code });
} finally {
  clearTimeout(watch);
  parentPort?.close();
}
