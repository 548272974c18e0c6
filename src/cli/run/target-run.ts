import { join } from 'node:path';
import type { Catalogue } from '../../engine/catalogue.ts';
import { creationBudget, type Plan, type StopReason } from '../../engine/plan.ts';
import { preflight } from '../../engine/preflight.ts';
import { type RunFacts, runResult } from '../../engine/run-result.ts';
import { suiteVersion } from '../../package.ts';
import { INTERFACE_VERSION } from '../../petstore/interface-version.prebuilt.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { createProgress, type Progress } from '../../report/formats/progress.ts';
import { terminalReport } from '../../report/formats/terminal.ts';
import { isExpired } from '../../report/model/baseline.ts';
import type { ExchangeEvidence, Replay, RunResult } from '../../report/model/result.ts';
import { createRedactor } from '../../report/redact/redact.ts';
import type { OpenHistory } from '../commands/stored-history.ts';
import { type RunOptions, shownOptions } from '../run-options.ts';
import { terminalColumns } from '../terminal.ts';
import type { TestedChecks } from './conformance-reporter.ts';
import type { Interruption } from './interruption.ts';
import { ledgerOf } from './ledger.ts';
import { notesOn, notesOnReplay } from './notes.ts';
import { planOf, type Selection, selectOrReplay, withTimeLeft } from './plan.ts';
import { prepareLedger, withReplayFile, writeRun } from './reports.ts';
import { secretsOf } from './secrets.ts';
import type { Runner } from './vitest-run.ts';

export interface TargetRunParts {
  readonly options: RunOptions;
  /** One of several targets gets a folder of its own in the report folder. */
  readonly isOneOfMany: boolean;
  readonly stdout: NodeJS.WritableStream;
  /** For progress. */
  readonly stderr: NodeJS.WritableStream;
  /** Runs the checks; a replay needs none. */
  readonly runner: Runner | undefined;
  readonly interruption: Interruption;
}

interface Tested extends TestedChecks {
  /** Where a recorded failure was replayed. */
  readonly replay?: Replay;
  /** Why the target could not be judged at all. */
  readonly unjudgeable?: string;
  /** What was sent then, and what came back. */
  readonly look?: readonly ExchangeEvidence[];
}

/**
 * Judges one target: looks at it, runs the checks, writes the reports and prints the verdict.
 * @throws UsageError where an option names something that is not there
 */
export async function runTarget(parts: TargetRunParts): Promise<RunResult> {
  const { isOneOfMany, stdout, stderr, interruption } = parts;
  const service = PET_STORE_OUTLINE;
  const { description } = service;
  const catalogue = service.loadCatalogue();
  const baseline = await baselineOf(parts.options, catalogue);
  const history = await historyOf(parts.options);
  const selection = await selectOrReplay(parts.options, service);
  const { options } = selection;
  const embedded = options.baseUrl === undefined ? await startEmbedded(options) : undefined;
  const baseUrl = options.baseUrl ?? embedded?.baseUrl ?? '';
  const reportDir = isOneOfMany ? join(options.reportDir, folderFor(baseUrl)) : options.reportDir;
  const redact = createRedactor(secretsOf(options, service));
  try {
    const ledgerFile =
      creationBudget(options) === 0 ? undefined : await prepareLedger(reportDir, embedded !== undefined);
    const startedAt = new Date();
    const day = startedAt.toISOString().slice(0, 10);
    const counting = baseline?.entries.filter((entry) => !isExpired(entry, day)) ?? [];
    const expectedViolations = counting.flatMap(({ checks }) => checks);
    const plan = planOf(selection, service, { baseUrl, ledgerFile, expectedViolations });
    const started = performance.now();
    const { color, output, reports, interactive, progressColor } = options;
    const progress = createProgress({ stream: stderr, interactive, color: progressColor, quiet: output === 'quiet' });
    let result: RunResult | undefined;
    await judge(plan, { ...parts, options, selection, redact, progress }, async (tested) => {
      const { checks: judged, telemetry } = tested;
      const { by } = interruption;
      const facts: RunFacts = {
        suite: { name: description.program, version: suiteVersion(), specification: INTERFACE_VERSION },
        run: {
          id: plan.runId,
          seed: options.seed,
          profile: options.profile,
          startedAt,
          milliseconds: performance.now() - started,
          options: shownOptions(options),
          minJudged: options.minJudged,
          ...(by === undefined ? {} : { interrupted: by }),
          ...(plan.shard === undefined ? {} : { shard: plan.shard }),
        },
        target: { baseUrl, embedded: embedded !== undefined },
        baseline,
      };
      const { replay } = tested;
      const notes = [
        ...notesOn(telemetry, plan, description, by),
        ...(history?.damaged ?? []),
        ...(replay === undefined ? [] : notesOnReplay(replay)),
      ];
      result = runResult(catalogue, facts, { ...tested, checks: judged.map(withReplayFile), notes });
      const writing = { dir: reportDir, service: description, redact, history: history?.runs };
      await writeRun(result, tested, options, selection.replay, writing);
      await history?.add(result, redact);
      progress.finish();
      const written = reports.length > 0;
      const look = { color, output, columns: terminalColumns(stdout) };
      stdout.write(terminalReport(result, { service: description, ...look, reportDir, written, redact }));
    });
    if (result === undefined) throw new Error('the test runner ended without a result');
    return result;
  } finally {
    await embedded?.stop();
  }
}

interface Judging extends TargetRunParts {
  readonly selection: Selection;
  readonly redact: (text: string) => string;
  readonly progress: Progress;
}

/** Looks at the target and, if it can be judged, runs the checks; `onEnd` is given what they found. */
async function judge(
  plan: Plan,
  { options, selection, runner, interruption, redact, progress }: Judging,
  onEnd: (tested: Tested) => Promise<void>,
): Promise<void> {
  const started = performance.now();
  // The time budget is that of the whole run, with the wait for the target and the start of the test runner.
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort('out-of-time' satisfies StopReason), plan.maxTimeMs);
  const endByUser = (): void => {
    progress.interrupt();
    stop.abort(interruption.signal.reason);
  };
  interruption.signal.addEventListener('abort', endByUser, { once: true });
  if (interruption.signal.aborted) endByUser();
  const { categoryIds, waitForMs } = options;
  const toldFirst = { done: 0, total: plan.checks.length, requests: 0, running: [redact(plan.baseUrl)] };
  const end = (tested: Tested): Promise<void> => {
    progress.update({ ...toldFirst, phase: 'reports', running: [] });
    return onEnd(tested);
  };
  try {
    const service = PET_STORE_OUTLINE;
    const ledger = ledgerOf(service, plan, redact);
    progress.update({ ...toldFirst, phase: 'preflight' });
    const look = await preflight(service, plan, waitForMs, stop.signal, (one) => ledger?.record(one));
    if (look.kind === 'unjudgeable') {
      const told = look.look === undefined ? {} : { look: look.look };
      return await end({ checks: [], telemetry: undefined, faults: [], unjudgeable: look.sentence, ...told });
    }
    progress.update({ ...toldFirst, phase: 'starting' });
    const { signal } = stop;
    if (selection.replay !== undefined) {
      const parts = { plan, record: selection.replay, onProgress: progress.update, stop: signal };
      const [{ runReplay }, { petStore }] = await Promise.all([
        import('./replay-run.ts'),
        import('../../petstore/definition.ts'),
      ]);
      return await end(await runReplay(petStore(options), parts));
    }
    if (runner === undefined) throw new Error('only a replay runs without a runner');
    const timing = {
      latencyMs: look.latencyMs ?? 0,
      maxTimeMs: plan.maxTimeMs,
      isChosen: options.maxTimeMs !== undefined,
    };
    const planned = { ...withTimeLeft(plan, performance.now() - started), timing };
    await runner(
      { plan: planned, petStore: { categoryIds } },
      { onEnd: end, onProgress: progress.update, stop: signal },
    );
  } finally {
    clearTimeout(timer);
    interruption.signal.removeEventListener('abort', endByUser);
    progress.finish();
  }
}

async function baselineOf({ baseline: file }: RunOptions, catalogue: Catalogue): Promise<RunFacts['baseline']> {
  if (file === undefined) return undefined;
  const { readBaselineOf } = await import('../commands/baseline-file.ts');
  return { file, entries: readBaselineOf('--baseline', file, catalogue) };
}

async function historyOf({ history }: RunOptions): Promise<OpenHistory | undefined> {
  if (history === undefined) return undefined;
  const { openHistory } = await import('../commands/stored-history.ts');
  return openHistory(history);
}

async function startEmbedded({ token, seed }: RunOptions) {
  const { startReference } = await import('../../reference/server.ts');
  return startReference({ token, seed });
}

/** The folder of one of several targets, in the report folder. */
export const folderFor = (baseUrl: string): string =>
  baseUrl.replace(/^https?:\/\//, '').replace(/[^A-Za-z0-9.-]+/g, '_');
