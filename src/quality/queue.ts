import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { entryPoint } from '../package.ts';
import { EMPTY_TRIAL, type Job, type Trial } from './trial.ts';

/** When a trial is given up (ms): later than a user's time limit ends a run. */
const TRIAL_TIME_MS = 1_200_000;
/** A large space for young objects makes collecting most garbage of a trial cheap. */
const NODE_OPTIONS = [...process.execArgv, '--max-semi-space-size=64'];

/** Runs jobs in worker processes until the time (ms) is up. A worker that dies or hangs is replaced. */
export async function runTrials(
  jobs: readonly Job[],
  workers: number,
  maxTimeMs = Number.POSITIVE_INFINITY,
  onTrial: (trial: Trial) => void = () => {},
): Promise<readonly Trial[]> {
  const endsAt = performance.now() + maxTimeMs;
  const trials: Trial[] = [];
  // All workers take their jobs from this one iterator.
  const waiting = jobs.entries();
  const work = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    for (const [at, job] of waiting) {
      if (performance.now() >= endsAt) break;
      if (worker?.connected !== true) worker = fork(entryPoint('faults-worker'), { execArgv: NODE_OPTIONS });
      const trial = await runIn(worker, job);
      trials[at] = trial;
      onTrial(trial);
    }
    if (worker?.connected) worker.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work));
  return trials.filter((trial) => trial !== undefined);
}

async function runIn(worker: ChildProcess, job: Job): Promise<Trial> {
  const done = new AbortController();
  worker.send(job);
  const first = await Promise.race([
    once(worker, 'message', done).then(([trial]: Trial[]) => trial),
    once(worker, 'close', done).then(([code]: unknown[]) => `its worker exited (${String(code)})`),
    after(TRIAL_TIME_MS, `it did not end within ${TRIAL_TIME_MS / 1_000} s`, done),
  ]);
  done.abort();
  if (typeof first === 'object') return first;
  if (worker.connected) worker.disconnect();
  worker.kill('SIGKILL');
  return { ...EMPTY_TRIAL, job, crash: first ?? 'its worker sent nothing' };
}
