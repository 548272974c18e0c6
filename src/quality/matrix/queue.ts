import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { entryPoint } from '../../entry-points.ts';
import type { Fault, Variant } from '../../reference/index.ts';
import type { Profile } from '../../report/model/result.ts';
import type { Job, Trial } from './trial.ts';

/** After this a trial is given up (ms): longer than the time budgets of its runs and everything that may follow them. */
const TRIAL_TIME_MS = 120_000;
/** The same with replays. */
const REPLAYED_TIME_MS = 360_000;
/** A large space for young objects: most of a trial's garbage is collected in passing. */
const ROOMY = [...process.execArgv, '--max-semi-space-size=64'];
const CLEAR_LINE = '\r\u001b[K';
/** How many of the last characters on a worker's stderr are kept. */
const MAX_STDERR = 2_000;
/** The requirements whose variants slow the service down, and whose faults keep a request waiting. */
const SLOW = new Set(['SERV-5', 'LIM-3', 'LIST-13']);

/** Of the faults of each requirement, every nth is tried with all checks to their end. */
const WHOLE_EVERY = 4;

interface JobOptions {
  readonly seed: number;
  readonly profile: Profile;
  /**
   * Whether all checks run to their end on every fault, and not only on some faults of each requirement; on the others,
   * the run ends when a check of the requirement has found the fault.
   */
  readonly areWhole: boolean;
  /** Whether a failure of each fault is replayed. */
  readonly replays?: boolean;
}

/** A job for every fault and variant. Those that are likely to take long come first, so that none is left for the end. */
export function jobsFor(
  { faults, variants }: { readonly faults: readonly Fault[]; readonly variants: readonly Variant[] },
  { seed, profile, areWhole, replays = false }: JobOptions,
): readonly Job[] {
  const counts = new Map<string, number>();
  const endsWhenFound = (breaks: string): boolean => {
    const count = counts.get(breaks) ?? 0;
    counts.set(breaks, count + 1);
    return !areWhole && count % WHOLE_EVERY !== 0;
  };
  const options = { profile };
  const jobs = [
    ...variants.map(({ name, chooses }) => ({
      requirement: chooses,
      job: { kind: 'variant', name, seed, options } as const,
    })),
    ...faults.map(({ name, breaks }) => ({
      requirement: breaks,
      job: { kind: 'fault', name, seed, options, endsWhenFound: endsWhenFound(breaks), replays } as const,
    })),
  ];
  const isSlow = ({ requirement }: { requirement: string }) => Number(SLOW.has(requirement));
  return jobs.toSorted((one, other) => isSlow(other) - isSlow(one)).map(({ job }) => job);
}

interface TrialOptions {
  readonly workers: number;
  /** A terminal on which progress is redrawn in place; undefined for none. */
  readonly progress: Writable | undefined;
  readonly maxTimeMs?: number | undefined;
}

/**
 * Runs every job in one of a few worker processes, in the order given, until the time is up (ms). If a worker dies or
 * hangs, its job is reported as a failure of the suite itself, and the next job gets a new worker.
 */
export async function runTrials(
  jobs: readonly Job[],
  { workers, progress, maxTimeMs = Number.POSITIVE_INFINITY }: TrialOptions,
): Promise<readonly Trial[]> {
  let done = 0;
  const endsAt = performance.now() + maxTimeMs;
  const trials: Trial[] = [];
  // All workers take their jobs from this one iterator.
  const waiting = jobs.entries();
  const work = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (const [index, job] of waiting) {
      if (performance.now() >= endsAt) break;
      worker ??= startWorker();
      const trial = await runInWorker(worker, job);
      if (!worker.child.connected) worker = undefined;
      trials[index] = trial;
      done += 1;
      progress?.write(`${CLEAR_LINE}${done} of ${jobs.length} tried (${trial.name})`);
    }
    worker?.child.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(workers, jobs.length) }, work));
  progress?.write(CLEAR_LINE);
  return trials;
}

type Worker = ReturnType<typeof startWorker>;

const EXPIRED = 'expired';

function startWorker() {
  const child = fork(entryPoint('matrix-worker'), { execArgv: ROOMY, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] });
  let text = '';
  child.stderr?.on('data', (chunk: unknown) => {
    text = `${text}${String(chunk)}`.slice(-MAX_STDERR);
  });
  return { child, stderr: () => text.trim() };
}

async function runInWorker({ child, stderr }: Worker, job: Job): Promise<Trial> {
  const { kind, name } = job;
  const limit = job.replays === true ? REPLAYED_TIME_MS : TRIAL_TIME_MS;
  const started = performance.now();
  const settled = new AbortController();
  try {
    const closed = once(child, 'close', settled);
    const replied = once(child, 'message', settled);
    child.send(job);
    // Not even a worker that is gone unheard keeps the others waiting.
    const expired = after(limit, [EXPIRED], settled);
    const [first, second]: unknown[] = await Promise.race([replied, closed, expired]);
    if (isTrial(first)) return first;
    if (child.connected) child.disconnect();
    child.kill('SIGKILL');
    const reason =
      first === EXPIRED
        ? `it did not end within ${limit / 1_000} s`
        : `its worker exited (${second ?? first}): ${stderr()}`;
    const nothing = { exitCode: 2, failed: [], unjudged: [], isWhole: false, requests: 0 } as const;
    const milliseconds = Math.round(performance.now() - started);
    return { ...nothing, kind, name, suiteFaults: [`the trial was aborted: ${reason}`], milliseconds };
  } finally {
    settled.abort();
  }
}

const isTrial = (message: unknown): message is Trial =>
  typeof message === 'object' && message !== null && 'kind' in message && 'exitCode' in message;
