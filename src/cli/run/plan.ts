import { randomUUID } from 'node:crypto';
import { creationBudget, lingerTime, type Plan, requestBudget, timeBudget } from '../../engine/plan.ts';
import { ReplayFileError, type ReplayRecord } from '../../engine/replay/read-replay.ts';
import { selectChecks } from '../../engine/selection.ts';
import type { ServiceOutline } from '../../engine/service.ts';
import { COMMAND, suiteVersion } from '../../package.ts';
import type { PetReply } from '../../petstore/reply.ts';
import { invalid, UsageError } from '../errors.ts';
import type { RunOptions } from '../run-options.ts';
import { CHECK_LIST, type ListedCheck } from './check-list.prebuilt.ts';

type PlannedService = ServiceOutline<PetReply>;

/** What a run consists of; a replay brings its own seed, profile and check. */
export interface Selection<C extends Pick<ListedCheck, 'id'> = ListedCheck> {
  readonly options: RunOptions;
  readonly checks: readonly C[];
  readonly replay: ReplayRecord | undefined;
}

/**
 * @param library what there is to select from: the checks, or a list of them
 * @throws UsageError where the options leave nothing to run
 */
export function select<C extends Pick<ListedCheck, 'id' | 'requirement' | 'recalls'>>(
  options: RunOptions,
  library: readonly C[],
): Selection<C> {
  const { remember, only, skip } = options;
  const checks = selectChecks(library, only, skip).filter(({ recalls }) => remember !== undefined || !recalls);
  if (checks.length > 0) return { options, checks, replay: undefined };
  const message = `--only and --skip leave no check to run; requirements that cannot be tested have none (${COMMAND} list)`;
  throw new UsageError('nothing-selected', message);
}

/**
 * As {@link select}, or the check of the failure that is to be replayed.
 *
 * @throws UsageError where there is none
 */
export async function selectOrReplay(given: RunOptions, service: PlannedService): Promise<Selection> {
  if (given.replay === undefined) return select(given, CHECK_LIST);
  const replay = await recordedFailure(given.replay, service);
  const check = CHECK_LIST.find(({ id }) => id === replay.check);
  if (check === undefined) {
    const message = `--replay: the suite no longer has the check ${replay.check}; run the suite again`;
    throw new UsageError('requirement-unknown', message);
  }
  return { options: optionsOf(given, replay), checks: [check], replay };
}

/** The options of a replay: what decides the judgement is as it was when the failure was recorded. */
function optionsOf(given: RunOptions, { seed, profile, judgedWith }: ReplayRecord): RunOptions {
  const { today, ...others } = judgedWith;
  // What has been removed since then is not missing.
  const isLater = given.today > today;
  return {
    ...given,
    ...others,
    seed,
    profile,
    failFast: false,
    today: isLater ? given.today : today,
  };
}

async function recordedFailure(file: string, { description, replay }: PlannedService): Promise<ReplayRecord> {
  // What reads a replay compiles a schema.
  const { readReplay } = await import('../../engine/replay/read-replay.ts');
  try {
    return readReplay(file, description.program, replay.schema);
  } catch (error) {
    throw error instanceof ReplayFileError ? invalid('--replay', error.message) : error;
  }
}

/** The plan of a run against one target. */
export function planOf(
  { options, checks, replay }: Selection<Pick<ListedCheck, 'id'>>,
  service: Pick<PlannedService, 'description'>,
  target: Pick<Plan, 'baseUrl' | 'ledgerFile' | 'expectedViolations'>,
): Plan {
  return {
    ...target,
    ...options,
    baseUrl: target.baseUrl,
    runId: randomUUID(),
    // The seed names the run, not its id: with the same seed a service gets exactly the same requests.
    userAgent: `${service.description.program}/${suiteVersion()} (run with seed ${options.seed})`,
    maxCreates: creationBudget(options),
    maxRequests: requestBudget(options),
    isMaxCreatesChosen: options.maxCreates !== undefined,
    maxTimeMs: timeBudget(options),
    lingerMs: lingerTime(options),
    replay: replay?.target,
    checks: checks.map(({ id }) => id),
    recordTraffic: options.reports.includes('har'),
  };
}

/** The plan with the time that is left of its budget, of which the look at the target has taken `taken` (ms). */
export function withTimeLeft(plan: Plan, taken: number): Plan {
  return { ...plan, maxTimeMs: Math.max(1, plan.maxTimeMs - taken) };
}
