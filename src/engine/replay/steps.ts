import type { RunState } from '../every-answer.ts';
import { InconclusiveError, SuiteError, ViolationError } from '../outcome-errors.ts';
import type { RecordedStep, Recording } from '../plan.ts';
import type { Reply } from '../reply.ts';
import type { OwnPart, ReplayFormat } from '../service.ts';

/** Most requests that are sent again for a failure that did not always show; and how often it is looked for at once. */
const MOST_SENT_AGAIN = 300;
const ROUNDS_AT_ONCE = 10;
/** How likely it then is that a fault which comes and goes as often as in the recorded run is seen. */
const CERTAINTY = 0.999;
/** Longest wait for as much time to pass as did in the recorded run (ms). */
const LONGEST_WAIT_MS = 10_000;

/** The code of a failure that the recorded exchanges alone do not show, since the check's own part compares them. */
export const FOR_THE_CHECK = 'not-comparable';

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
  /** How often the exchanges are sent at most. */
  readonly mostRounds: number;
  /** Called with how often the judged request has been sent so far. */
  readonly onRound: (rounds: number) => void;
}

/** How often the exchanges are sent at most: as often as a fault takes that comes and goes. */
export function roundsFor({ violation: { violated, judged }, steps }: Recording): number {
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
export function sendsRecorded<R extends Reply, S extends RunState<R>>(options: StepsOptions<R>): OwnPart<R, S> {
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
  const { recording, added } = options;
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
      await given.client.http.pause(Math.min(step.after, LONGEST_WAIT_MS) - (performance.now() - before));
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
