import { isDeepStrictEqual } from 'node:util';
import { Stopped } from '../../http/network.ts';
import type { Call } from '../../reading/call.ts';
import { OPERATIONS, PLAIN_CALLS } from '../../reading/call.ts';
import { FileError } from '../../report/files.ts';
import { REPLAY_FORMAT, type RecordedFailure, type RecordedRun } from '../../report/finding.ts';
import { type ConformanceRun, finish } from '../../report/result-of.ts';
import { validatorOf, wrongIn } from '../../report/stored.ts';
import { PROFILES } from '../../run/budget.ts';
import { violationsFor } from '../../run/findings.ts';
import type { Replay } from '../../run/result.ts';
import { Run } from '../../run/run.ts';
import { pause } from '../../run/tools.ts';
import type { ConformanceOptions, ReplayInput } from '../conformance-options.ts';
import { conformance } from './conformance.ts';

/** The longest pause between two exchanges (ms). */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Sends recorded failures again. If any of them does not fail, a run with the recorded seed and options follows, and says
 * whether it fails with another request, or passes. Rejects with {@link FileError} if a file is not a recorded failure.
 */
export async function replay(inputs: readonly ReplayInput[], options: ConformanceOptions): Promise<ConformanceRun> {
  const failures = inputs.map(({ file, content }) => ({ file, failure: readFailure(file, content) }));
  const started = performance.now();
  const sent = await sendAll(failures, options);
  const left = failures.filter((_, at) => sent.ends[at] !== 'still fails');
  const runs = new Map<string, ConformanceRun>();
  let [requests, animals] = [sent.requests, sent.animals];
  for (const { failure } of left) {
    const key = JSON.stringify(failure.run);
    if (runs.has(key) || options.signal.aborted) continue;
    const run = await conformance(optionsOf(failure.run, options, animals));
    const { result } = run;
    requests += result.summary.requests + result.summary.evidenceRequests;
    animals += result.summary.creations;
    runs.set(key, run);
  }
  const replayed = failures.map(({ file, failure }, at): Replay => {
    const { says, requirements } = failure;
    const run = runs.get(JSON.stringify(failure.run));
    const end: Pick<Replay, 'end' | 'reason'> =
      sent.ends[at] === 'still fails' ? { end: 'still fails' } : endOf(failure, run, sent.ends[at]);
    return { file, says, requirements, ...end };
  });
  return finish(options, started, { replayed, requests, animals });
}

interface Failure {
  readonly file: string;
  readonly failure: RecordedFailure;
}

/** The options of a recorded run. What the user permits now, holds. @param created how many animals were created before */
function optionsOf(run: RecordedRun, options: ConformanceOptions, created: number): ConformanceOptions {
  const { categories, ...recorded } = run;
  const { maxCreates } = options;
  return {
    ...options,
    ...recorded,
    categoryIds: categories.map(BigInt),
    maxCreates: maxCreates === undefined ? undefined : Math.max(0, maxCreates - created),
    failFast: false,
    baseline: undefined,
  };
}

/** What a run with the recorded seed and options says of a failure that did not show when it was sent again. */
function endOf(
  { key, requirements, isIntermittent, calls }: RecordedFailure,
  ran: ConformanceRun | undefined,
  notSent: string | undefined,
): Pick<Replay, 'end' | 'reason'> {
  if (ran === undefined) return { end: 'not tested', reason: notSent ?? 'the run was interrupted' };
  const { result: run, checked } = ran;
  if (run.findings.some((finding) => finding.key === key)) return { end: 'still fails, with another request' };
  const untested = run.requirements.find(
    ({ id, outcome, partly }) =>
      requirements.includes(id) && (partly === true || (outcome !== 'passed' && outcome !== 'failed')),
  );
  if (untested !== undefined) return { end: 'not tested', reason: `${untested.id}: ${untested.reason ?? 'not sent'}` };
  if (run.preflight !== undefined || run.requirements.length === 0)
    return { end: 'not tested', reason: run.conclusion };
  const isSentAgain = checked.some(
    ({ exchange, tested }) =>
      tested.some(({ requirement, holds }) => holds && requirements.includes(requirement)) &&
      calls.some((call) => isDeepStrictEqual(call, exchange.call)),
  );
  if (!isSentAgain) return { end: 'not tested', reason: 'no response to such a request could have shown it' };
  return isIntermittent
    ? { end: 'did not fail this time', reason: 'it did not fail every time, so it may fail again' }
    : { end: 'passes' };
}

/** Sends the requests of all failures. The ends say `still fails`, why they were not sent, or nothing. */
async function sendAll(failures: readonly Failure[], options: ConformanceOptions) {
  const { creations } = PROFILES.standard;
  const most = options.readOnly ? 0 : Math.min(options.maxCreates ?? creations, creations);
  const ends: (string | undefined)[] = [];
  let animals = 0;
  let requests = 0;
  for (const { failure } of failures) {
    const run = new Run({ ...options, maxCreates: most - animals }, { requests: 0, exchanges: [] });
    try {
      const end = await sendAgain(failure, run, options).catch((error: unknown) => {
        if (error instanceof Stopped) return error.message;
        throw error;
      });
      ends.push(end);
    } finally {
      animals += run.course.session.budget.creations;
      requests += run.network.counts.requests;
      await run.close();
    }
  }
  return { ends, animals, requests };
}

/** Sends the exchanges of a failure with new names, and the ids in the new 201s. @returns as {@link sendAll} */
async function sendAgain(
  { key, exchanges }: RecordedFailure,
  { network, course: { session, store } }: Run,
  { concurrency, signal }: ConformanceOptions,
): Promise<string | undefined> {
  const recorded = [...new Set(exchanges.map(({ connection }) => connection))];
  /** By borrowed connection, the recorded one that it stands for: there may be more of these. */
  const standsFor = new Map<number, number>();
  const ids = new Map<string, bigint>();
  const rows = new Map<string, number>();
  const started = performance.now();
  let isShown = false;
  for (const [at, { call, names, order, connection: number, sentAt, creates }] of exchanges.entries()) {
    await pause(started + Math.min(sentAt, LONGEST_PAUSE_MS * (at + 1)) - performance.now(), signal);
    const name = names['NAME'] ?? `${at}`;
    const row = rows.get(name) ?? store.newRow();
    rows.set(name, row);
    const id = names['ID'];
    const nth = recorded.indexOf(number) % concurrency;
    const learned = await network.lend(async (connection) => {
      if (standsFor.get(nth) !== number) await connection.renew();
      standsFor.set(nth, number);
      if (id !== undefined && !ids.has(id)) {
        const created = store.namesFor(PLAIN_CALLS.createPet, store.newRow()) ?? {};
        const own = await session.send(connection, PLAIN_CALLS.createPet, created);
        const given = own?.seen.animals[0]?.id;
        if (given === undefined) return 'it needs an animal, but no valid createPet was accepted';
        ids.set(id, given);
      }
      const newNames = store.namesFor(call, row, id === undefined ? undefined : ids.get(id));
      return newNames && session.send(connection, call, newNames, order);
    }, nth);
    if (typeof learned === 'string') return learned;
    if (learned === undefined) return [...session.unsent.keys()][0] ?? 'it cannot be sent with this key';
    isShown ||= violationsFor(key, learned.checked) !== undefined;
    const given = creates === undefined ? undefined : learned.seen.animals[0]?.id;
    if (creates !== undefined && given !== undefined) ids.set(creates, given);
  }
  return isShown ? 'still fails' : undefined;
}

/** The calls in a file are sent, so only calls of this service may be in it. */
const isOfService = ({ operation, method, target }: Call): boolean =>
  target.startsWith('/') &&
  Object.entries(OPERATIONS).some(([name, one]) => name === operation && one.method === method);

function readFailure(file: string, content: unknown): RecordedFailure {
  const fail = (what: string): FileError =>
    new FileError(`${file} is not a recorded failure: ${what}. Replay a file that this version wrote.`);
  const format = typeof content === 'object' && content !== null && 'format' in content ? content.format : undefined;
  if (format !== REPLAY_FORMAT) throw fail(`its format is not ${REPLAY_FORMAT}`);
  const isFailure = validatorOf<RecordedFailure>('replay');
  if (!isFailure(content)) throw fail(wrongIn(isFailure));
  const wrong = content.exchanges.findIndex(({ call }) => !isOfService(call));
  if (wrong >= 0) throw fail(`exchange ${wrong + 1} is not a request to this service`);
  return content;
}
