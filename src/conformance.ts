import { COURSE, FOUND } from '../suites/course.ts';
import { GROWING } from '../suites/growing.ts';
import { PARTS } from '../suites/index.ts';
import { selection } from './cli/catalogue.ts';
import type { ConformanceOptions, ConformanceRun, PlannedRequirement } from './cli/conformance-options.ts';
import { PROFILES } from './engine/budget.ts';
import { explainCutShort } from './engine/cut-short.ts';
import { type Group, groupFindings, LOST, requirementsOf } from './engine/findings.ts';
import { Narrowing } from './engine/narrowing.ts';
import { callsSent } from './engine/plan.ts';
import type { Exchange } from './http/exchange.ts';
import type { Outage } from './http/message.ts';
import { Network, type NetworkOptions, Stopped } from './http/network.ts';
import { REQUIREMENTS } from './petstore/catalogue.prebuilt.ts';
import { LIMIT } from './petstore/contract-facts.ts';
import type { Terms } from './petstore/fill.ts';
import { findingOf, type RecordedRun, type ReplayFile, replayOf } from './petstore/finding.ts';
import { pause } from './petstore/lanes.ts';
import { isPetStore } from './petstore/preflight.ts';
import { RECALL } from './petstore/remember.ts';
import type { Part } from './petstore/requirement.ts';
import { Course } from './petstore/run.ts';
import { SIMPLIFICATIONS } from './petstore/simpler.ts';
import { evidenceOf } from './report/evidence-of.ts';
import { type Finding, KINDS, type RequirementKind } from './report/result.ts';
import { count, timeOf } from './report/text.ts';
import { MEASURED_REQUESTS, PHASES, PROGRESS_MS, pauseText, tooSlowWarning } from './run-progress.ts';
import { finish, INTERRUPTED, type RunFindings, shownOf, termsOf, UNTESTABLE } from './run-result.ts';

/** Tests a target from beginning to end. Rejects only if the suite itself fails before it has a result. */
export async function conformance(options: ConformanceOptions): Promise<ConformanceRun> {
  const started = performance.now();
  const terms = termsOf(options);
  const network = networkOptions(options);
  const target = await isPetStore(terms, {
    network,
    isReadOnly: options.readOnly,
    hasWaited: options.waitForMs > 0,
  }).catch(unlessStopped);
  if (target === undefined) return finish(options, started, { ended: INTERRUPTED });
  if (target.kind === 'not testable') {
    const preflight = target.exchanges.map((exchange) => evidenceOf(exchange, shownOf(options)));
    const { requests, advice: notes, conclusion: untestableTarget } = target;
    return finish(options, started, { ended: UNTESTABLE, preflight, requests, notes, untestableTarget });
  }
  const run = await runCourse(options, terms, network, target);
  return finish(options, started, { ...run, notes: [...target.notes, ...run.notes] });
}

/** The pause between two trials of a target that is starting, and the time limit of their requests (ms). */
const TRIAL_PAUSE_MS = 250;
const TRIAL_TIMEOUT_MS = 2_000;

/**
 * Waits until a target responds like the service, if only to reject the key, at most as long as --wait-for says: a gateway
 * may respond for a service that is still starting. Sends GET requests only.
 */
export async function waitUntilUp(options: ConformanceOptions): Promise<void> {
  const { waitForMs, signal } = options;
  const until = performance.now() + waitForMs;
  for (let left = waitForMs; left > 0 && !signal.aborted; left = until - performance.now()) {
    const network = { ...networkOptions(options), requestTimeoutMs: Math.min(TRIAL_TIMEOUT_MS, left) };
    const target = await isPetStore(termsOf(options), { network, isReadOnly: true }).catch(unlessStopped);
    const isUp = target?.kind === 'ready' || target?.exchanges.some(({ outcome: { status } }) => status === 401);
    if (isUp === true) return;
    await pause(Math.min(TRIAL_PAUSE_MS, left), signal);
  }
}

/** How many rows a run would send for each requirement, by stage. */
export function plan(options: ConformanceOptions): readonly PlannedRequirement[] {
  const counts = new Map<string, Record<string, number>>();
  const withScript = new Set<string>();
  for (const { id, sends, script } of partsFor(options).flatMap(({ requirements }) => requirements)) {
    const stages = counts.get(id) ?? {};
    counts.set(id, stages);
    if (script !== undefined && (script.isLong !== true || PROFILES[options.profile].hasLongScripts))
      withScript.add(id);
    for (const rows of sends) {
      const sent = callsSent(rows, PROFILES[options.profile]).filter(
        ({ method }) => method === 'GET' || !options.readOnly,
      );
      stages[rows.stage] = (stages[rows.stage] ?? 0) + sent.length;
    }
  }
  return [...counts].map(([id, requests]) => ({ id, requests, hasScript: withScript.has(id) }));
}

/** How to connect to the target. */
export const networkOptions = (options: ConformanceOptions): NetworkOptions => ({
  baseUrl: options.baseUrl,
  connections: options.concurrency,
  requestTimeoutMs: options.requestTimeoutMs,
  perSecond: options.perSecond,
  endsAt: performance.now() + options.maxTimeMs,
  headers: options.headers,
  ...options.tls,
  signal: options.signal,
});

/** The parts with only the selected requirements: only their rows are sent, and only they can fail. */
function partsFor(options: ConformanceOptions): readonly Part[] {
  const isSelected = selection(options);
  return PARTS.map((part) => ({ ...part, requirements: part.requirements.filter(({ id }) => isSelected(id)) }));
}

/** For requests that are in flight when a run ends: they have no result. */
function unlessStopped(error: unknown): undefined {
  if (!(error instanceof Stopped)) throw error;
}

/**
 * Takes the service through the course, then looks for the simplest request that shows each finding.
 *
 * @param before the preflight
 */
async function runCourse(
  options: ConformanceOptions,
  terms: Terms,
  networking: NetworkOptions,
  before: { readonly requests: number; readonly exchanges: readonly Exchange[] },
): Promise<RunFindings & { readonly notes: readonly string[] }> {
  const stop = new AbortController();
  /** Also cancels requests in flight, and those that wait because of a 429. */
  const cut = new AbortController();
  const end = (reason: string): void => {
    stop.abort(reason);
    cut.abort();
  };
  const timer = setTimeout(() => end('time'), options.maxTimeMs);
  const interrupt = (): void => end('interrupted');
  options.signal.addEventListener('abort', interrupt);
  if (options.signal.aborted) interrupt();
  const limits = {
    ...PROFILES[options.profile],
    ...(options.maxCreates !== undefined && { creations: options.maxCreates }),
  };
  const network = new Network({ ...networking, mostRequests: limits.requests - before.requests, signal: cut.signal });
  let phase = '';
  const report = (news?: string): void => {
    const heldBack = pauseText(network.heldUp);
    options.onProgress?.({ phase, ...course.rows, heldBack, news });
  };
  let isFinished = false;
  let outOfReach: string | undefined;
  const ticking = setInterval(report, PROGRESS_MS);
  const course = new Course({
    parts: partsFor(options),
    course: options.only.length === 0 ? COURSE : [RECALL, FOUND, GROWING],
    terms,
    network,
    limits,
    connections: options.concurrency,
    seed: options.seed,
    isReadOnly: options.readOnly,
    isBoundByUser: options.maxCreates !== undefined,
    signal: stop.signal,
    onChecked: (checked) => {
      if (options.failFast && checked.violations.length > 0) stop.abort('fail-fast');
      if (course.session.checked.length === MEASURED_REQUESTS)
        report(tooSlowWarning(course.session.checked, course.rows.planned, options));
    },
    onStage: (stage) => {
      phase = PHASES[stage] ?? stage;
      report();
    },
    onCreated: options.onCreated,
    onShutOut: () => stop.abort('shut out'),
    onUnreachable: (why) => {
      if (isFinished) return;
      outOfReach ??= why;
      stop.abort('out of reach');
    },
  });
  try {
    course.session.checkPreflight(before.exchanges, network.connection());
    await course.run().catch(unlessStopped);
    isFinished = true;
    const all = [...course.session.checked];
    const { requests } = network.counts;
    phase = 'Looking for the simplest requests';
    course.session.budget.openForEvidence();
    network.allow(limits.evidence);
    const narrowing = new Narrowing(
      course.session,
      SIMPLIFICATIONS,
      () => network.fresh(),
      (...all) => course.sendLike(...all),
    );
    const { cutByAnother, inFlightAtTheEnd } = await explainCutShort(all, async (one) => {
      const shown = await narrowing.sendAgain(one).catch(unlessStopped);
      const isGone = network.isOutOfReach || course.session.shutOut?.reason !== undefined;
      return shown ?? (isGone ? 'service down' : undefined);
    });
    const checked = all.map((one) => (cutByAnother.has(one) ? { ...one, violations: [] } : one));
    const groups = ordered(groupFindings(checked, inFlightAtTheEnd, network.outages));
    const findings: Finding[] = [];
    const replays: ReplayFile[] = [];
    for (const [at, group] of groups.entries()) {
      const narrowed = await narrowing.narrow(group).catch(unlessStopped);
      const replay = `failures/${at + 1}.json`;
      const context = { replay, requirements: PARTS, kindOf, terms, outages: network.outages };
      const finding = findingOf(group, narrowed, shownOf(options), context);
      findings.push(finding);
      replays.push(replayOf(group, narrowed, finding, recordedRun(options)));
    }
    const { reduced, outages, counts } = network;
    const ended = endingOf(stop.signal, course.session.shutOut?.reason ?? outOfReach);
    return {
      course,
      checked,
      findings,
      replays,
      notes: [
        ...notSentNotes(course, ended?.reason),
        ...(ended === undefined ? unlistedNotes(course) : []),
        ...reducedNotes(reduced),
        ...outages.map(outageNote),
      ],
      requests: before.requests + requests,
      evidenceRequests: counts.requests - requests,
      throttled: counts.throttled,
      animals: course.session.budget.creations,
      ended,
    };
  } finally {
    clearTimeout(timer);
    clearInterval(ticking);
    options.signal.removeEventListener('abort', interrupt);
    await network.close();
  }
}

/** What decides which requests a run sends. */
const recordedRun = (options: ConformanceOptions): RecordedRun => {
  const { seed, profile, only, skip, concurrency, settleMs, categoryIds, today } = options;
  return { seed, profile, only, skip, concurrency, settleMs, categories: categoryIds.map(String), today };
};

/** What was not sent, and why. */
const notSentNotes = ({ rows, session }: Course, ended: string | undefined): readonly string[] => [
  ...(ended === undefined ? [] : [`Sent ${rows.done} of ${rows.planned} planned requests: ${ended}.`]),
  ...[...session.unsent].flatMap(([reason, number]) =>
    reason === ended ? [] : `${count(number, 'request')} ${number === 1 ? 'was' : 'were'} not sent: ${reason}.`,
  ),
];

const outageNote = ({ from, to }: Outage): string =>
  `The service accepted no connection from ${timeOf(from)} to ${timeOf(to)} UTC.`;

/** What no page showed, although none of its status was full. */
function unlistedNotes({ store: { known } }: Course): readonly string[] {
  const isFull = (status = ''): boolean => known.largestPage(`limit=100&status=${status}`)?.length === LIMIT.maximum;
  const unlisted = known.unlisted.filter(({ status }) => !isFull(status)).length;
  const all = count(known.ownAnimals.length, 'animal');
  return unlisted === 0 ? [] : [`No page showed ${unlisted} of the ${all} that the run created.`];
}

const reducedNotes = (reduced: Network['reduced']): readonly string[] =>
  reduced === undefined
    ? []
    : [`Used ${count(reduced.to, 'connection')}, as ${reduced.because}. Set --concurrency ${reduced.to}.`];

/** @param lost why the service is not reached any more */
function endingOf({ aborted, reason }: AbortSignal, lost: string | undefined): RunFindings['ended'] {
  if (!aborted) return undefined;
  if (lost !== undefined) return { reason: lost, reasonOf: 'surroundings' };
  if (reason === 'time') return { reason: 'the time limit (--max-time) was reached', reasonOf: 'surroundings' };
  if (reason === 'fail-fast') return { reason: '--fail-fast ended the run at the first violation', reasonOf: 'user' };
  return INTERRUPTED;
}

/** First what plain requests show; within that, stated before derived before open, then by number of failures. */
const ordered = (groups: readonly Group[]): readonly Group[] =>
  groups.toSorted((one, other) => {
    const unusual = (group: Group): number => Number((group.members[0]?.checked.unusual.length ?? 0) > 0);
    const kind = ({ members }: Group): number => KINDS.indexOf(kindOf(requirementsOf(members, kindOf)[0] ?? ''));
    const lost = (group: Group): number => Number(group.key !== LOST);
    return (
      lost(one) - lost(other) ||
      unusual(one) - unusual(other) ||
      kind(one) - kind(other) ||
      other.members.length - one.members.length
    );
  });

const KIND_OF = new Map(REQUIREMENTS.map(({ id, kind }) => [id, kind]));
const kindOf = (requirement: string): RequirementKind => KIND_OF.get(requirement) ?? 'derived';
