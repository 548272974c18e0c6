import { isOneAtATime, PHASES } from './check.ts';
import type { RunState } from './every-answer.ts';
import type { JudgedCheck, Telemetry } from './plan.ts';
import type { Reply } from './reply.ts';
import type { Session } from './session.ts';

/** What came of a run of checks. */
export interface RunChecks {
  readonly checks: readonly JudgedCheck[];
  readonly telemetry: Telemetry;
}

/**
 * Runs the checks of a session without a test runner, phase by phase: for a dry run, the fault matrix and the suite's
 * own tests. Closes the session.
 */
export async function runChecks<R extends Reply, S extends RunState<R>, V>(
  session: Session<R, S, V>,
): Promise<RunChecks> {
  try {
    for (const phase of PHASES) {
      await session.prepare(phase);
      const due = session.checks.filter((check) => check.phase === phase);
      if (isOneAtATime(phase)) for (const check of due) await session.exercise(check);
      else await Promise.all(due.map((check) => session.exercise(check)));
    }
    return { checks: session.checks.map((check) => session.conclude(check)), telemetry: session.telemetry() };
  } finally {
    await session.close();
  }
}
