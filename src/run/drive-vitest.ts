import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest, type TestCase } from 'vitest/node';
import type { Progress } from './judge.ts';
import type { JudgedCheck, Plan, Telemetry } from './plan.ts';
import { channelOf, STOP } from './worker-channel.ts';

const ENTRY = fileURLToPath(new URL('./checks.vitest.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Driven {
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry | undefined;
  /** Faults of the suite itself, outside any check. */
  readonly faults: readonly string[];
}

export interface DriveOptions {
  readonly onProgress: (progress: Progress) => void;
  /** When aborted, nothing more is sent and the checks conclude with what they have. */
  readonly stop: AbortSignal;
}

/** Runs the checks of a plan in vitest: one worker, so one connection pool, all checks side by side. */
export async function driveVitest(plan: Plan, { onProgress, stop }: DriveOptions): Promise<Driven> {
  const checks = new Map<string, JudgedCheck>();
  const faults: string[] = [];
  let telemetry: Telemetry | undefined;
  const channel = new BroadcastChannel(channelOf(plan));
  channel.onmessage = (message: unknown) => {
    const progress = progressIn(message);
    if (progress !== undefined) onProgress(progress);
  };
  const askToStop = (): void => channel.postMessage(STOP);
  stop.addEventListener('abort', askToStop, { once: true });
  const vitest = await createVitest('test', {
    config: false,
    watch: false,
    root: ROOT,
    dir: dirname(ENTRY),
    include: [ENTRY],
    cache: false,
    provide: { plan },
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    maxConcurrency: plan.checks.length + 1,
    testTimeout: 0,
    reporters: [
      {
        onTestCaseResult(test: TestCase) {
          const meta = test.meta();
          if (meta.judged !== undefined) checks.set(test.name, meta.judged);
          telemetry = meta.telemetry ?? telemetry;
          const result = test.result();
          if (result.state === 'failed') faults.push(...result.errors.map(({ message }) => `${test.name}: ${message}`));
        },
        onTestRunEnd(modules, errors) {
          const collected = modules.flatMap((module) => module.errors());
          faults.push(...[...errors, ...collected].map(({ message, stack }) => stack ?? message));
        },
      },
    ],
  });
  try {
    await vitest.start();
  } finally {
    stop.removeEventListener('abort', askToStop);
    await vitest.close();
    channel.close();
    // vitest sets an exit code for failing tests; the verdict decides that here.
    process.exitCode = undefined;
  }
  return { checks: plan.checks.flatMap((id) => checks.get(id) ?? []), telemetry, faults: [...new Set(faults)] };
}

function progressIn(message: unknown): Progress | undefined {
  const data: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'data') : undefined;
  return isProgress(data) ? data : undefined;
}

function isProgress(data: unknown): data is Progress {
  return typeof data === 'object' && data !== null && 'done' in data && 'running' in data;
}
