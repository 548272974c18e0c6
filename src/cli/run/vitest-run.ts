import { dirname } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { createVitest, Vitest } from 'vitest/node';
import { type Progress, stopReasonIn } from '../../engine/plan.ts';
import { entryPoint } from '../../entry-points.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import { ChecksThread } from './checks-thread.ts';
import { ConformanceReporter, type TestedChecks, type TestListener } from './conformance-reporter.ts';
import { GO, isProgress, openChannel, READY, type WorkerPlan } from './worker-channel.ts';

/** What a run of checks tells while it is under way. */
interface RunnerListener extends TestListener {
  readonly onProgress: (progress: Progress) => void;
}

/** Runs the checks of a plan. */
export type Runner = (
  given: WorkerPlan,
  options: RunnerListener & {
    /** Called once, when the last test has ended. */
    readonly onEnd: (tested: TestedChecks) => Promise<void>;
    /** When aborted, with a StopReason, nothing more is sent and the checks conclude with what they have. */
    readonly stop: AbortSignal;
  },
) => Promise<void>;

/** A runner that is being loaded, for one run. */
export interface PreparedRunner {
  readonly run: Runner;
  /** Called last, whether anything was run or not. */
  close(): Promise<void>;
}

/** Loads the test runner. */
type LoadVitest = () => Promise<{ readonly createVitest: typeof createVitest }>;

/**
 * Prepares to run the checks of a plan in vitest: one worker, so one connection pool, with all checks of a phase side
 * by side. The checks are loaded while the caller still looks at the target; nothing is sent before `run`.
 */
export function prepareVitest(load: LoadVitest = () => import('vitest/node')): PreparedRunner {
  const thread = new ChecksThread();
  const loading = load();
  // Where it cannot be loaded, the run says so.
  loading.catch(() => {});
  return {
    run: (given, options) => runInVitest(loading, thread, given, options),
    close: () => thread.stop(),
  };
}

async function runInVitest(
  loading: ReturnType<LoadVitest>,
  thread: ChecksThread,
  given: WorkerPlan,
  { onEnd, onProgress, stop, ...listener }: Parameters<Runner>[1],
): Promise<void> {
  const restore = rememberProcess();
  const { plan } = given;
  const channel = openChannel(plan, (message) => {
    if (isProgress(message)) onProgress(message);
    if (message !== READY) return;
    if (stop.aborted) askToStop();
    else channel.postMessage(GO);
  });
  const askToStop = (): void => channel.postMessage(stopReasonIn(stop.reason) ?? 'out-of-time');
  stop.addEventListener('abort', askToStop, { once: true });
  const reporter = new ConformanceReporter(plan.checks, onEnd, () => stop.aborted, listener);
  // An open channel would keep the process from ending, however this ends.
  try {
    const vitest = await vitestFor(await loading, thread, given, reporter);
    try {
      await vitest.start();
    } finally {
      await vitest.close();
    }
  } finally {
    stop.removeEventListener('abort', askToStop);
    channel.close();
    restore();
  }
}

/** A vitest that runs the checks of a plan in a thread. */
async function vitestFor(
  { createVitest }: Awaited<ReturnType<LoadVitest>>,
  thread: ChecksThread,
  given: WorkerPlan,
  reporter: ConformanceReporter,
): Promise<Vitest> {
  const testFile = entryPoint('checks.vitest');
  return withoutSignalListeners(() =>
    createVitest(
      'test',
      {
        config: false,
        watch: false,
        root: fileURLToPath(PACKAGE_ROOT),
        dir: dirname(testFile),
        include: [testFile],
        // By default vitest leaves out whatever is in a folder named dist.
        exclude: [],
        cache: false,
        provide: { conformance: given },
        pool: { name: thread.name, createPoolWorker: () => thread },
        runner: testFile,
        isolate: false,
        experimental: { viteModuleRunner: false, nodeLoader: false },
        maxWorkers: 1,
        maxConcurrency: given.plan.checks.length + 1,
        testTimeout: 0,
        hookTimeout: 0,
        reporters: [reporter],
      },
      {},
      { stdout: plainOutput() },
    ),
  );
}

/** What vitest sets for a process that runs nothing but tests. */
const SET_BY_VITEST = ['TEST', 'VITEST', 'NODE_ENV'] as const;

/** Notes what vitest changes in the process. @returns a function that puts it back */
function rememberProcess(): () => void {
  const variables = SET_BY_VITEST.map((name) => [name, process.env[name]] as const);
  // Set where a test failed; what the program exits with is the verdict's, which a baseline may change.
  const { exitCode } = process;
  return () => {
    process.exitCode = exitCode;
    for (const [name, value] of variables) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}

/** On a terminal vitest would hide the cursor, by codes that a dumb one prints. */
function plainOutput(): Writable {
  return new Writable({ write: (chunk, _encoding, done) => void process.stdout.write(chunk, () => done()) });
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** vitest would end the process at a signal, but an interrupted run still writes its reports. */
async function withoutSignalListeners<T>(create: () => Promise<T>): Promise<T> {
  const before = SIGNALS.flatMap((signal) => process.listeners(signal));
  try {
    return await create();
  } finally {
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
    }
  }
}
