import type { Catalogue } from '../../engine/catalogue.ts';
import { creationBudget, type JudgedCheck, type Plan, type StopReason, type Telemetry } from '../../engine/plan.ts';
import { preflight } from '../../engine/preflight.ts';
import { type RunFacts, runResult } from '../../engine/run-result.ts';
import { INTERRUPTED } from '../../http/not-sent.ts';
import { suiteVersion } from '../../package.ts';
import { INTERFACE_VERSION } from '../../petstore/interface-version.prebuilt.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { startEmbedded } from '../../reference/embedded.ts';
import { isExpired } from '../../report/model/baseline.ts';
import type { ExchangeEvidence } from '../../report/model/evidence.ts';
import type { RunPhase, RunProgress } from '../../report/model/progress.ts';
import type { Replay, RunResult } from '../../report/model/result.ts';
import { withTexts } from '../../report/redact/redact-result.ts';
import { type ConformanceEvent, type ConformancePhase, eventsOf } from '../api/events.ts';
import type { Remembering } from '../commands/remembered-file.ts';
import type { OpenHistory } from '../commands/stored-history.ts';
import { unwritable } from '../commands/unwritable.ts';
import { NOWHERE, type RunOptions, reachingOptions, shownOptions } from '../run-options.ts';
import { ledgerOf } from './ledger.ts';
import { notesOn, notesOnReplay } from './notes.ts';
import { planOf, type Selection, selectOrReplay, withTimeLeft } from './plan.ts';
import { redactorOf } from './redactor.ts';
import { loadWriting, prepareLedger, withReplayFile, writeRun } from './reports.ts';

interface TargetRunParts {
  /** With the report folder {@link NOWHERE}, no file is written. */
  readonly options: RunOptions;
  /** When aborted, nothing more is sent. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: ConformanceEvent) => void;
}

/** What the checks of a run found. */
export interface Tested {
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry | undefined;
  /** Internal errors of the suite, outside any check. */
  readonly faults: readonly string[];
  /** Where a recorded failure was replayed. */
  readonly replay?: Replay;
  /** Why the target could not be judged at all. */
  readonly unjudgeable?: string;
  /** What was sent then, and what came back. */
  readonly look?: readonly ExchangeEvidence[];
}

/**
 * Judges one target: looks at it, runs the checks and writes the reports.
 * @returns the result without secrets; of a run that was aborted, what was judged until then
 * @throws UsageError where an option names something that is not there, or a file cannot be written: after the end of
 * the run was told, so that no verdict is lost
 */
export async function runTarget(parts: TargetRunParts): Promise<RunResult> {
  const { signal, onEvent } = parts;
  const service = PET_STORE_OUTLINE;
  const { description } = service;
  const catalogue = service.loadCatalogue();
  const baseline = await baselineOf(parts.options, catalogue);
  const history = await historyOf(parts.options);
  const remembering = await rememberingOf(parts.options);
  const given = remembering === undefined ? parts.options : { ...parts.options, remembered: remembering.entries };
  const selection = await selectOrReplay(given, service);
  const { options } = selection;
  const embedded = options.baseUrl === undefined ? await startEmbedded(options.token, options.seed) : undefined;
  const baseUrl = options.baseUrl ?? embedded?.baseUrl ?? '';
  const { reportDir } = options;
  const redact = redactorOf(options);
  try {
    const ledgerFile =
      creationBudget(options) === 0 || reportDir === NOWHERE
        ? undefined
        : await prepareLedger(reportDir, embedded !== undefined);
    const startedAt = new Date();
    const day = startedAt.toISOString().slice(0, 10);
    const counting = baseline?.entries.filter((entry) => !isExpired(entry, day)) ?? [];
    const expectedViolations = counting.flatMap(({ checks }) => checks);
    const plan = planOf(selection, service, { baseUrl, ledgerFile, expectedViolations });
    const started = performance.now();
    const { runId, seed, profile, checks } = plan;
    const target = { baseUrl: redact(baseUrl), embedded: embedded !== undefined };
    onEvent({ type: 'run-started', runId, target, seed, profile, checks });
    let result: RunResult | undefined;
    const unwritten: unknown[] = [];
    const attempt = (writing: Promise<void> | undefined): Promise<void> =>
      Promise.resolve(writing).catch((error: unknown) => void unwritten.push(unwritable(error)));
    await judge(plan, { ...parts, options, selection, redact }, async (tested) => {
      const { checks: judged, telemetry } = tested;
      const by = signal.aborted ? interrupterOf(signal) : undefined;
      const facts: RunFacts = {
        suite: { name: description.program, version: suiteVersion(), specification: INTERFACE_VERSION },
        run: {
          id: plan.runId,
          seed: options.seed,
          profile: options.profile,
          startedAt,
          milliseconds: performance.now() - started,
          options: shownOptions(options),
          reachedWith: reachingOptions(options),
          minJudged: options.minJudged,
          ...(by === undefined ? {} : { interrupted: by }),
        },
        target: { baseUrl, embedded: embedded !== undefined },
        baseline,
      };
      const { replay } = tested;
      const notes = [
        ...notesOn(telemetry, plan, by),
        ...(history?.damaged ?? []),
        ...(replay === undefined ? [] : notesOnReplay(replay)),
      ];
      const found = runResult(catalogue, facts, { ...tested, checks: judged.map(withReplayFile), notes });
      const writing = { dir: reportDir, service: description, redact, history: history?.runs };
      await attempt(writeRun(found, tested, options, selection.replay, writing));
      await attempt(history?.add(found, redact));
      if (!options.readOnly) await attempt(remembering?.keep(telemetry?.remembered ?? []));
      result = withTexts(found, redact);
    });
    if (result === undefined) throw new Error('the run ended without a result');
    onEvent({ type: 'run-ended', result, written: unwritten.length === 0 });
    if (unwritten.length > 0) throw unwritten[0];
    return result;
  } catch (error) {
    throw unwritable(error);
  } finally {
    await embedded?.stop();
  }
}

/** Who has ended the run: the reason may name a signal that the process was sent. */
const interrupterOf = ({ reason }: AbortSignal): NonNullable<RunResult['run']['interrupted']> =>
  reason === 'SIGINT' || reason === 'SIGTERM' || reason === 'SIGHUP' ? reason : 'abort';

interface Judging extends TargetRunParts {
  readonly selection: Selection;
  readonly redact: (text: string) => string;
}

/** Looks at the target and, if it can be judged, runs the checks; `onEnd` is given what they found. */
async function judge(
  plan: Plan,
  { options, selection, signal: ended, onEvent, redact }: Judging,
  onEnd: (tested: Tested) => Promise<void>,
): Promise<void> {
  const started = performance.now();
  // The time budget is that of the whole run, with the wait for the target.
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort('out-of-time' satisfies StopReason), plan.maxTimeMs);
  const endByUser = (): void => stop.abort(INTERRUPTED);
  ended.addEventListener('abort', endByUser, { once: true });
  if (ended.aborted) endByUser();
  const target = [redact(plan.baseUrl)];
  let made: RunProgress = { phase: 'preflight', done: 0, total: plan.checks.length, requests: 0, running: target };
  const onProgress = (progress: RunProgress): void => {
    made = progress;
    onEvent({ type: 'progress', ...progress });
  };
  const onJudged = ({ result }: JudgedCheck): void => {
    for (const event of eventsOf(withTexts(withReplayFile({ result }), redact))) onEvent(event);
  };
  const begin = (phase: ConformancePhase): void => onEvent({ type: 'phase-started', phase });
  const beginUntested = (phase: RunPhase, running = target): void => {
    begin(phase);
    const { done, total, requests } = made;
    onProgress({ phase, done, total, requests, running });
  };
  const end = (tested: Tested): Promise<void> => {
    beginUntested('reports', []);
    return onEnd(tested);
  };
  try {
    beginUntested('preflight');
    const outline = PET_STORE_OUTLINE;
    // While the target answers, the checks are loaded.
    const loading = import('./checks.ts');
    const ledger = ledgerOf(outline, plan, redact);
    const look = await preflight(outline, plan, options.waitForMs, stop.signal, (one) => ledger?.record(one));
    if (look.kind === 'unjudgeable') {
      const told = look.look === undefined ? {} : { look: look.look };
      return await end({ checks: [], telemetry: undefined, faults: [], unjudgeable: look.sentence, ...told });
    }
    const { servesFewConnections } = look;
    beginUntested('starting');
    const { signal } = stop;
    const { openSession, petStore, runChecks, runReplay } = await loading;
    const service = petStore(options);
    if (selection.replay !== undefined) {
      begin('replay');
      const replayed = await runReplay(service, {
        plan: { ...plan, servesFewConnections },
        record: selection.replay,
        onProgress,
        stop: signal,
      });
      replayed.checks.forEach(onJudged);
      return await end(replayed);
    }
    const timing = { latencyMs: look.latencyMs, maxTimeMs: plan.maxTimeMs, isChosen: options.maxTimeMs !== undefined };
    const planned = { ...withTimeLeft(plan, performance.now() - started), timing, servesFewConnections };
    const onPhase = (phase: ConformancePhase): void => {
      begin(phase);
      // Where it cannot be loaded, writing the reports says so.
      if (options.reports.length > 0) loadWriting().catch(() => {});
    };
    const session = await openSession(service, planned, { stop: signal, redact, onProgress });
    const { checks, telemetry } = await runChecks(session, { onPhase, onJudged });
    await end({ checks, telemetry, faults: [] });
  } finally {
    clearTimeout(timer);
    ended.removeEventListener('abort', endByUser);
  }
}

async function baselineOf({ baseline: file }: RunOptions, catalogue: Catalogue): Promise<RunFacts['baseline']> {
  if (file === undefined) return undefined;
  const { readBaselineOf } = await import('../commands/baseline-file.ts');
  return { file, entries: readBaselineOf('--baseline', file, catalogue) };
}

async function rememberingOf(options: RunOptions): Promise<Remembering | undefined> {
  const { remember, baseUrl } = options;
  if (remember === undefined || baseUrl === undefined) return undefined;
  const { openRemembered } = await import('../commands/remembered-file.ts');
  return openRemembered(remember, baseUrl, redactorOf(options));
}

async function historyOf({ history }: RunOptions): Promise<OpenHistory | undefined> {
  if (history === undefined) return undefined;
  const { openHistory } = await import('../commands/stored-history.ts');
  return openHistory(history);
}
