import { join } from 'node:path';
import type { GitHubJob } from '../../report/github-job.ts';
import type { RunResult } from '../../report/model/result.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions } from '../run-options.ts';
import { confirmCreations } from './confirm-creations.ts';
import { INTERRUPT_EXIT_CODES, listenForInterrupts, type SignalSource } from './interruption.ts';
import { type PreparedRunner, prepareVitest } from './vitest-run.ts';

interface Streams {
  readonly stdin?: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Where the run is a step of a job: its page shows the results too. */
  readonly github?: GitHubJob | undefined;
}

/** What a test may replace. */
export interface RunMachinery {
  /** Called before a target is looked at. */
  readonly prepareRunner: () => PreparedRunner;
  readonly signals: SignalSource;
}

/** Worst first: of several targets, the exit code that says the most. */
const WORST_FIRST = [1, 2, 3, 0] as const;

/**
 * Judges each target in turn and writes its reports; several targets are shown side by side at the end.
 * @returns the exit code: 0 conforms · 1 violations · 2 internal error · 3 could not be judged · 130 or 143 where the
 * user ended the run, whatever its verdict
 * @throws UsageError where an option names something that is not there, or the user does not confirm
 */
export async function runCommand(
  targets: readonly RunOptions[],
  streams: Streams,
  { prepareRunner, signals }: RunMachinery = { prepareRunner: prepareVitest, signals: process },
): Promise<number> {
  const { stdin, stdout, stderr, github } = streams;
  if (github !== undefined) stdout.write(github.begin());
  const interruption = listenForInterrupts(stderr, signals);
  const results: RunResult[] = [];
  try {
    const [first] = targets;
    if (first?.dryRun === true) {
      const { dryRun } = await import('./dry-run.ts');
      return await dryRun(first, targets.length, stdout, interruption);
    }
    const onInterrupt = (): void => interruption.interrupt('SIGINT');
    await confirmCreations(targets, stdin === undefined ? undefined : { stdin, stdout, onInterrupt });
    for (const options of targets) {
      if (interruption.by !== undefined) break;
      // First, so that it loads what it needs while this thread loads the rest.
      const prepared = options.replay === undefined ? prepareRunner() : undefined;
      try {
        const { folderFor, runTarget } = await import('./target-run.ts');
        const isOneOfMany = targets.length > 1;
        if (results.length > 0) stdout.write('\n');
        const result = await runTarget({ options, isOneOfMany, stdout, stderr, runner: prepared?.run, interruption });
        results.push(result);
        if (github !== undefined) {
          const { addToJob } = await import('./github.ts');
          const { reportDir } = options;
          await addToJob(
            github,
            result,
            options,
            isOneOfMany ? join(reportDir, folderFor(result.target.baseUrl)) : reportDir,
          );
        }
      } finally {
        await prepared?.close();
      }
    }
  } catch (error) {
    if (interruption.by === undefined || !(error instanceof UsageError)) throw error;
  } finally {
    interruption.end();
    if (github !== undefined) stdout.write(github.end());
  }
  if (results.length > 1) {
    const { showSideBySide } = await import('./side-by-side.ts');
    await showSideBySide(results, targets, stdout);
  }
  if (interruption.by !== undefined) return INTERRUPT_EXIT_CODES[interruption.by];
  return WORST_FIRST.find((code) => results.some(({ exitCode }) => exitCode === code)) ?? 2;
}
