import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CHECKS } from '../../../suites/index.ts';
import { assemble, type Findings, type RunFacts } from '../../engine/assemble.ts';
import { readBaseline } from '../../engine/baseline.ts';
import { loadCatalogue } from '../../engine/catalogue.ts';
import type { Check } from '../../engine/check.ts';
import { driveHere } from '../../engine/drive-here.ts';
import type { RunOptions } from '../../engine/options.ts';
import {
  creationBudget,
  type JudgedCheck,
  type Plan,
  planOf,
  type StopReason,
  type Telemetry,
} from '../../engine/plan.ts';
import { preflight } from '../../engine/preflight.ts';
import { type ReplayRecord, readReplay, replayRecord } from '../../engine/replay.ts';
import { selectChecks } from '../../engine/selection.ts';
import { soakNotes } from '../../engine/soak-notes.ts';
import { PARTS } from '../../petstore/parts.ts';
import { renderMatrix } from '../../report/formats/matrix.ts';
import { createProgress } from '../../report/formats/progress.ts';
import { terminalReport } from '../../report/formats/terminal.ts';
import type { CheckResult, RunResult } from '../../report/model/result.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import { replayFileName } from '../../report/replay-files.ts';
import { UsageError } from '../errors.ts';
import { confirmCreations } from './confirm-creations.ts';
import { type Drive, driveVitest } from './drive-vitest.ts';
import { describeDryRun } from './dry-run.ts';
import {
  INTERRUPT_EXIT_CODES,
  type Interrupt,
  type Interruption,
  listenForInterrupts,
  type SignalSource,
} from './interruption.ts';
import { secretsOf } from './secrets.ts';

interface Streams {
  readonly stdin?: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** What a run is made of that a test may put something else in the place of. */
export interface Machinery {
  readonly drive: Drive;
  readonly signals: SignalSource;
}

const USUAL: Machinery = { drive: driveVitest, signals: process };

/** Worst first: of several targets, the exit code that says the most. */
const WORST_FIRST: readonly RunResult['exitCode'][] = [1, 2, 3, 0];

/**
 * Judges each target in turn and writes its reports; several targets are shown side by side in the end.
 *
 * @returns the exit code: 0 conforms · 1 violations · 2 suite fault · 3 could not be judged · 130 or 143 where the
 * user ended the run, whatever its verdict
 * @throws UsageError where an option names something that is not there, or the user does not want what it would do
 */
export async function runCommand(
  targets: readonly RunOptions[],
  streams: Streams,
  { drive, signals }: Machinery = USUAL,
): Promise<number> {
  const interruption = listenForInterrupts(streams.stderr, signals);
  const results: RunResult[] = [];
  try {
    const [first] = targets;
    if (first?.dryRun === true) return await dryRun(first, targets.length, streams, interruption);
    const { stdin, stdout } = streams;
    const terminal =
      stdin === undefined ? undefined : { stdin, stdout, onInterrupt: () => interruption.interrupt('SIGINT') };
    await confirmCreations(targets, terminal);
    for (const options of targets) {
      if (interruption.by === undefined) {
        results.push(await runTarget(options, targets.length > 1, streams, drive, interruption));
      }
    }
  } catch (error) {
    if (interruption.by === undefined || !(error instanceof UsageError)) throw error;
  } finally {
    interruption.end();
  }
  if (results.length > 1) streams.stdout.write(`\n${renderMatrix(results)}\n`);
  if (interruption.by !== undefined) return INTERRUPT_EXIT_CODES[interruption.by];
  return WORST_FIRST.find((code) => results.some(({ exitCode }) => exitCode === code)) ?? 2;
}

async function runTarget(
  given: RunOptions,
  isOneOfMany: boolean,
  streams: Streams,
  drive: Drive,
  interruption: Interruption,
): Promise<RunResult> {
  const startedAt = new Date();
  const started = performance.now();
  const catalogue = loadCatalogue(PARTS);
  const baseline =
    given.expectedFailures === undefined
      ? undefined
      : { file: given.expectedFailures, ids: readBaseline(given.expectedFailures, catalogue) };
  const { options, checks, replay } = whatToRun(given);
  const runId = randomUUID();
  const version = readVersion();
  const redact = createRedactor(secretsOf(options));
  const service = options.baseUrl === undefined ? await startEmbedded(options) : undefined;
  const baseUrl = options.baseUrl ?? service?.baseUrl ?? '';
  const reportDir = isOneOfMany ? join(options.reportDir, folderFor(baseUrl)) : options.reportDir;
  try {
    const ledgerFile = creationBudget(options) === 0 ? undefined : await ledgerIn(reportDir, service !== undefined);
    const userAgent = userAgentOf(version, options);
    const plan = planOf(options, { runId, baseUrl, userAgent, checks, replay: replay?.target, ledgerFile });
    const { findings, judged } = await look(plan, options, drive, interruption, started);
    const facts: RunFacts = {
      options,
      runId,
      version,
      baseUrl,
      startedAt,
      milliseconds: performance.now() - started,
      interrupted: interruption.by,
      baseline,
    };
    const result = assemble(catalogue, facts, withReplayFiles(findings));
    await writeAll(result, judged, findings, { ...options, reportDir }, redact);
    const text = terminalReport(result, {
      color: options.color,
      output: options.output,
      reportDir,
      written: options.reports.length > 0,
    });
    streams.stdout.write(redact(text));
    return result;
  } finally {
    await service?.stop();
  }
}

/** Carries the plan out on the embedded reference service and prints what it took; nothing goes to any target. */
async function dryRun(
  given: RunOptions,
  targets: number,
  streams: Streams,
  interruption: Interruption,
): Promise<number> {
  const { options, checks, replay } = whatToRun(given);
  const service = await startEmbedded(options);
  try {
    // Nothing that concerns the way to the target, and no further headers: they are the target's.
    const here: RunOptions = {
      ...options,
      baseUrl: service.baseUrl,
      headers: [],
      rateLimit: { kind: 'none' },
      caFile: undefined,
      insecure: false,
      certFile: undefined,
      unixSocket: undefined,
      proxies: undefined,
      soakMs: undefined,
      reports: [],
    };
    const userAgent = userAgentOf(readVersion(), options);
    const plan = planOf(here, {
      runId: randomUUID(),
      baseUrl: service.baseUrl,
      userAgent,
      checks,
      replay: replay?.target,
    });
    const driven = await driveHere(plan, { onProgress: () => {}, stop: interruption.signal });
    if (interruption.by !== undefined) return INTERRUPT_EXIT_CODES[interruption.by];
    streams.stdout.write(describeDryRun(driven, plan, options, targets));
    return 0;
  } finally {
    await service.stop();
  }
}

/** What a run consists of; a replay brings its own seed, profile and check. */
function whatToRun(given: RunOptions): {
  readonly options: RunOptions;
  readonly checks: readonly string[];
  readonly replay: ReplayRecord | undefined;
} {
  const replay = given.replay === undefined ? undefined : readReplay(given.replay);
  const options = replay === undefined ? given : { ...given, seed: replay.seed, profile: replay.profile };
  return { options, replay, checks: selectedChecks(options, replay).map(({ id }) => id) };
}

/** The run is named by its seed, not by its id: with the same seed a service gets the same requests to the letter. */
function userAgentOf(version: string, { seed }: RunOptions): string {
  return `petstore-conformance/${version} (run with seed ${seed})`;
}

/**
 * Where the animals of a run are noted. What earlier runs left at a target is still there, so their lines stay; the
 * animals of the embedded service are gone with it.
 *
 * @throws ReportError where the folder cannot be made
 */
async function ledgerIn(dir: string, isEmbedded: boolean): Promise<string> {
  const file = resolve(dir, 'created.jsonl');
  try {
    await mkdir(dir, { recursive: true });
    if (isEmbedded) await rm(file, { force: true });
  } catch (error) {
    const { reportError } = await reportWriters();
    throw reportError(error, dir);
  }
  return file;
}

function reportWriters() {
  return import('../../report/write.ts');
}

function selectedChecks(options: RunOptions, replay: ReplayRecord | undefined): readonly Check[] {
  if (replay !== undefined) {
    const check = CHECKS.find(({ id }) => id === replay.check);
    if (check === undefined)
      throw new UsageError(
        'requirement-unknown',
        `--replay: there is no check ${replay.check} any more; run the suite again`,
      );
    return [check];
  }
  const selected = selectChecks(CHECKS, options.only, options.skip);
  if (selected.length > 0) return selected;
  throw new UsageError(
    'nothing-selected',
    '--only and --skip leave no check to run; a requirement that cannot be tested has none (npm test -- list)',
  );
}

async function startEmbedded(options: RunOptions) {
  const { startReference } = await import('../../reference/index.ts');
  return startReference({ token: options.token, seed: options.seed });
}

async function look(
  plan: Plan,
  options: RunOptions,
  drive: Drive,
  interruption: Interruption,
  started: number,
): Promise<{ findings: Findings; judged: readonly JudgedCheck[] }> {
  const nothing = { checks: [], telemetry: undefined, notes: [], faults: [] };
  // The budget is that of the whole run, with the wait for the target and the start of the test runner.
  const stop = new AbortController();
  const endBudget = (): void => stop.abort('out-of-time' satisfies StopReason);
  const endByUser = (): void => stop.abort(interruption.signal.reason);
  const timer = setTimeout(endBudget, Math.max(0, started + plan.maxTimeMs - performance.now()));
  interruption.signal.addEventListener('abort', endByUser, { once: true });
  if (interruption.signal.aborted) endByUser();
  const progress = createProgress({
    stream: process.stderr,
    interactive: options.interactive,
    color: options.color,
    quiet: options.output === 'quiet',
  });
  try {
    const seen = await preflight(plan, options.waitForMs, stop.signal);
    if (seen.kind === 'unjudgeable') return { findings: { ...nothing, unjudgeable: seen.sentence }, judged: [] };
    // Loaded while the service answers, not while the user waits for the first or the last line.
    if (options.reports.length > 0) setImmediate(reportWriters);
    const driven = await drive(plan, { onProgress: progress.update, stop: stop.signal });
    const notes = notesOn(driven.telemetry, plan, interruption.by);
    return { findings: { ...driven, checks: driven.checks.map(({ result }) => result), notes }, judged: driven.checks };
  } finally {
    clearTimeout(timer);
    interruption.signal.removeEventListener('abort', endByUser);
    progress.finish();
  }
}

function notesOn(telemetry: Telemetry | undefined, plan: Plan, by: Interrupt | undefined): readonly string[] {
  const ended =
    telemetry?.stopped === undefined
      ? []
      : telemetry.stopped === 'out-of-time'
        ? [`The time budget (--max-time ${plan.maxTimeMs / 1_000}) ended the run before everything was judged.`]
        : [`The run was interrupted (${by ?? 'SIGINT'}) before everything was judged.`];
  return [...ended, ...(telemetry?.soak === undefined ? [] : soakNotes(telemetry.soak)), ...(telemetry?.remarks ?? [])];
}

/** Names in each failure the file with which it can be replayed. */
function withReplayFiles(findings: Findings): Findings {
  const named = (check: CheckResult): CheckResult => {
    if (check.outcome.kind !== 'failed') return check;
    const violations = check.outcome.violations.map((violation) => ({
      ...violation,
      replay: replayFileName(check.id),
    }));
    return { ...check, outcome: { kind: 'failed', violations } };
  };
  return { ...findings, checks: findings.checks.map(named) };
}

async function writeAll(
  result: RunResult,
  judged: readonly JudgedCheck[],
  { telemetry }: Findings,
  options: RunOptions,
  redact: (text: string) => string,
): Promise<void> {
  const { reportDir: dir, reports: formats, seed, profile } = options;
  if (formats.length === 0) return;
  const { reportError, writeReports } = await reportWriters();
  await writeReports(result, { formats, dir, redact, traffic: telemetry?.traffic ?? [] });
  try {
    if (options.replay === undefined) await rm(join(dir, 'failures'), { recursive: true, force: true });
    for (const { result: check, replay } of judged) {
      if (replay === undefined) continue;
      const file = join(dir, replayFileName(check.id));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, redact(`${JSON.stringify(replayRecord(check.id, seed, profile, replay), null, 2)}\n`));
    }
  } catch (error) {
    throw reportError(error, dir);
  }
}

function folderFor(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '').replace(/[^A-Za-z0-9.-]+/g, '_');
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  const version: unknown =
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
