import { COURSE, FOUND, GROWING } from '../suites/course.ts';
import { PARTS } from '../suites/index.ts';
import {
  type ConformanceOptions,
  type ConformanceRun,
  type PlannedRequirement,
  REMEMBERED_FORMAT,
  type ReplayFile,
} from './cli/conformance-options.ts';
import { loadContract } from './contract/contract.ts';
import { PROFILES } from './engine/budget.ts';
import type { Checked } from './engine/checked.ts';
import { type Group, groupFindings } from './engine/findings.ts';
import { latenciesOf } from './engine/latencies.ts';
import { Narrowing } from './engine/narrowing.ts';
import { outcomesOf } from './engine/outcomes.ts';
import { evidenceOf, type Shown } from './http/evidence.ts';
import { Network, type NetworkOptions, Stopped } from './http/network.ts';
import { suiteVersion } from './package.ts';
import { REQUIREMENTS } from './petstore/catalogue.prebuilt.ts';
import { REMOVAL_DATE } from './petstore/contract-facts.ts';
import { AGENT, shownTexts, type Terms } from './petstore/fill.ts';
import { findingOf, replayOf } from './petstore/finding.ts';
import { isPetStore } from './petstore/preflight.ts';
import { nearMisses } from './petstore/reading-key.ts';
import { RECALL, toRemember } from './petstore/remember.ts';
import type { Part } from './petstore/requirement.ts';
import { type Course, startCourse } from './petstore/run.ts';
import { simpler } from './petstore/simpler.ts';
import { applyBaseline } from './report/baseline.ts';
import { createRedactor, redactResult } from './report/redact.ts';
import { type Finding, RESULT_FORMAT, type ReasonOf, type RequirementResult, type RunResult } from './report/result.ts';
import { type Conclusion, conclude, requirementFigures } from './report/verdict.ts';

/** The version of the specification. */
const SPECIFICATION = '1.0.0';
/** Kinds, in the order in which findings are listed. */
const KINDS = ['stated', 'derived', 'open'] as const;

/** Tests one target from beginning to end. Rejects only where the suite itself fails before it has a result. */
export async function conformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const startedAt = new Date();
  const started = performance.now();
  const terms = termsOf(options);
  const network = networkOptions(options);
  const found = await isPetStore(terms, {
    network,
    isReadOnly: options.isReadOnly,
    hasWaited: options.hasWaited,
  }).catch(unlessStopped);
  const facts = { options, startedAt, started, terms };
  if (found === undefined)
    return finish(facts, { rows: rowsOf(options, undefined, [], INTERRUPTED), findings: [], notes: [] });
  if (found.kind === 'not testable') {
    const preflight = found.exchanges.map((exchange) => evidenceOf(exchange, shownOf(options, terms)));
    const rows = rowsOf(options, undefined, [], undefined);
    return finish(facts, { rows, findings: [], preflight, notes: found.advice, untestableTarget: found.conclusion });
  }
  const run = await takeCourse(options, terms, network);
  const rows = rowsOf(options, run.course, run.checked, run.ended);
  return finish(facts, { ...run, rows, notes: [...found.notes, ...run.notes] });
}

/** What a run would send for each requirement, by stage. */
export function plan(options: ConformanceOptions): readonly PlannedRequirement[] {
  const { share, fewest } = PROFILES[options.profile];
  return partsFor(options).flatMap(({ requirements }) =>
    requirements.map(({ id, sends }) => ({
      id,
      requests: Object.fromEntries(
        sends.map(({ stage, calls, atLeast }) => [
          stage,
          Math.min(calls.length, Math.max(fewest, atLeast, Math.ceil(calls.length * share))),
        ]),
      ),
    })),
  );
}

/** What readings and rules depend on beside the exchanges. */
export const termsOf = ({ baseUrl, token, categories, today, settleMs, remembered }: ConformanceOptions): Terms => ({
  basePath: new URL(baseUrl).pathname.replace(/\/+$/, ''),
  key: token,
  agent: AGENT,
  categories,
  today,
  settleMs,
  remembered: remembered?.entries,
});

/** How the target is reached. */
export const networkOptions = (options: ConformanceOptions): NetworkOptions => ({
  baseUrl: options.baseUrl,
  connections: options.concurrency,
  requestTimeoutMs: options.requestTimeoutMs,
  perSecond: options.perSecond,
  headers: options.headers,
  ...options.tls,
  signal: options.signal,
});

/** How reports print what was sent. */
const shownOf = ({ baseUrl, headers, tls }: ConformanceOptions, { basePath }: Terms): Shown => ({
  origin: new URL(baseUrl).origin,
  basePath,
  texts: ({ call, names }) => shownTexts(call, names),
  secretHeaders: headers.map(([name]) => name),
  curlOptions: tls.insecure === true ? ['--insecure'] : [],
});

const globOf = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[^A-Za-z0-9*]/g, '\\$&').replaceAll('*', '.*')}$`, 'i');

/** Whether a requirement is reported. */
function selection({ only, skip }: Pick<ConformanceOptions, 'only' | 'skip'>): (id: string) => boolean {
  const [chosen, left] = [only.map(globOf), skip.map(globOf)];
  return (id) => (chosen.length === 0 || chosen.some((one) => one.test(id))) && !left.some((one) => one.test(id));
}

/** The parts with what the selected requirements send; the rules of all others look on. */
function partsFor(options: ConformanceOptions): readonly Part[] {
  const isSelected = selection(options);
  return PARTS.map((part) => ({
    ...part,
    requirements: part.requirements.map((one) => (isSelected(one.id) ? one : { ...one, sends: [], script: undefined })),
  }));
}

/** What is under way when a run ends has no result. */
function unlessStopped(error: unknown): undefined {
  if (!(error instanceof Stopped)) throw error;
}

interface Taken {
  readonly course: Course;
  readonly checked: readonly Checked[];
  readonly findings: readonly Finding[];
  readonly replays: readonly ReplayFile[];
  readonly notes: readonly string[];
  readonly evidenceRequests: number;
  readonly requests: number;
  readonly throttled: number;
  readonly animals: number;
  readonly ended: { readonly reason: string; readonly reasonOf: ReasonOf } | undefined;
}

/** Takes the service through the course, then looks for the simplest request that shows each finding. */
async function takeCourse(options: ConformanceOptions, terms: Terms, networking: NetworkOptions): Promise<Taken> {
  const contract = await loadContract();
  const network = new Network(networking);
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort('time'), options.maxTimeMs);
  const interrupt = (): void => stop.abort('interrupted');
  options.signal.addEventListener('abort', interrupt);
  if (options.signal.aborted) interrupt();
  const limits = {
    ...PROFILES[options.profile],
    ...(options.maxCreates !== undefined && { animals: options.maxCreates }),
  };
  const course = startCourse({
    parts: partsFor(options),
    course: options.only.length === 0 ? COURSE : [RECALL, FOUND, GROWING],
    terms,
    contract,
    network,
    limits,
    connections: options.concurrency,
    seed: options.seed,
    isReadOnly: options.isReadOnly,
    signal: stop.signal,
    onChecked: (checked) => {
      if (options.failsFast && checked.violations.length > 0) stop.abort('fail-fast');
    },
    onStage: (phase) => options.onProgress?.({ phase, done: course.session.budget.requests, planned: limits.requests }),
    onCreated: options.onCreated,
    onKeyLost: () => stop.abort('key'),
  });
  try {
    await course.taken.catch(unlessStopped);
    const checked = [...course.session.checked];
    const { requests } = network.counts;
    const groups = ordered(groupFindings(checked));
    course.session.budget.extend(limits.evidence);
    const narrowing = new Narrowing(course.session, simpler, () => network.fresh(), course.send);
    const findings: Finding[] = [];
    const replays: ReplayFile[] = [];
    for (const [at, group] of groups.entries()) {
      const narrowed = await narrowing.narrow(group).catch(unlessStopped);
      const replay = replayOf(group, narrowed?.member, terms, `failures/${at + 1}.json`);
      replays.push(replay);
      findings.push(
        findingOf(group, narrowed, shownOf(options, terms), kindOf(group), {
          replay: replay.file,
          requirements: PARTS,
          terms,
          contract,
        }),
      );
    }
    const { reduced, counts } = network;
    return {
      course,
      checked,
      findings,
      replays,
      notes:
        reduced === undefined
          ? []
          : [`Used ${reduced.to} connections, as ${reduced.because}. Set --concurrency ${reduced.to}.`],
      requests,
      evidenceRequests: counts.requests - requests,
      throttled: counts.throttled,
      animals: course.session.budget.animals,
      ended: endingOf(stop.signal, course.session.keyLost?.reason),
    };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', interrupt);
    await network.close();
  }
}

const INTERRUPTED = { reason: 'the run was interrupted', reasonOf: 'user' } as const;

function endingOf({ aborted, reason }: AbortSignal, keyLost: string | undefined): Taken['ended'] {
  if (!aborted) return undefined;
  if (keyLost !== undefined) return { reason: keyLost, reasonOf: 'surroundings' };
  if (reason === 'time') return { reason: 'the time limit (--max-time) was reached', reasonOf: 'surroundings' };
  if (reason === 'fail-fast') return { reason: '--fail-fast ended the run at the first violation', reasonOf: 'user' };
  return INTERRUPTED;
}

/** First what a plain request shows; in each group stated before derived before open, then by how much fails. */
const ordered = (groups: readonly Group[]): readonly Group[] =>
  groups.toSorted((one, other) => {
    const unusual = (group: Group): number => Number((group.members[0]?.checked.unusual.length ?? 0) > 0);
    const kind = (group: Group): number => KINDS.indexOf(kindOf(group));
    return unusual(one) - unusual(other) || kind(one) - kind(other) || other.members.length - one.members.length;
  });

const KIND_OF = new Map(REQUIREMENTS.map(({ id, kind }) => [id, kind]));
const kindOf = ({ requirements: [first = ''] }: Group): RequirementResult['kind'] => KIND_OF.get(first) ?? 'derived';

/** The requirements that only a creation can test. */
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
  'STATE-1',
  'GET-4',
  'AUTH-7',
]);

function rowsOf(
  options: ConformanceOptions,
  course: Course | undefined,
  checked: readonly Checked[],
  ended: Taken['ended'],
): readonly RequirementResult[] {
  const known = course?.store.known;
  return outcomesOf(REQUIREMENTS, {
    checked,
    unsent: course?.session.unsent ?? new Map(),
    isReadOnly: options.isReadOnly,
    ended,
    isSelected: selection(options),
    notApplicable: (id) => {
      const isGone = options.today >= REMOVAL_DATE;
      if (id === 'VERS-4' && !isGone) return `it is about the time from ${REMOVAL_DATE} on`;
      return id === 'VERS-3' && isGone ? `it is about the time before ${REMOVAL_DATE}` : undefined;
    },
    needsWrites: new Set([
      ...NEEDS_WRITES,
      ...REQUIREMENTS.map(({ id }) => id).filter((id) => id.startsWith('CREATE-')),
    ]),
    lacking: (id) =>
      id === 'LIST-13' && (known?.own.length ?? 0) > 0 ? 'no page showed an animal of the run' : undefined,
  });
}

export interface Facts {
  readonly options: ConformanceOptions;
  readonly startedAt: Date;
  readonly started: number;
  readonly terms: Terms;
}

/** Makes the result of what a run has found. */
export function finish(
  { options, startedAt, started, terms }: Facts,
  run: Partial<Taken> & {
    readonly rows: readonly RequirementResult[];
    readonly findings: readonly Finding[];
    readonly preflight?: RunResult['preflight'];
    readonly notes: readonly string[];
    readonly untestableTarget?: string | undefined;
    readonly replayed?: RunResult['replays'];
    readonly conclusion?: Conclusion | undefined;
  },
): ConformanceRun {
  const interrupted = options.interruptedBy?.();
  const day = options.today;
  const known = run.course?.store.known;
  const lost = run.course?.session.keyLost?.reason;
  const baselined =
    options.baseline === undefined
      ? { requirements: run.rows, findings: run.findings, baseline: undefined }
      : applyBaseline({ requirements: run.rows, findings: run.findings }, options.baseline, {
          day,
          profile: options.profile,
          interrupted: interrupted !== undefined,
        });
  const result: RunResult = {
    format: RESULT_FORMAT,
    suite: { name: 'petstore-conformance', version: suiteVersion(), specification: SPECIFICATION },
    run: {
      id: run.course?.store.known.tag ?? 'none',
      seed: options.seed,
      profile: options.profile,
      startedAt: startedAt.toISOString(),
      milliseconds: Math.round(performance.now() - started),
      options: options.typed,
      interrupted,
    },
    target: { baseUrl: options.baseUrl, embedded: options.isEmbedded },
    ...(run.conclusion ??
      conclude({
        ...baselined,
        interrupted,
        untestableTarget: run.untestableTarget ?? (lost && `No verdict: ${lost}.`),
        first: known?.recall.resetSentence,
      })),
    summary: {
      ...requirementFigures(baselined.requirements),
      requests: run.requests ?? 0,
      evidenceRequests: run.evidenceRequests ?? 0,
      animals: run.animals ?? 0,
      throttled: run.throttled ?? 0,
    },
    ...baselined,
    latencies: latenciesOf((run.checked ?? []).map(({ exchange }) => exchange)),
    preflight: run.preflight,
    replays: run.replayed,
    notes: run.notes,
  };
  const secrets = [options.token, ...options.headers.map(([, value]) => value)];
  // What contains the key is redacted with it.
  const near = [...nearMisses(terms.key)].filter((one) => !one.includes(terms.key));
  return {
    result: redactResult(result, createRedactor({ secrets, nearMisses: near })),
    secrets: [...secrets, ...near],
    replays: run.replays ?? [],
    remembered: run.course && {
      format: REMEMBERED_FORMAT,
      target: options.baseUrl,
      entries: toRemember(run.course.store.known),
    },
  };
}
