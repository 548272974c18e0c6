import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { stopReasonIn } from '../../engine/plan.ts';
import { entryPoint } from '../../entry-points.ts';
import { isFolderGone } from '../errors.ts';
import { type ChecksEvent, type ChecksOrder, describeError } from './checks-messages.ts';
import type { PreparedRunner, Runner } from './runner.ts';
import { TestResults } from './test-results.ts';

/** MiB for new objects. Fewer than usual, as the thread would keep them; with fewer still, collecting them takes longer. */
const NEW_OBJECTS_MIB = 9;

/**
 * Prepares to run the checks of a plan in a thread of their own, as tests of vitest's runner. The checks are loaded while
 * the caller still looks at the target; nothing is sent before `run`.
 */
export function prepareThread(program = entryPoint('checks-worker')): PreparedRunner {
  // Source maps take time to load: only where stacks are shown.
  const execArgv = process.sourceMapsEnabled ? ['--enable-source-maps'] : [];
  const resourceLimits = { maxYoungGenerationSizeMb: NEW_OBJECTS_MIB };
  const thread = new Worker(program, { execArgv, resourceLimits });
  // Settled when the thread cannot go on, perhaps before it has anything to run.
  const ended = endOf(thread);
  // It is only of interest where there is something to run.
  ended.catch(() => {});
  return {
    run: (given, options) => runIn(thread, ended, given, options),
    close: async () => {
      await thread.terminate();
    },
  };
}

/** Resolves with why a thread has ended; rejects where the reason is no fault of the suite. */
async function endOf(thread: Worker): Promise<string> {
  try {
    const [code]: unknown[] = await once(thread, 'exit');
    return `the thread of the checks ended with exit code ${String(code)}`;
  } catch (error) {
    if (isFolderGone(error)) throw error;
    return describeError(error instanceof Error ? error : new Error(String(error)));
  }
}

async function runIn(
  thread: Worker,
  ended: Promise<string>,
  given: Parameters<Runner>[0],
  { onProgress, stop, ...listener }: Parameters<Runner>[1],
): ReturnType<Runner> {
  const order = (message: ChecksOrder): void => thread.postMessage(message);
  const askToStop = (): void => order({ kind: 'stop', reason: stopReasonIn(stop.reason) ?? 'out-of-time' });
  const results = new TestResults(given.plan.checks, () => stop.aborted, listener);
  const allRun = new Promise<void>((resolve, reject) => {
    thread.on('message', (event: ChecksEvent) => {
      try {
        if (event.kind === 'progress') onProgress(event.progress);
        else if (event.kind === 'end') resolve();
        else results.note(event);
      } catch (error) {
        reject(error);
      }
    });
  });
  stop.addEventListener('abort', askToStop, { once: true });
  if (stop.aborted) askToStop();
  order({ kind: 'run', given });
  const endedEarly = await Promise.race([allRun, ended]);
  stop.removeEventListener('abort', askToStop);
  if (endedEarly !== undefined) results.note({ kind: 'fault', error: endedEarly });
  return results.all();
}
