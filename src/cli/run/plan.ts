import { randomUUID } from 'node:crypto';
import { CHECKS } from '../../../suites/index.ts';
import { creationBudget, type Plan, timeBudget } from '../../engine/plan.ts';
import { ReplayFileError, type ReplayRecord, readReplay } from '../../engine/replay/replay-file.ts';
import { selectChecks } from '../../engine/selection.ts';
import { suiteVersion } from '../../package.ts';
import type { PetStoreDefinition } from '../../petstore/definition.ts';
import type { PetCheck } from '../../petstore/index.ts';
import { invalid, UsageError } from '../errors.ts';
import type { RunOptions } from '../run-options.ts';

/** What a run consists of; a replay brings its own seed, profile and check. */
export interface Selection {
  readonly options: RunOptions;
  readonly checks: readonly PetCheck[];
  readonly replay: ReplayRecord | undefined;
}

/** @throws UsageError where the options leave nothing to run, or name no recorded failure */
export function select(given: RunOptions, service: PetStoreDefinition): Selection {
  if (given.replay === undefined) {
    const checks = selectChecks(CHECKS, given.only, given.skip);
    if (checks.length > 0) return { options: given, checks, replay: undefined };
    const message =
      '--only and --skip leave no check to run; requirements that cannot be tested have none (npm test -- list)';
    throw new UsageError('nothing-selected', message);
  }
  const replay = recordedFailure(given.replay, service);
  const check = CHECKS.find(({ id }) => id === replay.check);
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
    soakMs: undefined,
    soakPerSecond: undefined,
    failFast: false,
    today: isLater ? given.today : today,
  };
}

function recordedFailure(file: string, { description, replay }: PetStoreDefinition): ReplayRecord {
  try {
    return readReplay(file, description.program, replay.schema);
  } catch (error) {
    throw error instanceof ReplayFileError ? invalid('--replay', error.message) : error;
  }
}

/** The plan of a run against one target. */
export function planOf(
  { options, checks, replay }: Selection,
  service: PetStoreDefinition,
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
    maxTimeMs: timeBudget(options),
    replay: replay?.target,
    checks: checks.map(({ id }) => id),
    recordTraffic: options.reports.includes('har'),
  };
}

/** The plan with the time that is left of its budget, of which the look at the target has taken so much (ms). */
export function withTimeLeft(plan: Plan, taken: number): Plan {
  return { ...plan, maxTimeMs: Math.max(1, plan.maxTimeMs - taken) };
}
