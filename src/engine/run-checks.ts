import type { RunPhase } from '../report/model/progress.ts';
import { type Check, isOneAtATime, PHASE_OF, STAGES } from './check.ts';
import type { RunState } from './every-answer.ts';
import type { JudgedCheck, Telemetry } from './plan.ts';
import type { Reply } from './reply.ts';
import type { Session } from './session.ts';

/** What came of a run of checks. */
export interface RunChecks {
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry;
}

/** Told how far a run of checks is. */
export interface ChecksListener {
  /** The checks of a stage begin, or the rules about every answer are concluded. */
  readonly onPhase?: (phase: RunPhase | 'every answer') => void;
  /** A check is concluded: at its end, or at the end of the run if it has a rule about every answer. */
  readonly onJudged?: (judged: JudgedCheck) => void;
}

/** Runs the checks of a session, stage by stage, and closes it. */
export async function runChecks<R extends Reply, S extends RunState<R>, V>(
  session: Session<R, S, V>,
  { onPhase, onJudged }: ChecksListener = {},
): Promise<RunChecks> {
  const judged = new Map<string, JudgedCheck>();
  const conclude = (check: Check<R, S, V>): void => {
    const concluded = session.conclude(check);
    judged.set(check.id, concluded);
    onJudged?.(concluded);
  };
  const exercise = async (check: Check<R, S, V>): Promise<void> => {
    await session.exercise(check);
    if (check.everyAnswer === undefined) conclude(check);
  };
  try {
    for (const stage of STAGES) {
      const due = session.checks.filter((check) => check.stage === stage);
      if (due.some((check) => check.exercise !== undefined)) onPhase?.(PHASE_OF[stage]);
      await session.prepare(stage);
      if (isOneAtATime(stage)) for (const check of due) await exercise(check);
      else await Promise.all(due.map(exercise));
    }
    onPhase?.('every answer');
    for (const check of session.checks) if (check.everyAnswer !== undefined) conclude(check);
    return { checks: session.checks.flatMap(({ id }) => judged.get(id) ?? []), telemetry: session.telemetry() };
  } finally {
    await session.close();
  }
}
