import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PREFLIGHT_REQUESTS } from '../../engine/preflight.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import type { Profile } from '../../report/model/result.ts';
import { readResult } from '../../report/read-result.ts';
import { type Command, type Ended, runCommand } from './command.ts';
import type { Phases, Sample } from './result.ts';
import { BENCH_KEY, type BenchService, type ServiceReading } from './service.ts';
import { processorSince } from './usage.ts';

const PROGRAM = fileURLToPath(new URL('src/cli/petstore-conformance.mjs', PACKAGE_ROOT));

/** How much of the output of a command explains its failure, in characters. */
const TOLD_OUTPUT = 2_000;

export interface SuiteRun {
  readonly profile: Profile;
  readonly seed: number;
  /** The base address of the service; the embedded one without it. */
  readonly baseUrl?: string | undefined;
  /** Whether npm starts the command, as users type it. */
  readonly throughNpm?: boolean;
  /** The date that is tested with; today by default. */
  readonly today?: string | undefined;
}

/** The command of a run of the suite; its reports go to the folder where it is started. */
export function suiteCommand({ profile, seed, baseUrl, throughNpm, today }: SuiteRun, folder: string): Command {
  const options = ['--profile', profile, '--seed', `${seed}`, '--report-dir', folder];
  if (baseUrl !== undefined) options.push('--base-url', baseUrl);
  if (today !== undefined) options.push('--today', today);
  const env = { PETSTORE_API_KEY: BENCH_KEY };
  if (throughNpm === true) {
    return { program: 'npm', args: ['test', '--', ...options], env, cwd: fileURLToPath(PACKAGE_ROOT) };
  }
  return { program: process.execPath, args: [PROGRAM, ...options], env };
}

/** Runs the suite on the embedded service and takes its measures. */
export async function measureEmbedded(run: SuiteRun, scratch: string, reportDir: string): Promise<Sample> {
  const ended = await runCommand(suiteCommand(run, reportDir), scratch);
  expectSuccess(ended);
  const { summary } = await readResult(join(reportDir, 'conformance.json'));
  return { ...sampleOf(ended), requests: summary.requests, created: summary.creations };
}

/** Runs a command that sends requests to this service, and takes its measures. */
export async function measureWith(service: BenchService, command: Command, scratch: string): Promise<Sample> {
  await service.takeReading();
  const ended = await runCommand(command, scratch);
  expectSuccess(ended);
  return sampleSeenBy(await service.takeReading(), ended);
}

/** What was measured of a command, with what the service saw of it. */
export function sampleSeenBy(reading: ServiceReading, ended: Ended): Sample {
  const { requests, created } = reading;
  const first = firstOfChecks(reading);
  const { usage } = ended;
  return {
    ...sampleOf(ended),
    processorAfterStart: first === undefined || usage === undefined ? undefined : processorSince(first, usage),
    phases: phasesOf(reading, ended),
    requests,
    created,
  };
}

/** Loading goes on while the preflight is answered, so that its request is part of the start. */
const firstOfChecks = ({ arrivals }: ServiceReading): number | undefined => arrivals[PREFLIGHT_REQUESTS];

function phasesOf(reading: ServiceReading, { startedAt, endedAt }: Ended): Phases | undefined {
  const first = firstOfChecks(reading);
  const { lastAt } = reading;
  if (first === undefined || lastAt === undefined) return undefined;
  return { start: first - startedAt, inside: lastAt - first, end: endedAt - lastAt };
}

function sampleOf({ startedAt, endedAt, usage, output }: Ended): Sample {
  if (usage === undefined)
    throw new Error(`A measured command left no account of its processor time:\n${output.slice(-TOLD_OUTPUT)}`);
  const { processor, peakBytes } = usage;
  return { wall: endedAt - startedAt, processor, peakBytes };
}

/** A figure of a run that failed would be a figure of something else. */
function expectSuccess({ exitCode, output }: Ended): void {
  if (exitCode === 0) return;
  const how = exitCode === undefined ? 'was ended at the time limit' : `ended with exit code ${exitCode}`;
  throw new Error(
    `A measured command ${how}, so there is nothing to compare. The end of its output:\n${output.slice(-TOLD_OUTPUT)}`,
  );
}
