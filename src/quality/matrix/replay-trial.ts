import { CHECKS } from '../../../suites/index.ts';
import type { Contract } from '../../contract/contract.ts';
import type { JudgedCheck, Plan } from '../../engine/plan.ts';
import { parseReplay, type ReplayRecord, replayRecord } from '../../engine/replay/read-replay.ts';
import { replayFailure } from '../../engine/replay/replay-failure.ts';
import { Session } from '../../engine/session.ts';
import { petStore } from '../../petstore/definition.ts';
import type { Replay, ReplayAttempt } from '../../report/model/result.ts';
import { type ReferenceRun, withReference } from '../reference-run.ts';

/** How a replay ended, and by what. */
export interface ReplayEnd {
  readonly end: Replay['end'];
  /** What was sent last: what shows the failure, where it is still so. */
  readonly by: string;
  readonly reason?: string | undefined;
  readonly attempts: readonly ReplayAttempt[];
  readonly milliseconds: number;
}

/** The replays of one failure: on the service that has the fault, and on one that has none. */
export interface ReplayTrial {
  readonly check: string;
  readonly faulty: ReplayEnd;
  readonly sound: ReplayEnd;
}

/** A replay sends more than a run, where it shows nothing. */
const MAX_TIME_MS = 120_000;

/** Records a failure as a run does, and replays it on a fresh instance of the faulty service, and on a sound one. */
export async function replayBoth(
  { result: { id }, replay }: JudgedCheck,
  run: ReferenceRun,
  contract: Contract,
): Promise<ReplayTrial | undefined> {
  if (replay === undefined) return undefined;
  const { faults: _, ...sound } = run;
  const replayIn = (target: ReferenceRun): Promise<ReplayEnd> =>
    withReference({ ...target, options: { ...target.options, replay: id, maxTimeMs: MAX_TIME_MS } }, async (plan) => {
      const { description, replay: format } = petStore();
      const record = JSON.stringify(replayRecord(description.program, id, plan, replay));
      return replayOn(plan, parseReplay(record, `the failure of ${id}`, description.program, format.schema), contract);
    });
  return { check: id, faulty: await replayIn(run), sound: await replayIn(sound) };
}

async function replayOn(plan: Plan, record: ReplayRecord, contract: Contract): Promise<ReplayEnd> {
  const started = performance.now();
  const service = petStore();
  const check = CHECKS.find(({ id }) => id === record.check);
  if (check === undefined) throw new Error(`there is no check ${record.check}`);
  const { replay, checks } = await replayFailure({
    service,
    check,
    record,
    plan,
    checks: plan.checks,
    library: CHECKS,
    stop: new AbortController().signal,
    open: async (stagePlan, library, stop) => new Session(service, library, stagePlan, contract, { stop }),
  });
  const [outcome] = checks.map(({ result }) => result.outcome);
  const reason = outcome === undefined || !('reason' in outcome) ? undefined : outcome.reason;
  return {
    end: replay.end,
    by: replay.attempts.at(-1)?.sends ?? 'nothing',
    ...(reason === undefined ? {} : { reason }),
    attempts: replay.attempts,
    milliseconds: Math.round(performance.now() - started),
  };
}
