import { PARTS } from '../../suites/index.ts';
import { REQUIREMENTS } from '../contract/catalogue.prebuilt.ts';
import { SUITE_VERSION } from '../package.ts';
import { basePathOf, type RunOptions } from '../run/options.ts';
import type { NotTestable } from '../run/preflight.ts';
import { INTERRUPTED, type Results, type Run } from '../run/run.ts';
import type { Ending } from '../run/state.ts';
import { applyBaseline, type Baseline } from './baseline.ts';
import { comparedFindings } from './comparison.ts';
import { evidenceOf, type Shown } from './evidence.ts';
import { findingOf, requestText } from './finding.ts';
import { latenciesOf } from './latencies.ts';
import { notesOf } from './notes.ts';
import { outcomesOf, type TestedRun } from './outcomes.ts';
import {
  RESULT_FORMAT,
  type RecordedSettings,
  type RequirementResult,
  type RunResult,
  type Summary,
} from './result.ts';
import { conclude, concludeReplay, requirementFigures, type Told } from './verdict.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The version of the specification. */
const SPECIFICATION = '1.0.0';

/** The options of a run that ends in a result. */
export interface ConformanceOptions extends RunOptions {
  readonly isEmbedded: boolean;
  readonly baseline: Baseline | undefined;
  /** The result that the run repeats. */
  readonly replay: RunResult | undefined;
  /** The options in force, without secrets, as a user would type them. */
  readonly typed: readonly string[];
}

/** What a result is made of, however the run ended. */
interface ResultParts extends Pick<RunResult, 'requirements' | 'findings' | 'latencies' | 'notes' | 'preflight'> {
  /** The tag of the run. */
  readonly id: string;
  readonly told: Told;
  readonly figures: Pick<Summary, 'requests' | 'evidenceRequests' | 'creations' | 'throttled'>;
  /** The keys of recorded findings of which a request was sent again, and could have shown them. */
  readonly sentAgain: ReadonlySet<string>;
}

const NOTHING_SENT: ResultParts['figures'] = { requests: 0, evidenceRequests: 0, creations: 0, throttled: 0 };

/** What was tested where the run did not get that far. */
const NOTHING: Omit<TestedRun, 'options' | 'ended'> = {
  requirements: PARTS.flatMap(({ requirements }) => requirements),
  checked: [],
  unsent: new Map(),
  isSpent: false,
  questions: [],
  animals: { created: 0, unlisted: 0 },
};

/** How evidence shows requests. */
const shownOf = ({ baseUrl, headers, tls }: RunOptions): Shown => ({
  origin: new URL(baseUrl).origin,
  basePath: basePathOf(baseUrl),
  secretHeaders: headers.map(([name]) => name),
  curlOptions: tls.insecure === true ? ['--insecure'] : [],
});

/** The result of a run that took the service through its stages, or through some of them. @param notes of what came before it */
export function testedResult(
  options: ConformanceOptions,
  started: number,
  { course, network }: Run,
  { checked, found, requests, evidenceRequests, ended, isServedSlowly }: Results,
  { notes, sentAgain }: Pick<ResultParts, 'notes' | 'sentAgain'>,
): RunResult {
  const { session, rows, known } = course;
  const shown = shownOf(options);
  const lost = session.lostBecause;
  const requirements = requirementsOf(options, {
    ...NOTHING,
    checked,
    ended,
    unsent: session.unsent,
    rows,
    isSpent: session.budget.isSpent,
    questions: [...session.questions.values()],
    animals: { created: known.ownAnimals.length, unlisted: known.unlisted.length },
  });
  return resultOf(options, started, {
    id: known.tag,
    requirements,
    findings: found.map((one) => findingOf(one, shown, options, network.outages)),
    told: {
      untestableTarget: lost && `No verdict: ${lost}.`,
      planned: rows,
      because: ended?.reason,
      first: known.recall.resetSentence,
    },
    figures: {
      requests,
      evidenceRequests,
      creations: session.budget.created,
      throttled: network.counts.throttled,
    },
    latencies: latenciesOf(checked.map(({ exchange }) => exchange)),
    preflight: undefined,
    notes: [...notes, ...notesOf(course, network, [ended, ...requirements], isServedSlowly)],
    sentAgain,
  });
}

const UNTESTABLE: Ending = { reason: 'the target cannot be tested', reasonOf: 'surroundings' };

/** The result where the target cannot be tested, as the preflight found. */
export function untestableResult(
  options: ConformanceOptions,
  started: number,
  { exchanges, conclusion, requests, advice }: NotTestable,
): RunResult {
  return untested(options, started, UNTESTABLE, {
    told: { untestableTarget: conclusion },
    figures: { ...NOTHING_SENT, requests },
    preflight: exchanges.map((exchange) => evidenceOf(exchange, shownOf(options))),
    notes: advice,
  });
}

/** The result of a run that was interrupted before its first stage. */
export const interruptedResult = (options: ConformanceOptions, started: number): RunResult =>
  untested(options, started, INTERRUPTED, { told: {}, figures: NOTHING_SENT, preflight: undefined, notes: [] });

function untested(
  options: ConformanceOptions,
  started: number,
  ended: Ending,
  found: Pick<ResultParts, 'told' | 'figures' | 'preflight' | 'notes'>,
): RunResult {
  const requirements = requirementsOf(options, { ...NOTHING, ended });
  const nothing = { id: 'none', findings: [], latencies: [], sentAgain: new Set<string>() };
  return resultOf(options, started, { ...nothing, ...found, requirements });
}

/** The result of each requirement. */
function requirementsOf(options: ConformanceOptions, tested: Omit<TestedRun, 'options'>): readonly RequirementResult[] {
  const shown = shownOf(options);
  return outcomesOf(REQUIREMENTS, { ...tested, options }).map((outcome) => ({
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

/** What decides which requests a run sends, besides its seed and profile. */
const settingsOf = (options: ConformanceOptions): RecordedSettings => {
  const { only, skip, concurrency, settleMs, categoryIds, today, readOnly, maxCreates } = options;
  return { only, skip, concurrency, settleMs, categories: categoryIds.map(String), today, readOnly, maxCreates };
};

/** A result, which still contains secrets. @param started by the clock of `performance` */
function resultOf(options: ConformanceOptions, started: number, found: ResultParts): RunResult {
  const { id, told, figures, latencies, preflight, notes, sentAgain, ...tested } = found;
  const { baseline, replay, today: day, profile } = options;
  const interrupted = interruptedBy(options.signal);
  const run = {
    id,
    seed: options.seed,
    profile,
    startedAt: new Date(performance.timeOrigin + started).toISOString(),
    milliseconds: Math.round(performance.now() - started),
    settings: settingsOf(options),
    options: options.typed,
    interrupted,
  };
  const baselined =
    baseline === undefined
      ? { ...tested, baseline }
      : applyBaseline(tested, baseline, { day, profile, interrupted: interrupted !== undefined });
  const repeated = replay && comparedFindings(replay.findings, tested, sentAgain);
  return {
    format: RESULT_FORMAT,
    suite: { name: 'petstore-conformance', version: SUITE_VERSION, specification: SPECIFICATION },
    run,
    target: { baseUrl: options.baseUrl, embedded: options.isEmbedded },
    ...(repeated === undefined
      ? conclude({ ...baselined, ...told, interrupted })
      : concludeReplay(repeated, told.untestableTarget)),
    summary: { ...requirementFigures(baselined.requirements), ...figures },
    ...baselined,
    latencies,
    preflight,
    replay: repeated,
    notes,
  };
}
