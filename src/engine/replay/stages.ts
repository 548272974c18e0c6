import { count } from '../../report/model/text.ts';
import type { Check } from '../check.ts';
import type { RunState } from '../every-answer.ts';
import { InconclusiveError } from '../outcome-errors.ts';
import type { JudgedCheck, Plan } from '../plan.ts';
import type { Reply } from '../reply.ts';
import { runChecks } from '../run-checks.ts';
import type { ServiceDefinition } from '../service.ts';
import type { Session } from '../session.ts';
import type { ReplayRecord } from './replay-file.ts';
import { FOR_THE_CHECK, roundsFor, sendsRecorded } from './steps.ts';

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
  const options = { recording: record, format: service.replay, token: plan.token, mostRounds, onRound };
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
    await session.prepare(check.phase);
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
