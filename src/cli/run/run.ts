import { join } from 'node:path';
import type { GitHubJob } from '../../report/github-job.ts';
import type { RunResult } from '../../report/model/result.ts';
import type { ConformanceOptions, RunConformance } from '../api/conformance-options.ts';
import type { ConformanceEvent } from '../api/events.ts';
import { runConformance } from '../api/index.ts';
import { RunAbortedError } from '../api/run-aborted.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions } from '../run-options.ts';
import { confirmCreations } from './confirm-creations.ts';
import { INTERRUPT_EXIT_CODES, type Interruption, listenForInterrupts, type SignalSource } from './interruption.ts';
import type { JudgedTarget } from './side-by-side.ts';
import { targetFolders } from './target-folder.ts';
import type { TerminalOutput } from './terminal-view.ts';

interface Streams {
  readonly stdin?: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Where the run is a step of a job: its page shows the results too. */
  readonly github?: GitHubJob | undefined;
}

/** What may be replaced: by tests, and where everything runs in one thread. */
export interface RunMachinery {
  readonly runConformance: RunConformance;
  readonly signals: SignalSource;
}

/** Worst first: of several targets, the exit code that says the most. */
const WORST_FIRST = [1, 2, 3, 0] as const;

/**
 * Judges each target in turn, shown on the terminal; several targets are shown side by side at the end.
 * @returns the exit code: 0 conforms · 1 violations · 2 internal error · 3 could not be judged · 129, 130 or 143 where the
 * user ended the run, and 2 where an error did that nothing has caught, whatever its verdict
 * @throws UsageError where an option names something that is not there, the user does not confirm, or a report cannot
 * be written
 */
export async function runCommand(
  targets: readonly RunOptions[],
  streams: Streams,
  machinery: RunMachinery = { runConformance, signals: process },
): Promise<number> {
  const { stdout, stderr, github } = streams;
  if (github !== undefined) stdout.write(github.begin());
  let hasBegun = false;
  const areReportsDue = (): boolean => hasBegun && targets.some(({ reports }) => reports.length > 0);
  const interruption = listenForInterrupts(stderr, machinery.signals, areReportsDue);
  try {
    const [first] = targets;
    if (first?.dryRun === true) {
      const { dryRun } = await import('./dry-run.ts');
      return await dryRun(first, targets.length, stdout, interruption);
    }
    const judged: JudgedTarget[] = [];
    const onBegin = (): void => {
      hasBegun = true;
    };
    const onJudged = (one: JudgedTarget): void => void judged.push(one);
    const judging = judgeEach(targets, streams, machinery, interruption, { onBegin, onJudged });
    await judging.catch((error: unknown) => {
      const isExpected = error instanceof UsageError || error instanceof RunAbortedError;
      if (interruption.by === undefined || !isExpected) throw error;
      if (error.code === 'file-unwritable') stderr.write(`${error.message}\n`);
    });
    if (judged.length > 1) {
      const { showSideBySide } = await import('./side-by-side.ts');
      await showSideBySide(judged, targets, stdout);
    }
    if (interruption.by !== undefined) return INTERRUPT_EXIT_CODES[interruption.by];
    return WORST_FIRST.find((code) => judged.some(({ result }) => result.exitCode === code)) ?? 2;
  } finally {
    interruption.end();
    if (github !== undefined) stdout.write(github.end());
  }
}

/** Judges each target in turn, until the user ends the run. */
async function judgeEach(
  targets: readonly RunOptions[],
  { stdin, stdout, stderr, github }: Streams,
  machinery: RunMachinery,
  interruption: Interruption,
  { onBegin, onJudged }: { readonly onBegin: () => void; readonly onJudged: (one: JudgedTarget) => void },
): Promise<void> {
  const onInterrupt = (): void => interruption.interrupt('SIGINT');
  await confirmCreations(targets, stdin === undefined ? undefined : { stdin, stdout, onInterrupt });
  onBegin();
  // One of several targets has a folder of its own in the report folder.
  const folders = targetFolders(targets.map(({ baseUrl = '' }) => baseUrl));
  for (const [at, target] of targets.entries()) {
    if (interruption.by !== undefined) return;
    const folder = folders[at] ?? '';
    const options = targets.length > 1 ? { ...target, reportDir: join(target.reportDir, folder) } : target;
    const { signal } = interruption;
    let ended: RunResult | undefined;
    const start = (listener: Listener) => {
      const onEvent: Listener = (event) => {
        if (event.type === 'run-ended') ended = event.result;
        listener(event);
      };
      return machinery.runConformance({ ...givenOf(options), signal, onEvent });
    };
    if (at > 0) stdout.write('\n');
    try {
      const result = await shown(options, { stdout, stderr, signal }, start).catch(resultOfAborted);
      onJudged({ result, folder });
    } finally {
      // The page of the job has the verdict even where a report could not be written.
      if (github !== undefined && ended !== undefined) {
        const { addToJob } = await import('./github.ts');
        await addToJob(github, ended, target, options.reportDir);
      }
    }
  }
}

type Listener = (event: ConformanceEvent) => void;

/** Shows a run. The view is loaded while the run begins, and then gets the events that it has missed. */
async function shown(
  options: RunOptions,
  output: TerminalOutput,
  start: (onEvent: Listener) => Promise<RunResult>,
): Promise<RunResult> {
  const missed: ConformanceEvent[] = [];
  let listener: Listener = (event) => void missed.push(event);
  const running = start((event) => listener(event));
  const loading = import('./terminal-view.ts').then(async ({ terminalView }) => {
    const view = await terminalView(options, output);
    missed.forEach(view.onEvent);
    listener = view.onEvent;
    return view;
  });
  try {
    const [result] = await Promise.all([running, loading]);
    return result;
  } finally {
    (await loading).close();
  }
}

/** The options of a run, without those of its terminal. */
function givenOf(options: RunOptions): ConformanceOptions {
  const {
    color: _color,
    interactive: _interactive,
    mayAsk: _mayAsk,
    output: _output,
    progressColor: _progressColor,
    dryRun: _dryRun,
    ...given
  } = options;
  return given;
}

/** What a run had judged when it was aborted. */
function resultOfAborted(error: unknown): RunResult {
  if (error instanceof RunAbortedError && error.result !== undefined) return error.result;
  throw error;
}
