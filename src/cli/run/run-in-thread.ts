import { runPlanned } from './run-planned.ts';
import type { Runner } from './runner.ts';
import { TestResults } from './test-results.ts';

/** Runs the checks in the caller's own thread. */
export const runInThread: Runner = async (given, { onProgress, stop, ...listener }) => {
  const results = new TestResults(given.plan.checks, () => stop.aborted, listener);
  await runPlanned(given, stop, (event) => {
    if (event.kind === 'progress') onProgress(event.progress);
    else if (event.kind !== 'end') results.note(event);
  });
  return results.all();
};
