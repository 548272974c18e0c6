import type { Catalogue } from '../../engine/catalogue.ts';
import type { JudgedCheck, Plan, Telemetry } from '../../engine/plan.ts';
import type { ReplayRecord } from '../../engine/replay/read-replay.ts';
import { type RunFacts, runResult } from '../../engine/run-result.ts';
import { suiteVersion } from '../../package.ts';
import { INTERFACE_VERSION } from '../../petstore/interface-version.prebuilt.ts';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import type { ExchangeEvidence } from '../../report/model/evidence.ts';
import type { Replay, RunResult } from '../../report/model/result.ts';
import { withTexts } from '../../report/redact/redact-result.ts';
import type { Remembering } from '../commands/remembered-file.ts';
import type { OpenHistory } from '../commands/stored-history.ts';
import { unwritable } from '../commands/unwritable.ts';
import { type RunOptions, reachingOptions, shownOptions } from '../run-options.ts';
import { redactorOf } from './redactor.ts';
import { writeRun } from './reports.ts';

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

/** What is known of a run beside what its checks found. */
export interface Concluding {
  readonly plan: Plan;
  readonly options: RunOptions;
  readonly run: Pick<RunFacts['run'], 'startedAt' | 'milliseconds' | 'minJudged' | 'interrupted'>;
  readonly isEmbedded: boolean;
  readonly notes: readonly string[];
  readonly replayed?: ReplayRecord | undefined;
  readonly baseline: RunFacts['baseline'];
  readonly history: OpenHistory | undefined;
  /** What keeps animals of the run for the next one. */
  readonly remembering?: Remembering | undefined;
  readonly redact: (text: string) => string;
}

export interface Concluded {
  /** Without secrets. */
  readonly result: RunResult;
  /** Why a file could not be written. */
  readonly unwritten: readonly unknown[];
}

/** Makes the result of what was found, writes the reports, and adds the run to the history. */
export async function conclude(
  tested: Tested,
  { plan, options, run, isEmbedded, notes, replayed, baseline, history, remembering, redact }: Concluding,
): Promise<Concluded> {
  const service = PET_STORE_OUTLINE.description;
  const { interrupted, ...times } = run;
  const facts: RunFacts = {
    suite: { name: service.program, version: suiteVersion(), specification: INTERFACE_VERSION },
    run: {
      id: plan.runId,
      seed: options.seed,
      profile: options.profile,
      ...times,
      options: shownOptions(options),
      reachedWith: reachingOptions(options),
      ...(interrupted === undefined ? {} : { interrupted }),
    },
    target: { baseUrl: plan.baseUrl, embedded: isEmbedded },
    baseline,
  };
  const checks = tested.checks.map(({ result }) => result);
  const found = runResult(PET_STORE_OUTLINE.loadCatalogue(), facts, { ...tested, checks, notes });
  const unwritten: unknown[] = [];
  const attempt = (writing: Promise<void> | undefined): Promise<void> =>
    Promise.resolve(writing).catch((error: unknown) => void unwritten.push(unwritable(error)));
  const writing = { dir: options.reportDir, service, redact, history: history?.runs };
  await attempt(writeRun(found, tested, options, replayed, writing));
  await attempt(history?.add(found, redact));
  if (!options.readOnly) await attempt(remembering?.keep(tested.telemetry?.remembered ?? []));
  return { result: withTexts(found, redact), unwritten };
}

/** The baseline that the options name. @throws UsageError where it cannot be read */
export async function baselineOf(
  { baseline: file }: Pick<RunOptions, 'baseline'>,
  catalogue: Catalogue,
): Promise<RunFacts['baseline']> {
  if (file === undefined) return undefined;
  const { readBaselineOf } = await import('../commands/baseline-file.ts');
  return { file, entries: readBaselineOf('--baseline', file, catalogue) };
}

/** The history that the options name. @throws UsageError where it cannot be read */
export async function historyOf({ history }: Pick<RunOptions, 'history'>): Promise<OpenHistory | undefined> {
  if (history === undefined) return undefined;
  const { openHistory } = await import('../commands/stored-history.ts');
  return openHistory(history);
}

/** What the options name for the next run. @throws UsageError where it cannot be read, or is about another target */
export async function rememberingOf(options: RunOptions): Promise<Remembering | undefined> {
  const { remember, baseUrl } = options;
  if (remember === undefined || baseUrl === undefined) return undefined;
  const { openRemembered } = await import('../commands/remembered-file.ts');
  return openRemembered(remember, baseUrl, redactorOf(options));
}
