import { INTERRUPTED } from '../../http/not-sent.ts';
import type { Replay, ReplayAttempt } from '../../report/model/result.ts';
import type { Check } from '../check.ts';
import type { RunState } from '../every-answer.ts';
import { ViolationError } from '../outcome-errors.ts';
import type { JudgedCheck, Plan, Telemetry } from '../plan.ts';
import type { Reply } from '../reply.ts';
import type { Session } from '../session.ts';
import { isSuspicion } from '../violation.ts';
import { type Stage, type StageParts, type Stages, stagesOf } from './steps.ts';

export interface ReplayParts<R extends Reply, S extends RunState<R>, V> extends StageParts<R, S, V> {
  /** Opens a session of its own for a stage: what a run knows of the service begins anew in each. */
  readonly open: (plan: Plan, checks: readonly Check<R, S, V>[], stop: AbortSignal) => Promise<Session<R, S, V>>;
  /** Where the checks of the whole run are found. */
  readonly library: readonly Check<R, S, V>[];
  /** Ends the replay early, with a StopReason. */
  readonly stop: AbortSignal;
}

/** What came of a replay. */
export interface Replayed {
  /** The check as it was judged by the stage that decides; none where nothing was sent. */
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry;
  readonly replay: Replay;
}

/** The list of a faulty service may have hidden an entry at the start. */
const MAYBE_HIDDEN = 1;

/**
 * Looks for a recorded failure again: by the recorded exchanges, by its check alone, with the state of the recorded run,
 * and by that whole run. The first that shows it ends the replay; only if none does, the failure is gone.
 */
export async function replayFailure<R extends Reply, S extends RunState<R>, V>(
  parts: ReplayParts<R, S, V>,
): Promise<Replayed> {
  const { plan, record, stop } = parts;
  const started = performance.now();
  const attempts: ReplayAttempt[] = [];
  let total = NOTHING;
  let last: JudgedCheck | undefined;
  let isDone = false;
  let isAsFound = false;
  const isAsAtStart = async (): Promise<boolean> => {
    if (record.sizeAtStart === undefined || stop.aborted) return false;
    const { size, telemetry } = await sizeOf(parts);
    const added = total.creations;
    total = sumOf(total, telemetry);
    isAsFound = size !== undefined && size <= record.sizeAtStart + added + MAYBE_HIDDEN;
    return size === record.sizeAtStart + added;
  };
  for await (const stage of inTurn(stagesOf(parts), isAsAtStart)) {
    const timeLeft = plan.maxTimeMs - (performance.now() - started);
    if (stop.aborted || timeLeft <= 0) break;
    const share = stage.isLast ? plan.maxCreates : Math.ceil(plan.maxCreates / 2);
    const budget = { maxTimeMs: timeLeft, maxCreates: Math.max(0, share - total.creations) };
    const { judged, telemetry } = await perform(
      { ...stage, plan: { ...stage.plan, ...budget } },
      total.creations,
      parts,
    );
    total = sumOf(total, telemetry);
    if (judged === undefined) break;
    last = stage.isLast ? asFound(wholly(judged, telemetry, budget), isAsFound, parts) : judged;
    attempts.push(attemptOf(stage.sends(), last, telemetry));
    isDone = stage.isLast;
    if (isDecided(last)) break;
  }
  const checks = last === undefined ? [] : [isDone || isDecided(last) ? last : cutShort(last)];
  return { checks, telemetry: total, replay: { check: record.check, end: endOf(checks), attempts } };
}

async function* inTurn<T>({ first, others }: Stages<T>, isAsAtStart: () => Promise<boolean>): AsyncGenerator<T> {
  yield* first;
  yield* others(await isAsAtStart());
}

/** How many entries the service holds now. */
async function sizeOf<R extends Reply, S extends RunState<R>, V>({
  plan,
  stop,
  open,
}: ReplayParts<R, S, V>): Promise<{ readonly size: number | undefined; readonly telemetry: Telemetry }> {
  const session = await open({ ...plan, replay: { kind: 'check' } }, [], stop);
  try {
    return { size: await session.size(), telemetry: session.telemetry() };
  } finally {
    await session.close();
  }
}

async function perform<R extends Reply, S extends RunState<R>, V>(
  stage: Stage<R, S, V>,
  added: number,
  { check, library, stop, open }: ReplayParts<R, S, V>,
): Promise<{ readonly judged: JudgedCheck | undefined; readonly telemetry: Telemetry }> {
  const found = new AbortController();
  const onViolation = (): void => found.abort(INTERRUPTED);
  const watched = library.map((one) =>
    stage.isLast && one.requirement === check.requirement ? reporting(one, onViolation) : one,
  );
  const session = await open(stage.plan, watched, AbortSignal.any([stop, found.signal]));
  const judged = await stage.judge(session, added);
  const telemetry = session.telemetry();
  return {
    judged,
    telemetry: found.signal.aborted && !stop.aborted ? { ...telemetry, stopped: undefined } : telemetry,
  };
}

/** What a run did not show that was cut short may be in what it did not send. */
function wholly(
  judged: JudgedCheck,
  { creations, stopped }: Telemetry,
  { maxCreates }: Pick<Plan, 'maxCreates'>,
): JudgedCheck {
  if (judged.result.outcome.kind !== 'passed') return judged;
  if (stopped !== undefined) return cutShort(judged);
  const reason = `the budget of ${maxCreates} creations that were left was used up before the whole run was sent; raise --max-creates`;
  return maxCreates > 0 && creations >= maxCreates ? unjudged(judged, 'budget', reason) : judged;
}

/** What shows only in what the service held before the run is not gone because something else is there now. */
function asFound<R extends Reply, S extends RunState<R>, V>(
  judged: JudgedCheck,
  isAsFound: boolean,
  { record, service }: Pick<ReplayParts<R, S, V>, 'record' | 'service'>,
): JudgedCheck {
  if (judged.result.outcome.kind !== 'passed' || record.violation.asFound !== true || isAsFound) return judged;
  const { many } = service.description.created;
  const reason = `it showed before the run had added any ${many}, and those of the run may hide it now; restart the service, or restore what it held, and run the suite again`;
  return unjudged(judged, 'not-as-found', reason);
}

const isDecided = ({ result: { outcome } }: JudgedCheck): boolean =>
  outcome.kind === 'failed' || outcome.kind === 'harness error';

/** The replay ended before all was sent that may show the failure: what was sent so far proves nothing. */
function cutShort(judged: JudgedCheck): JudgedCheck {
  const reason = 'the replay ended before everything was sent that may show the failure';
  return unjudged(judged, 'cut-short', reason);
}

function unjudged(judged: JudgedCheck, code: string, reason: string): JudgedCheck {
  const outcome = { kind: 'inconclusive', code, reason, byOption: code === 'budget' } as const;
  return { ...judged, result: { ...judged.result, outcome } };
}

function endOf([judged]: readonly JudgedCheck[]): Replay['end'] {
  const kind = judged?.result.outcome.kind;
  if (kind === 'failed') return 'still so';
  return kind === 'passed' || kind === 'not applicable' ? 'no longer so' : 'not judged';
}

function attemptOf(sends: string, { result: { outcome } }: JudgedCheck, telemetry: Telemetry): ReplayAttempt {
  const { requests, creations } = telemetry;
  const end = outcome.kind === 'failed' ? 'shown' : outcome.kind === 'passed' ? 'not shown' : 'not judged';
  const reason = 'reason' in outcome ? outcome.reason : outcome.kind === 'harness error' ? outcome.message : undefined;
  return { sends, end, ...(reason === undefined ? {} : { reason }), requests, creations };
}

const NOTHING: Telemetry = {
  requests: 0,
  creations: 0,
  throttled: 0,
  latencies: [],
  coverage: [],
  traffic: [],
  stopped: undefined,
  shared: { requests: 0, creations: 0 },
  remarks: [],
};

/** What two stages counted. How far spaces of requests were covered says nothing in a replay. */
function sumOf(one: Telemetry, other: Telemetry): Telemetry {
  return {
    requests: one.requests + other.requests,
    creations: one.creations + other.creations,
    throttled: one.throttled + other.throttled,
    latencies: other.latencies,
    coverage: [],
    traffic: [...one.traffic, ...other.traffic],
    stopped: other.stopped,
    shared: {
      requests: one.shared.requests + other.shared.requests,
      creations: one.shared.creations + other.shared.creations,
    },
    remarks: [...one.remarks, ...other.remarks],
  };
}

/** The check, which calls back when it has found a violation: by its rule, or at the end of its own part. */
export function reporting<R, S, V>(check: Check<R, S, V>, onViolation: () => void): Check<R, S, V> {
  const { everyAnswer, exercise } = check;
  return {
    ...check,
    everyAnswer:
      everyAnswer &&
      ((reply, state) => {
        const judgement = everyAnswer(reply, state);
        if (typeof judgement === 'object' && !isSuspicion(judgement)) onViolation();
        return judgement;
      }),
    exercise:
      exercise &&
      (async (vocabulary) => {
        try {
          await exercise(vocabulary);
        } catch (error) {
          if (error instanceof ViolationError) onViolation();
          throw error;
        }
      }),
  };
}
