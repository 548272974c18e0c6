import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CHECKS } from '../../suites/index.ts';
import type { Check } from '../check/check.ts';
import { loadCatalogue } from '../contract/catalogue.ts';
import { renderMatrix } from '../report/matrix.ts';
import type { CheckResult, RunResult } from '../report/model.ts';
import { createProgress } from '../report/progress.ts';
import { createRedactor } from '../report/redact.ts';
import { replayFileName } from '../report/replay-files.ts';
import { terminalReport } from '../report/terminal.ts';
import { reportError, writeReports } from '../report/write.ts';
import { assemble, type Findings, type RunFacts } from './assemble.ts';
import { readBaseline } from './baseline.ts';
import { driveVitest } from './drive-vitest.ts';
import type { RunOptions } from './options.ts';
import { type JudgedCheck, type Plan, planOf } from './plan.ts';
import { preflight } from './preflight.ts';
import { type ReplayRecord, readReplay, replayRecord } from './replay.ts';
import { selectChecks } from './selection.ts';
import { UsageError } from './usage-error.ts';

interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** Worst first: of several targets, the exit code that says the most. */
const WORST_FIRST: readonly RunResult['exitCode'][] = [1, 2, 3, 0];

/**
 * Judges each target in turn and writes its reports; several targets are shown side by side in the end.
 *
 * @returns the exit code: 0 conforms · 1 violations · 2 suite fault · 3 could not be judged
 * @throws UsageError where an option names something that is not there
 */
export async function runCommand(targets: readonly RunOptions[], streams: Streams): Promise<number> {
  const results: RunResult[] = [];
  for (const options of targets) results.push(await runTarget(options, targets.length > 1, streams));
  if (results.length > 1) streams.stdout.write(`\n${renderMatrix(results)}\n`);
  return WORST_FIRST.find((code) => results.some(({ exitCode }) => exitCode === code)) ?? 2;
}

async function runTarget(given: RunOptions, isOneOfMany: boolean, streams: Streams): Promise<RunResult> {
  const catalogue = loadCatalogue();
  const baseline =
    given.expectedFailures === undefined
      ? undefined
      : { file: given.expectedFailures, ids: readBaseline(given.expectedFailures, catalogue) };
  const replay = given.replay === undefined ? undefined : readReplay(given.replay);
  const options = replay === undefined ? given : { ...given, seed: replay.seed, profile: replay.profile };
  const selected = selectedChecks(options, replay);
  const startedAt = new Date();
  const started = performance.now();
  const runId = randomUUID();
  const version = readVersion();
  const redact = createRedactor([options.token, ...options.headers.map(({ value }) => value)]);
  const service = options.baseUrl === undefined ? await startEmbedded(options) : undefined;
  const baseUrl = options.baseUrl ?? service?.baseUrl ?? '';
  try {
    const plan = planOf(options, {
      runId,
      baseUrl,
      userAgent: `petstore-conformance/${version} (seed ${options.seed})`,
      checks: selected.map(({ id }) => id),
      replay: replay?.target,
    });
    const { findings, judged } = await look(plan, options);
    const facts: RunFacts = {
      options,
      runId,
      version,
      baseUrl,
      startedAt,
      milliseconds: performance.now() - started,
      baseline,
    };
    const reportDir = isOneOfMany ? join(options.reportDir, folderFor(baseUrl)) : options.reportDir;
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
  const { startReference } = await import('../reference/index.ts');
  return startReference({ token: options.token, seed: options.seed });
}

async function look(
  plan: Plan,
  options: RunOptions,
): Promise<{ findings: Findings; judged: readonly JudgedCheck[] }> {
  const nothing = { checks: [], telemetry: undefined, notes: [], faults: [] };
  const stop = new AbortController();
  const seen = await preflight(plan, options.waitForMs, stop.signal);
  if (seen.kind === 'unjudgeable') return { findings: { ...nothing, unjudgeable: seen.sentence }, judged: [] };
  const progress = createProgress({
    stream: process.stderr,
    interactive: options.interactive,
    color: options.color,
    quiet: options.output === 'quiet',
  });
  try {
    const driven = await driveVitest(plan, { onProgress: progress.update, stop: stop.signal });
    const notes =
      driven.telemetry?.outOfTime === true
        ? [`The time budget (--max-time ${plan.maxTimeMs / 1_000}) ended the run before everything was judged.`]
        : [];
    return { findings: { ...driven, checks: driven.checks.map(({ result }) => result), notes }, judged: driven.checks };
  } finally {
    progress.finish();
  }
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
  await writeReports(result, { formats, dir, redact, traffic: telemetry?.traffic ?? [] });
  try {
    if (options.replay === undefined) await rm(join(dir, 'failures'), { recursive: true, force: true });
    for (const { result: check, replay } of judged) {
      if (replay === undefined) continue;
      const file = join(dir, replayFileName(check.id));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, redact(`${JSON.stringify(replayRecord(check.id, seed, profile, replay), null, 2)}\n`));
    }
    const ledger = (telemetry?.created ?? []).map((animal) => `${JSON.stringify(animal)}\n`);
    await writeFile(join(dir, 'created.jsonl'), redact(ledger.join('')));
  } catch (error) {
    throw reportError(error, dir);
  }
}

function folderFor(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\//, '').replace(/[^A-Za-z0-9.-]+/g, '_');
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version: unknown =
    typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, 'version') : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
