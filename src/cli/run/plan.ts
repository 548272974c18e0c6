import { randomUUID } from 'node:crypto';
import { creationBudget, type Plan, requestBudget, timeBudget } from '../../engine/plan.ts';
import { ReplayFileError, type ReplayRecord } from '../../engine/replay/replay-file.ts';
import { selectChecks } from '../../engine/selection.ts';
import type { ServiceOutline } from '../../engine/service.ts';
import { dealOut, isElsewhere, shardOf } from '../../engine/shard.ts';
import { COMMAND, suiteVersion } from '../../package.ts';
import type { PetReply } from '../../petstore/reply.ts';
import type { Shard } from '../../report/model/result.ts';
import { count } from '../../report/model/text.ts';
import { invalid, UsageError } from '../errors.ts';
import type { RunOptions } from '../run-options.ts';
import { CHECK_LIST, type ListedCheck } from './check-list.prebuilt.ts';

type PlannedService = ServiceOutline<PetReply>;

/** What a run consists of; a replay brings its own seed, profile and check. */
export interface Selection<C extends Pick<ListedCheck, 'id'> = ListedCheck> {
  readonly options: RunOptions;
  readonly checks: readonly C[];
  readonly replay: ReplayRecord | undefined;
  /** Where this run has only a part of the checks. */
  readonly shard?: Shard | undefined;
}

/**
 * @param library what there is to select from: the checks, or a list of them
 * @throws UsageError where the options leave nothing to run
 */
export function select<C extends Pick<ListedCheck, 'id' | 'requirement'>>(
  options: RunOptions,
  library: readonly C[],
): Selection<C> {
  const checks = selectChecks(library, options.only, options.skip);
  if (checks.length > 0) return { options, checks, replay: undefined };
  const message = `--only and --skip leave no check to run; requirements that cannot be tested have none (${COMMAND} list)`;
  throw new UsageError('nothing-selected', message);
}

/**
 * As {@link select}, or a shard's part of that, or the check of the failure that is to be replayed.
 *
 * @throws UsageError where there is none
 */
export async function selectOrReplay(given: RunOptions, service: PlannedService): Promise<Selection> {
  if (given.replay === undefined) {
    const selection = select(given, CHECK_LIST);
    return { ...selection, ...dealt(given, selection.checks, service) };
  }
  const replay = await recordedFailure(given.replay, service);
  const check = CHECK_LIST.find(({ id }) => id === replay.check);
  if (check === undefined) {
    const message = `--replay: the suite no longer has the check ${replay.check}; run the suite again`;
    throw new UsageError('requirement-unknown', message);
  }
  return { options: optionsOf(given, replay), checks: [check], replay };
}

/**
 * The part of a shard, and its options: the soak is for the last one, as a load that comes from several shards at once
 * would not be the one that was asked for.
 *
 * @throws UsageError where there are fewer checks than shards
 */
function dealt(
  given: RunOptions,
  checks: readonly ListedCheck[],
  { effort }: PlannedService,
): Pick<Selection, 'options' | 'shard'> {
  const { shard: asked, profile, soakMs } = given;
  if (asked === undefined) return { options: given };
  // Refused in every shard alike: a job that goes on while another one cannot would be no use.
  if (dealOut(checks, asked.of, profile, effort).some((own) => own.length === 0)) {
    const { number, of } = asked;
    const message = `--shard ${number}/${of}: there ${checks.length === 1 ? 'is' : 'are'} only ${count(checks.length, 'check')} to deal out; use fewer shards, or select more checks`;
    throw new UsageError('nothing-selected', message);
  }
  return {
    options: { ...given, soakMs: asked.number === asked.of ? soakMs : undefined },
    shard: shardOf(checks, asked, profile, effort),
  };
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
  { options, checks, replay, shard }: Selection<Pick<ListedCheck, 'id'> & { readonly everyAnswer?: unknown }>,
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
    replay: replay?.target,
    // Of what other shards send, the rules are held against the answers of this one too.
    checks: checks.flatMap((check) => (check.everyAnswer === undefined && isElsewhere(check, shard) ? [] : check.id)),
    shard,
    recordTraffic: options.reports.includes('har'),
  };
}

/** The plan with the time that is left of its budget, of which the look at the target has taken so much (ms). */
export function withTimeLeft(plan: Plan, taken: number): Plan {
  return { ...plan, maxTimeMs: Math.max(1, plan.maxTimeMs - taken) };
}
