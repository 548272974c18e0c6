import { selection } from './cli/catalogue.ts';
import { type ConformanceOptions, type ConformanceRun, REMEMBERED_FORMAT } from './cli/conformance-options.ts';
import type { Checked } from './engine/checked.ts';
import { latenciesOf } from './engine/latencies.ts';
import { outcomesOf } from './engine/outcomes.ts';
import { suiteVersion } from './package.ts';
import { REQUIREMENTS } from './petstore/catalogue.prebuilt.ts';
import { REMOVAL_DATE } from './petstore/contract-facts.ts';
import { AGENT, shownTexts, type Terms } from './petstore/fill.ts';
import { type ReplayFile, requestText } from './petstore/finding.ts';
import { toRemember } from './petstore/remember.ts';
import type { Course } from './petstore/run.ts';
import { applyBaseline } from './report/baseline.ts';
import type { Shown } from './report/evidence-of.ts';
import {
  type Finding,
  RESULT_FORMAT,
  type ReasonOf,
  type Replay,
  type RequirementResult,
  type RunResult,
} from './report/result.ts';
import { conclude, concludeReplays, requirementFigures } from './report/verdict.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The version of the specification. */
const SPECIFICATION = '1.0.0';
const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, '');

/** What readings and rules depend on besides the exchanges. */
export const termsOf = ({ baseUrl, token, categoryIds, today, settleMs, remembered }: ConformanceOptions): Terms => ({
  basePath: basePathOf(baseUrl),
  key: token,
  agent: AGENT,
  categories: categoryIds,
  today,
  settleMs,
  remembered: remembered?.entries,
});

/** How evidence shows requests. */
export const shownOf = ({ baseUrl, headers, tls }: ConformanceOptions): Shown => ({
  origin: new URL(baseUrl).origin,
  basePath: basePathOf(baseUrl),
  texts: ({ call, names }) => shownTexts(call, names),
  secretHeaders: headers.map(([name]) => name),
  curlOptions: tls.insecure === true ? ['--insecure'] : [],
});

/** What a run found; members are missing if it did not get that far. */
export interface RunFindings {
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
  readonly ended?: { readonly reason: string; readonly reasonOf: ReasonOf } | undefined;
  /** The requests of the preflight if the target cannot be tested, and why. */
  readonly preflight?: RunResult['preflight'];
  readonly untestableTarget?: string;
  /** The results of a replay. */
  readonly replayed?: readonly Replay[];
}

/** Why requirements were not tested if the user ended the run. */
export const INTERRUPTED = { reason: 'the run was interrupted', reasonOf: 'user' } as const;

/** Why nothing was tested if the target is not the service or cannot be reached. */
export const UNTESTABLE = { reason: 'the target cannot be tested', reasonOf: 'surroundings' } as const;

/** The requirements that only creations can test, besides CREATE. */
const NEEDS_WRITES = new Set([
  'RES-5',
  'RES-6',
  'RES-7',
  'RES-8',
  'RES-10',
  'RES-11',
  'RES-12',
  'RES-13',
  'RES-14',
  'LIST-12',
  'LIST-13',
  'VERS-3',
  'STATE-1',
  'GET-4',
  'AUTH-7',
]);

/** What shows only if animals of other clients leave room on pages for those of the run. */
const NEEDS_ROOM = new Map([
  ['LIST-12', 'no page without a limit had three animals of the run'],
  ['LIST-13', 'no page had an animal of the run'],
]);

/** The result of each requirement. */
function rowsOf(
  options: ConformanceOptions,
  { course, checked = [], ended, replayed }: RunFindings,
): readonly RequirementResult[] {
  if (replayed !== undefined) return [];
  const known = course?.store.known;
  return outcomesOf(REQUIREMENTS, {
    checked,
    unsent: course?.session.unsent ?? new Map(),
    addsNoMore: whyNoCreations(options, course),
    ended,
    isSelected: selection(options),
    notApplicable: (id) => {
      const isGone = options.today >= REMOVAL_DATE;
      if (id === 'VERS-4' && !isGone) return `it applies from ${REMOVAL_DATE} on`;
      return id === 'VERS-3' && isGone ? `it applied before ${REMOVAL_DATE}` : undefined;
    },
    needsWrites: new Set([
      ...NEEDS_WRITES,
      ...REQUIREMENTS.map(({ id }) => id).filter((id) => id.startsWith('CREATE-')),
    ]),
    textOf: (exchange) => requestText(exchange, shownOf(options)),
    partlySent: (id) => partlySent(id, course, ended),
    lacking: (id) => ((known?.ownAnimals.length ?? 0) > 0 ? NEEDS_ROOM.get(id) : undefined),
  });
}

/** A requirement counts as passed without reservation if this share of its rows, and of all rows, was sent. */
const WHOLE = 0.9;

function partlySent(id: string, course: Course | undefined, ended: RunFindings['ended']) {
  if (course === undefined) return undefined;
  const { rows, session } = course;
  const own = rows.byRequirement.get(id) ?? rows;
  if ([own, rows].every(({ done, planned }) => done >= WHOLE * planned)) return undefined;
  const [most] = [...session.unsent].sort(([, one], [, other]) => other - one);
  const { done, planned } = own.done < WHOLE * own.planned ? own : rows;
  const sent = `${done} of ${planned} planned requests were sent`;
  return {
    reason: `${sent}: ${ended?.reason ?? most?.[0] ?? 'the run ended'}`,
    reasonOf: ended?.reasonOf ?? 'service',
  } as const;
}

function whyNoCreations({ readOnly, maxCreates }: ConformanceOptions, course: Course | undefined): string | undefined {
  if (readOnly) return '--read-only sends GET requests only';
  return maxCreates !== undefined && course?.session.budget.isSpent === true
    ? `--max-creates ${maxCreates} was reached`
    : undefined;
}

/** The signal that ended a run early; `abort` for anything else. */
function interruptedBy({ aborted, reason }: AbortSignal): RunResult['run']['interrupted'] {
  return aborted ? (SIGNALS.find((name) => name === reason) ?? 'abort') : undefined;
}

/** Builds the result of a run; it still contains secrets. @param started by the clock of `performance` */
export function finish(options: ConformanceOptions, started: number, found: RunFindings): ConformanceRun {
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
    remembered: known && { format: REMEMBERED_FORMAT, target: options.baseUrl, entries: toRemember(known) },
  };
}
