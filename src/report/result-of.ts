import { PARTS } from '../../suites/index.ts';
import type { Checked } from '../check/checked.ts';
import { REMEMBERED_FORMAT, type Remembered, toRemember } from '../check/remember.ts';
import { REQUIREMENTS } from '../contract/catalogue.prebuilt.ts';
import { suiteVersion } from '../package.ts';
import { shownTexts } from '../reading/fill.ts';
import type { Course } from '../run/course.ts';
import { latenciesOf } from '../run/latencies.ts';
import { basePathOf, type RunOptions, termsOf } from '../run/options.ts';
import { outcomesOf } from '../run/outcomes.ts';
import {
  type Ending,
  type Finding,
  RESULT_FORMAT,
  type Replay,
  type RequirementResult,
  type RunResult,
} from '../run/result.ts';
import type { Results, Run } from '../run/run.ts';
import { applyBaseline, type Baseline } from './baseline.ts';
import type { Shown } from './evidence.ts';
import { findingOf, type ReplayFile, recordedRun, replayOf, requestText } from './finding.ts';
import { notesOf } from './notes.ts';
import { conclude, concludeReplays, requirementFigures } from './verdict.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The version of the specification. */
const SPECIFICATION = '1.0.0';

/** The options of a run whose result is reported. */
export interface ReportedOptions extends RunOptions {
  readonly isEmbedded: boolean;
  readonly baseline: Baseline | undefined;
  /** The options in force, without secrets, as a user would type them. */
  readonly typed: readonly string[];
}

export interface ConformanceRun {
  /** Not redacted yet: responses may repeat the key. */
  readonly result: RunResult;
  readonly replays: readonly ReplayFile[];
  readonly checked: readonly Checked[];
  /** What to save for the next run. */
  readonly remembered: Remembered | undefined;
}

/** How evidence shows requests. */
export const shownOf = ({ baseUrl, headers, tls }: Pick<RunOptions, 'baseUrl' | 'headers' | 'tls'>): Shown => ({
  origin: new URL(baseUrl).origin,
  basePath: basePathOf(baseUrl),
  texts: ({ call, names }) => shownTexts(call, names),
  secretHeaders: headers.map(([name]) => name),
  curlOptions: tls.insecure === true ? ['--insecure'] : [],
});

/** What a run found; members are missing if it did not get that far. */
interface RunFindings {
  readonly course?: Course;
  readonly checked?: readonly Checked[];
  readonly findings?: readonly Finding[];
  readonly replays?: readonly ReplayFile[];
  readonly notes?: readonly string[];
  readonly evidenceRequests?: number;
  readonly requests?: number;
  readonly throttled?: number;
  readonly animals?: number;
  /** Why it ended early. */
  readonly ended?: Ending | undefined;
  /** The requests of the preflight if the target cannot be tested, and why. */
  readonly preflight?: RunResult['preflight'];
  readonly untestableTarget?: string;
  /** The results of a replay. */
  readonly replayed?: readonly Replay[];
}

/** Why nothing was tested if the target is not the service or cannot be reached. */
export const UNTESTABLE: Ending = { reason: 'the target cannot be tested', reasonOf: 'surroundings' };

/** The result of each requirement. */
function rowsOf(
  options: ReportedOptions,
  { course, checked = [], ended, replayed }: RunFindings,
): readonly RequirementResult[] {
  if (replayed !== undefined) return [];
  const outcomes = outcomesOf(REQUIREMENTS, {
    requirements: PARTS.flatMap(({ requirements }) => requirements),
    options,
    checked,
    unsent: course?.session.unsent ?? new Map(),
    rows: course?.rows,
    isSpent: course?.session.budget.isSpent === true,
    questions: [...(course?.session.questions.values() ?? [])],
    animals: {
      created: course?.store.known.ownAnimals.length ?? 0,
      unlisted: course?.store.known.unlisted.length ?? 0,
    },
    ended,
  });
  const shown = shownOf(options);
  return outcomes.map((outcome) => ({
    ...outcome,
    recorded: outcome.recorded.map(({ exchange, ...one }) => {
      return { ...one, request: requestText(exchange, shown), status: exchange.outcome.status };
    }),
  }));
}

/** The signal that ended a run early; `abort` for anything else. */
function interruptedBy({ aborted, reason }: AbortSignal): RunResult['run']['interrupted'] {
  return aborted ? (SIGNALS.find((name) => name === reason) ?? 'abort') : undefined;
}

/** Builds the result of a run; it still contains secrets. @param started by the clock of `performance` */
export function finish(options: ReportedOptions, started: number, found: RunFindings): ConformanceRun {
  const { course, replayed, findings = [] } = found;
  const { baseline, today: day, profile } = options;
  const interrupted = interruptedBy(options.signal);
  const known = course?.store.known;
  const lost = course?.session.shutOut?.reason;
  const tested = { requirements: rowsOf(options, found), findings, baseline: undefined };
  const run = { day, profile, interrupted: interrupted !== undefined };
  const baselined = baseline === undefined ? tested : applyBaseline(tested, baseline, run);
  const result: RunResult = {
    format: RESULT_FORMAT,
    suite: { name: 'petstore-conformance', version: suiteVersion(), specification: SPECIFICATION },
    run: {
      id: known?.tag ?? 'none',
      seed: options.seed,
      profile,
      startedAt: new Date(performance.timeOrigin + started).toISOString(),
      milliseconds: Math.round(performance.now() - started),
      options: options.typed,
      interrupted,
    },
    target: { baseUrl: options.baseUrl, embedded: options.isEmbedded },
    ...(replayed !== undefined
      ? concludeReplays(replayed)
      : conclude({
          ...baselined,
          interrupted,
          untestableTarget: found.untestableTarget ?? (lost && `No verdict: ${lost}.`),
          planned: course?.rows,
          because: found.ended?.reasonOf === 'surroundings' ? found.ended.reason : undefined,
          first: known?.recall.resetSentence,
        })),
    summary: {
      ...requirementFigures(baselined.requirements),
      requests: found.requests ?? 0,
      evidenceRequests: found.evidenceRequests ?? 0,
      creations: found.animals ?? 0,
      throttled: found.throttled ?? 0,
    },
    ...baselined,
    latencies: latenciesOf((found.checked ?? []).map(({ exchange }) => exchange)),
    preflight: found.preflight,
    replays: replayed,
    notes: found.notes ?? [],
  };
  return {
    result,
    replays: found.replays ?? [],
    checked: found.checked ?? [],
    remembered: known && { format: REMEMBERED_FORMAT, target: options.baseUrl, entries: toRemember(known) },
  };
}

/** The result of a run that has ended. @param notes of what came before it */
export function resultOf(
  options: ReportedOptions,
  started: number,
  run: Run,
  { checked, found, requests, evidenceRequests, ended, isServedSlowly }: Results,
  notes: readonly string[],
): ConformanceRun {
  const { course, network } = run;
  const findings: Finding[] = [];
  const replays: ReplayFile[] = [];
  for (const [at, { group, narrowed }] of found.entries()) {
    const replay = `failures/${at + 1}.json`;
    const context = { replay, requirements: PARTS, terms: termsOf(options), outages: network.outages };
    const finding = findingOf(group, narrowed, shownOf(options), context);
    findings.push(finding);
    replays.push(replayOf(group, narrowed, finding, recordedRun(options)));
  }
  return finish(options, started, {
    course,
    checked,
    findings,
    replays,
    requests,
    evidenceRequests,
    ended,
    notes: [...notes, ...notesOf(run, ended, isServedSlowly)],
    throttled: network.counts.throttled,
    animals: course.session.budget.creations,
  });
}
