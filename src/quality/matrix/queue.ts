import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isTrial } from './messages.ts';
import type { Trial } from './model.ts';
import type { Job } from './trial.ts';

const ENTRY = fileURLToPath(new URL('./worker.mjs', import.meta.url));
/** Beyond this a trial is given up (ms): longer than the time budget of a run and all that may follow it. */
const TRIAL_TIME_MS = 90_000;
/** Most characters of a worker's last words that are kept. */
const LAST_WORDS = 2_000;

export interface QueueOptions {
  /** Worker processes, 1 or more. */
  readonly workers: number;
  readonly onTrial: (trial: Trial) => void;
}

/**
 * Tries every job, each in one of a few worker processes, in the order given. A worker that dies or hangs costs its
 * job, which is reported as a fault of the suite, and is replaced.
 */
export async function tryAll(jobs: readonly Job[], { workers, onTrial }: QueueOptions): Promise<readonly Trial[]> {
  const waiting = [...jobs];
  const trials = new Map<Job, Trial>();
  const work = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      worker ??= fork(ENTRY, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
      const { trial, alive } = await tryIn(worker, job);
      if (!alive) worker = undefined;
      trials.set(job, trial);
      onTrial(trial);
    }
    worker?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work));
  return jobs.flatMap((job) => trials.get(job) ?? []);
}

function tryIn(worker: ChildProcess, job: Job): Promise<{ readonly trial: Trial; readonly alive: boolean }> {
  const started = performance.now();
  return new Promise((resolve) => {
    let words = '';
    let hangs = false;
    const hear = (chunk: unknown): void => {
      words = `${words}${String(chunk)}`.slice(-LAST_WORDS);
    };
    const end = (trial: Trial, alive: boolean): void => {
      clearTimeout(timer);
      worker.off('message', take).off('close', die);
      worker.stderr?.off('data', hear);
      resolve({ trial, alive });
    };
    const take = (message: unknown): void => {
      if (isTrial(message)) end(message, true);
    };
    const die = (code: number | null, signal: string | null): void => {
      const how = hangs
        ? `it did not end within ${TRIAL_TIME_MS / 1_000} s`
        : `its worker ended (${signal ?? code ?? 'for no known reason'}): ${words.trim()}`;
      end(brokenOff(job, how, performance.now() - started), false);
    };
    const timer = setTimeout(() => {
      hangs = true;
      worker.kill('SIGKILL');
    }, TRIAL_TIME_MS);
    worker.stderr?.on('data', hear);
    worker.on('message', take).on('close', die);
    worker.send(job);
  });
}

function brokenOff({ kind, name }: Job, how: string, milliseconds: number): Trial {
  return {
    kind,
    name,
    exitCode: 2,
    failed: [],
    unjudged: [],
    suiteFaults: [`the trial broke off: ${how}`],
    requests: 0,
    milliseconds: Math.round(milliseconds),
  };
}
