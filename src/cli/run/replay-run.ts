import { CHECKS } from '../../../suites/index.ts';
import type { Plan } from '../../engine/plan.ts';
import type { ReplayRecord } from '../../engine/replay/read-replay.ts';
import { type Replayed, replayFailure } from '../../engine/replay/replay-failure.ts';
import type { SessionOptions } from '../../engine/session.ts';
import type { PetStoreDefinition } from '../../petstore/definition.ts';
import { openSession } from './open-session.ts';

interface ReplayRunParts extends Pick<SessionOptions, 'onProgress'> {
  readonly plan: Plan;
  readonly record: ReplayRecord;
  readonly stop: AbortSignal;
}

/** Looks for a recorded failure again. @throws Error where the suite no longer has its check */
export async function runReplay(
  service: PetStoreDefinition,
  { plan, record, onProgress, stop }: ReplayRunParts,
): Promise<Replayed & { readonly faults: readonly string[] }> {
  const check = CHECKS.find(({ id }) => id === record.check);
  if (check === undefined) throw new Error(`there is no check ${record.check}`);
  const replayed = await replayFailure({
    service,
    check,
    record,
    plan,
    checks: CHECKS.map(({ id }) => id),
    library: CHECKS,
    stop,
    open: (stagePlan, library, stageStop) =>
      openSession(
        service,
        stagePlan,
        { stop: stageStop, ...(onProgress === undefined ? {} : { onProgress }) },
        library,
      ),
  });
  return { ...replayed, faults: [] };
}
