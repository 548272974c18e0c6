import { creationBudget, type JudgedCheck, type Plan, type StopReason } from '../../engine/plan.ts';
import { preflight } from '../../engine/preflight.ts';
import { INTERRUPTED } from '../../http/not-sent.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { startEmbedded } from '../../reference/embedded.ts';
import { isExpired } from '../../report/model/baseline.ts';
import type { RunPhase, RunProgress } from '../../report/model/progress.ts';
import type { RunResult } from '../../report/model/result.ts';
import { withTexts } from '../../report/redact/redact-result.ts';
import { type ConformanceEvent, type ConformancePhase, eventsOf } from '../api/events.ts';
import { unwritable } from '../commands/unwritable.ts';
import { NOWHERE, type RunOptions } from '../run-options.ts';
import { baselineOf, type Concluded, conclude, historyOf, rememberingOf, type Tested } from './conclusion.ts';
import { ledgerOf } from './ledger.ts';
import { notesOn, notesOnReplay } from './notes.ts';
import { planOf, type Selection, selectOrReplay, withTimeLeft } from './plan.ts';
import { redactorOf } from './redactor.ts';
import { loadWriting, prepareLedger, withReplayFile } from './reports.ts';

interface TargetRunParts {
  /** With the report folder {@link NOWHERE}, no file is written. */
  readonly options: RunOptions;
  /** When aborted, nothing more is sent. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: ConformanceEvent) => void;
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
    let concluded: Concluded | undefined;
    await judge(plan, { ...parts, options, selection, redact }, async (tested) => {
      const by = signal.aborted ? interrupterOf(signal) : undefined;
      const replayed = tested.replay === undefined ? [] : notesOnReplay(tested.replay);
      concluded = await conclude(
        { ...tested, checks: tested.checks.map((check) => ({ ...check, result: withReplayFile(check) })) },
        {
          plan,
          options,
          run: { startedAt, milliseconds: performance.now() - started, minJudged: options.minJudged, interrupted: by },
          isEmbedded: embedded !== undefined,
          notes: [...notesOn(tested.telemetry, plan, by), ...(history?.damaged ?? []), ...replayed],
          replayed: selection.replay,
          baseline,
          history,
          remembering,
          redact,
        },
      );
    });
    if (concluded === undefined) throw new Error('the run ended without a result');
    const { result, unwritten } = concluded;
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
      const shown = look.look === undefined ? {} : { look: look.look };
      return await end({ checks: [], telemetry: undefined, faults: [], unjudgeable: look.sentence, ...shown });
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
