import type { RunState } from '../every-answer.ts';
import { InconclusiveError, ViolationError } from '../outcome-errors.ts';
import type { RecordedStep, Recording } from '../plan.ts';
import type { Reply } from '../reply.ts';
import type { ReplayFormat } from '../service.ts';
import type { OwnPart } from '../session.ts';

/** Most times that exchanges are sent again whose fault comes and goes; how likely it then is to be seen, and how many
 * rounds are under way at once. */
const MOST_ROUNDS = 300;
const CERTAINTY = 0.999;
const ROUNDS_AT_ONCE = 10;
/** Longest wait for as much time to pass as did in the recorded run (ms). */
const LONGEST_WAIT_MS = 10_000;

export interface StepsOptions<R extends Reply> {
  readonly recording: Recording;
  readonly format: ReplayFormat<R>;
  readonly token: string;
  /** Of this replay. */
  readonly salt: string;
  /** Whether as many entries are added, and as much time passes, as in the recorded run. */
  readonly rebuilds: boolean;
}

/** How often the exchanges are sent: as often as a fault takes that comes and goes. */
export function roundsFor({ violation: { violated, judged, intermittent } }: Recording): number {
  if (!intermittent || violated >= judged) return 1;
  return Math.min(MOST_ROUNDS, Math.ceil(Math.log(1 - CERTAINTY) / Math.log(1 - violated / judged)));
}

/**
 * The recorded exchanges as the own part of a check, whose rule judges the answers. Where it was not the rule that found
 * the failure, the status is compared with the ones that would have been right.
 */
export function sendsRecorded<R extends Reply, S extends RunState<R>>(options: StepsOptions<R>): OwnPart<R, S> {
  const { recording } = options;
  return async (given) => {
    const rounds = roundsFor(recording);
    await sendRound(options, given, 0);
    for (let round = 1; round < rounds; round += ROUNDS_AT_ONCE) {
      const count = Math.min(ROUNDS_AT_ONCE, rounds - round);
      const ends = await Promise.allSettled(
        Array.from({ length: count }, (_, at) => sendRound({ ...options, rebuilds: false }, given, round + at)),
      );
      const errors = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []));
      const violation = errors.find((error) => error instanceof ViolationError);
      if (violation !== undefined) throw violation;
      // What was judged counts, where the budget ends half-way.
      if (errors.some((error) => error instanceof InconclusiveError && error.code === 'budget')) return;
      if (errors.length > 0) throw errors[0];
    }
    const { byRule, permitted } = recording.violation;
    if (byRule || permitted !== undefined) return;
    const reason = 'what was wrong with the recorded answers is for the check itself to see';
    throw new InconclusiveError('not-comparable', reason);
  };
}

type Given<R extends Reply, S extends RunState<R>> = Parameters<OwnPart<R, S>>[0];

async function sendRound<R extends Reply, S extends RunState<R>>(
  options: StepsOptions<R>,
  given: Given<R, S>,
  round: number,
): Promise<void> {
  const { recording, rebuilds } = options;
  const replies: R[] = [];
  let grown = 0;
  let before = performance.now();
  for (const step of recording.steps) {
    if (rebuilds) {
      const missing = step.created - grown - replies.filter(({ isCreation }) => isCreation).length;
      if (missing > 0) await given.grow(missing);
      grown += Math.max(0, missing);
      await given.client.http.pause(Math.min(step.after, LONGEST_WAIT_MS) - (performance.now() - before));
    }
    const reply = await sendStep(step, options, given, replies, round);
    before = performance.now();
    replies.push(reply);
    if (step.judged) compare(options, reply, replies);
    else mustBeAsRecorded(step, options, reply);
  }
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
    return format.restore(call, { token, id, salt: `${salt} ${round}` });
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
function compare<R extends Reply>(
  { recording: { violation } }: StepsOptions<R>,
  reply: R,
  replies: readonly R[],
): void {
  const { byRule, permitted, code, expected } = violation;
  const { status, statusText, call } = reply;
  if (byRule || permitted === undefined || status === undefined || permitted.includes(status)) return;
  const message = `answers ${statusText} to ${call.description}`;
  const proof = replies.map(({ exchange }) => exchange);
  throw new ViolationError({ code, message, expected, actual: statusText, proof, call, permitted });
}
