import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { createVitest, type TestCase } from 'vitest/node';
import type { Progress } from '../../engine/judge.ts';
import type { JudgedCheck, Plan, Telemetry } from '../../engine/plan.ts';
import { channelOf, GO, payloadOf, READY, stopReasonIn } from './worker-channel.ts';

const ENTRY = fileURLToPath(new URL('./checks.vitest.ts', import.meta.url));
const LOADER = new URL('../typescript.mjs', import.meta.url).href;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface Driven {
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry | undefined;
  /** Faults of the suite itself, outside any check. */
  readonly faults: readonly string[];
}

export interface DriveOptions {
  readonly onProgress: (progress: Progress) => void;
  /** When aborted, with a StopReason, nothing more is sent and the checks conclude with what they have. */
  readonly stop: AbortSignal;
}

/** Runs the checks of a plan. */
export type Drive = (plan: Plan, options: DriveOptions) => Promise<Driven>;

/** Runs the checks of a plan in vitest: one worker, so one connection pool, all checks side by side. */
export const driveVitest: Drive = async (plan, { onProgress, stop }) => {
  const checks = new Map<string, JudgedCheck>();
  const faults: string[] = [];
  let telemetry: Telemetry | undefined;
  const channel = new BroadcastChannel(channelOf(plan));
  const askToStop = (): void => channel.postMessage(stopReasonIn(stop.reason) ?? 'out-of-time');
  channel.onmessage = (event: unknown) => {
    const payload = payloadOf(event);
    if (isProgress(payload)) onProgress(payload);
    if (payload !== READY) return;
    if (stop.aborted) askToStop();
    else channel.postMessage(GO);
  };
  stop.addEventListener('abort', askToStop, { once: true });
  const vitest = await withoutSignalListeners(() =>
    createVitest('test', {
      config: false,
      watch: false,
      root: ROOT,
      dir: dirname(ENTRY),
      include: [ENTRY],
      cache: false,
      provide: { plan },
      pool: 'threads',
      isolate: false,
      execArgv: ['--import', LOADER],
      experimental: { viteModuleRunner: false, nodeLoader: false },
      maxWorkers: 1,
      maxConcurrency: plan.checks.length + 1,
      testTimeout: 0,
      reporters: [
        {
          onTestCaseResult(test: TestCase) {
            const meta = test.meta();
            if (meta.judged !== undefined) checks.set(test.name, meta.judged);
            telemetry = meta.telemetry ?? telemetry;
            faults.push(...(meta.telemetry?.faults ?? []));
            const result = test.result();
            if (result.state === 'failed')
              faults.push(...result.errors.map(({ message }) => `${test.name}: ${message}`));
          },
          onTestRunEnd(modules, errors) {
            const collected = modules.flatMap((module) => module.errors());
            faults.push(...[...errors, ...collected].map(({ message, stack }) => stack ?? message));
          },
        },
      ],
    }),
  );
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
};

/** vitest ends the process at a signal; here the run ends itself, with its reports. */
async function withoutSignalListeners<T>(create: () => Promise<T>): Promise<T> {
  const before = SIGNALS.map((signal) => new Set(process.listeners(signal)));
  const created = await create();
  for (const [at, signal] of SIGNALS.entries()) {
    for (const listener of process.listeners(signal)) {
      if (before[at]?.has(listener) !== true) process.off(signal, listener);
    }
  }
  return created;
}

function isProgress(data: unknown): data is Progress {
  return typeof data === 'object' && data !== null && 'done' in data && 'running' in data;
}
