import { count } from '../../report/model/text.ts';
import type { Check } from '../check.ts';
import type { RunState } from '../every-answer.ts';
import { InconclusiveError, SuiteError, ViolationError } from '../outcome-errors.ts';
import type { JudgedCheck, Plan, RecordedStep, Recording } from '../plan.ts';
import type { Reply } from '../reply.ts';
import { runChecks } from '../run-checks.ts';
import type { OwnPart, ReplayFormat, ServiceDefinition } from '../service.ts';
import type { Session } from '../session.ts';
import type { ReplayRecord } from './read-replay.ts';

/** Most requests that are sent again for a failure that did not always show; and how often it is looked for at once. */
const MOST_SENT_AGAIN = 300;
const ROUNDS_AT_ONCE = 10;
/** How likely it then is that a fault which comes and goes as often as in the recorded run is seen. */
const CERTAINTY = 0.999;
/** Longest wait for as much time to pass as did in the recorded run (ms), where that did not wait itself. */
const LONGEST_WAIT_MS = 10_000;

/** The code of a failure that the recorded exchanges alone do not show, since the check's own part compares them. */
const FOR_THE_CHECK = 'not-comparable';

export interface StepsOptions<R extends Reply> {
  readonly recording: Recording;
  readonly format: ReplayFormat<R>;
  readonly token: string;
  /** Of this replay. */
  readonly salt: string;
  /**
   * How much the replay has added so far, where as many entries are to be there, and as much time is to pass, as in the
   * recorded run.
   */
  readonly added: number | undefined;
  /** How old the first entries are when a run looks at them again (ms). */
  readonly lingerMs: number;
  /** How often the exchanges are sent at most. */
  readonly mostRounds: number;
  /** Called with how often the judged request has been sent so far. */
  readonly onRound: (rounds: number) => void;
}

/** How often the exchanges are sent at most: as often as a fault takes that comes and goes. */
function roundsFor({ violation: { violated, judged }, steps }: Recording): number {
  if (violated >= judged) return 1;
  const requests = steps.find((step) => step.judged)?.calls.length ?? 1;
  return Math.min(
    Math.floor(MOST_SENT_AGAIN / requests),
    Math.ceil(Math.log(1 - CERTAINTY) / Math.log(1 - violated / judged)),
  );
}

/**
 * The recorded exchanges as the own part of a check, whose rule judges the answers. Where it was not the rule that found
 * the failure, the status is compared with the ones that would have been right.
 */
function sendsRecorded<R extends Reply, S extends RunState<R>>(options: StepsOptions<R>): OwnPart<R, S> {
  const { recording, onRound } = options;
  return async (given) => {
    const { judged, again } = await sendOnce(options, given, 0);
    // What reads is sent again by itself; what creates, with all that was sent before it, and where it must be only.
    const reads = judged.call.effect === 'reads';
    const together = reads && recording.steps.at(-1)?.judged === true;
    const rounds = reads || recording.violation.intermittent ? options.mostRounds : 1;
    const first = together ? Math.min(ROUNDS_AT_ONCE, rounds) : 1;
    onRound(first);
    // What is as old by now as in the recorded run is read more than once.
    await endOf(Array.from({ length: first - 1 }, again));
    for (let round = first; round < rounds; round += ROUNDS_AT_ONCE) {
      const count = Math.min(ROUNDS_AT_ONCE, rounds - round);
      onRound(round + count);
      const sent = together
        ? [sendOnce(options, given, round).then((sentOnce) => endOf(Array.from({ length: count - 1 }, sentOnce.again)))]
        : Array.from({ length: count }, (_, at) => sendOnce(options, given, round + at));
      // What was judged counts, where the budget ends half-way.
      if ((await endOf(sent)) === 'budget used up') break;
    }
    if (options.added !== undefined) await sendWithRecordedIds(options, given);
    const { byRule, permitted } = recording.violation;
    if (byRule || permitted !== undefined) return;
    const reason = 'what was wrong with the recorded answers is for the check itself to see';
    throw new InconclusiveError(FOR_THE_CHECK, reason);
  };
}

/** @throws what one of them was rejected with, a violation before anything else */
async function endOf(sent: readonly Promise<unknown>[]): Promise<'done' | 'budget used up'> {
  const ends = await Promise.allSettled(sent);
  const errors = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  if (errors.length === 0) return 'done';
  const violation = errors.find((error) => error instanceof ViolationError);
  const isUsedUp = errors.some((error) => error instanceof InconclusiveError && error.code === 'budget');
  if (violation === undefined && isUsedUp) return 'budget used up';
  throw violation ?? errors[0];
}

type Given<R extends Reply, S extends RunState<R>> = Parameters<OwnPart<R, S>>[0];

/** @returns the judged reply, and what sends the judged request once more */
async function sendOnce<R extends Reply, S extends RunState<R>>(
  options: StepsOptions<R>,
  given: Given<R, S>,
  round: number,
): Promise<{ readonly judged: R; readonly again: () => Promise<void> }> {
  const { recording, added, lingerMs } = options;
  const longestMs = Math.max(LONGEST_WAIT_MS, lingerMs);
  const replies: R[] = [];
  let judged: R | undefined;
  let again = async (): Promise<void> => {};
  let grown = added ?? 0;
  let before = performance.now();
  for (const step of recording.steps) {
    if (added !== undefined && round === 0) {
      const missing = step.created - grown - replies.filter(({ mayHaveCreated }) => mayHaveCreated).length;
      if (missing > 0) await given.grow(missing);
      grown += Math.max(0, missing);
      await given.client.http.pause(Math.min(step.after, longestMs) - (performance.now() - before));
    }
    const sends = (): Promise<R> => sendStep(step, options, given, replies, round);
    const reply = await sends();
    before = performance.now();
    replies.push(reply);
    if (step.judged) {
      judged = reply;
      again = async () => compare(options, given, await sends(), replies);
      compare(options, given, reply, replies);
    } else mustBeAsRecorded(step, options, reply);
  }
  if (judged === undefined) throw new SuiteError('no step of the recorded failure was judged');
  return { judged, again };
}

/**
 * The judged request to the letter: once as many entries are there, a service may have given the ids of the recorded run
 * again. Only a rule can judge it, which knows what they belong to now.
 */
async function sendWithRecordedIds<R extends Reply, S extends RunState<R>>(
  { recording: { violation, steps }, format, token, salt }: StepsOptions<R>,
  { send }: Given<R, S>,
): Promise<void> {
  const judged = steps.find((step) => step.judged);
  const { call, idOf } = judged?.calls[judged.at] ?? {};
  const id = idOf === undefined ? undefined : steps[idOf]?.given;
  if (call === undefined || id === undefined || !violation.byRule) return;
  await send(format.restore(call, { token, id, salt }));
}

async function sendStep<R extends Reply, S extends RunState<R>>(
  { calls, at, together }: RecordedStep,
  { format, token, salt }: StepsOptions<R>,
  { client, send }: Given<R, S>,
  replies: readonly R[],
  round: number,
): Promise<R> {
  const restored = calls.map(({ call, idOf }) => {
    const source = idOf === undefined ? undefined : replies[idOf];
    const id = source && format.given(source);
    if (idOf !== undefined && id === undefined) {
      const reason = `${source?.call.description ?? 'an earlier request'} gave no id: it was answered ${source?.statusText}`;
      throw new InconclusiveError('control-failed', reason);
    }
    return format.restore(call, { token, id, salt: `${salt} ${round}`, before: replies.at(-1)?.exchange });
  });
  const [first] = restored;
  if (together === undefined && first !== undefined) return send(first);
  return oneOf(await client.sendEach(restored, together ?? 'on one connection'), at);
}

function oneOf<R>(results: readonly PromiseSettledResult<R>[], at: number): R {
  const violation = results.find((result) => result.status === 'rejected' && result.reason instanceof ViolationError);
  const result = violation ?? results[at];
  if (result?.status === 'fulfilled') return result.value;
  throw result?.reason ?? new Error('a request was sent and no reply came of it');
}

/** Where only the status is compared, that says something only where the controls are answered as they were. */
function mustBeAsRecorded<R extends Reply>(step: RecordedStep, { recording }: StepsOptions<R>, reply: R): void {
  const { byRule, permitted } = recording.violation;
  if (byRule || permitted === undefined || classOf(reply.status) === classOf(step.status)) return;
  const reason = `the control failed (${reply.call.description} was answered ${reply.statusText}, not ${step.status})`;
  throw new InconclusiveError('control-failed', reason);
}

const classOf = (status: number | undefined): number => Math.floor((status ?? 0) / 100);

/** @throws ViolationError where the status is not one of those that would have been right */
function compare<R extends Reply, S extends RunState<R>>(
  { recording: { violation } }: StepsOptions<R>,
  { client }: Given<R, S>,
  reply: R,
  replies: readonly R[],
): void {
  const { byRule, permitted, code, expected } = violation;
  if (byRule || permitted === undefined) return;
  const others = replies.filter((other) => other !== reply);
  client.expect(
    (...seen) => {
      const [{ status, statusText, call } = reply] = seen.slice(-1);
      if (status === undefined || permitted.includes(status)) return 'holds';
      const message = `answers ${statusText} to ${call.description}`;
      const proof = seen.map(({ exchange }) => exchange);
      return { code, message, expected, actual: statusText, proof, call, about: 'status', permitted };
    },
    ...others,
    reply,
  );
}

/** What the stages of a replay need to know. */
export interface StageParts<R extends Reply, S extends RunState<R>, V> {
  readonly service: Pick<ServiceDefinition<R, S, V>, 'replay' | 'description'>;
  readonly check: Check<R, S, V>;
  readonly record: ReplayRecord;
  readonly plan: Plan;
  /** The checks of the whole run, in order. */
  readonly checks: readonly string[];
}

/** One way to look for the failure again. */
export interface Stage<R extends Reply, S extends RunState<R>, V> {
  /** What was sent, such as "the 2 recorded exchanges". */
  readonly sends: () => string;
  readonly plan: Plan;
  /** Whether all of the creation budget that is left may be used, or half of the whole at most. */
  readonly isLast: boolean;
  /**
   * Judges the check, and closes the session.
   *
   * @param added how much the replay has added so far
   */
  readonly judge: (session: Session<R, S, V>, added: number) => Promise<JudgedCheck | undefined>;
}

/** Fewer creations than this make no state of their own. */
const FEW_CREATIONS = 3;

/** The ways to look for a recorded failure again. */
export interface Stages<T> {
  /** The exchanges; none where they could not be recorded. */
  readonly first: readonly T[];
  /**
   * What follows, in turn.
   *
   * @param isAsAtStart whether the service holds as much as it did before the recorded run: the state of that run is
   * then rebuilt before anything else can spoil it
   */
  readonly others: (isAsAtStart: boolean) => readonly T[];
}

/** The ways to look for a recorded failure again, from the exchanges that showed it to the run that found it. */
export function stagesOf<R extends Reply, S extends RunState<R>, V>(
  parts: StageParts<R, S, V>,
): Stages<Stage<R, S, V>> {
  const { record, service } = parts;
  const created = Math.max(0, ...record.steps.map((step) => step.created));
  const { one, many } = service.description.created;
  const after = `after ${count(created, one, many)} had been added`;
  const isState = created > FEW_CREATIONS && !parts.plan.readOnly;
  // What creates is first sent once: each round of it changes the state.
  const creates = record.steps.some(({ given }) => given !== undefined);
  const again = creates && roundsFor(record) > 1 ? recordedExchanges(parts, { rounds: 'all' }) : [];
  const alone = theCheckAlone(parts, '');
  const inState = isState ? recordedExchanges(parts, { rounds: 'all', after: `, ${after}` }) : [];
  const aloneInState = isState ? theCheckAlone(parts, `, ${after}`) : [];
  const wholeRun = theWholeRun(parts);
  return {
    first: recordedExchanges(parts, { rounds: creates ? 'one' : 'all' }),
    others: (isAsAtStart) =>
      isAsAtStart && isState
        ? [...inState, ...aloneInState, wholeRun]
        : [...again, ...alone, ...inState, ...aloneInState, wholeRun],
  };
}

/** @param after the state that is rebuilt first; none where this is missing */
function recordedExchanges<R extends Reply, S extends RunState<R>, V>(
  { record, service, check, plan }: StageParts<R, S, V>,
  { rounds: most, after }: { readonly rounds: 'one' | 'all'; readonly after?: string },
): readonly Stage<R, S, V>[] {
  if (record.steps.length === 0) return [];
  let rounds = 1;
  const onRound = (sent: number): void => {
    rounds = sent;
  };
  const mostRounds = most === 'one' ? 1 : roundsFor(record);
  const options = {
    recording: record,
    format: service.replay,
    token: plan.token,
    lingerMs: plan.lingerMs,
    mostRounds,
    onRound,
  };
  return [
    {
      sends: () => {
        const times = rounds === 1 ? '' : ` up to ${count(rounds, 'time')}`;
        const { length } = record.steps;
        return `the ${length === 1 ? 'recorded exchange' : count(length, 'recorded exchange')}${times}${after ?? ''}`;
      },
      plan: { ...plan, replay: { kind: 'check' } },
      isLast: false,
      judge: async (session, added) => {
        const salt = `${plan.runId} ${most} ${after ?? ''}`;
        const sends = sendsRecorded<R, S>({ ...options, salt, added: after === undefined ? undefined : added });
        return alone(session, check, async () => {
          const error = await session.exercise(check, sends);
          // It judges what its run has left behind, which is known to this very session only.
          const isForTheCheck = error instanceof InconclusiveError && error.code === FOR_THE_CHECK;
          if (check.looksBack === true && isForTheCheck) await session.exercise(check);
        });
      },
    },
  ];
}

/** What the check itself sends: only the sample that failed, where one did. */
function theCheckAlone<R extends Reply, S extends RunState<R>, V>(
  { record, check, plan }: StageParts<R, S, V>,
  after: string,
): readonly Stage<R, S, V>[] {
  if (check.exercise === undefined) return [];
  return [
    {
      sends: () => `the check alone${after}`,
      plan: { ...plan, replay: record.target, runId: `${plan.runId} alone${after}` },
      isLast: false,
      judge: (session) => alone(session, check, () => session.exercise(check)),
    },
  ];
}

async function alone<R extends Reply, S extends RunState<R>, V>(
  session: Session<R, S, V>,
  check: Check<R, S, V>,
  exercise: () => Promise<unknown>,
): Promise<JudgedCheck> {
  try {
    await session.prepare(check.stage);
    await exercise();
    return session.conclude(check);
  } finally {
    await session.close();
  }
}

/** The run that found the failure, with its seed; it ends as soon as the failure shows. */
function theWholeRun<R extends Reply, S extends RunState<R>, V>({
  check,
  plan,
  checks,
}: StageParts<R, S, V>): Stage<R, S, V> {
  return {
    sends: () => 'the whole run with its seed',
    plan: { ...plan, replay: undefined, checks },
    isLast: true,
    judge: async (session) => {
      const { checks: judged } = await runChecks(session);
      const own = judged.find(({ result }) => result.id === check.id);
      // A fault that comes and goes may show in another check of the same requirement this time.
      const others = judged.filter(({ result }) => result.requirement === check.requirement);
      return [own, ...others].find((one) => one?.result.outcome.kind === 'failed') ?? own;
    },
  };
}
