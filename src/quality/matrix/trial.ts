import { CHECKS } from '../../../suites/index.ts';
import type { RunOptions } from '../../cli/run-options.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Catalogue } from '../../engine/catalogue.ts';
import { type JudgedCheck, LINGER_MS } from '../../engine/plan.ts';
import { preflight } from '../../engine/preflight.ts';
import { reporting } from '../../engine/replay/replay-failure.ts';
import { runResult } from '../../engine/run-result.ts';
import { INTERRUPTED } from '../../http/not-sent.ts';
import { petStore } from '../../petstore/definition.ts';
import { findFault, findVariant } from '../../reference/index.ts';
import { causesOf } from '../../report/model/queries.ts';
import type { Cause } from '../../report/model/result.ts';
import { BEFORE_REMOVAL, REMOVAL_DAY, type ReferenceRun, runPlan, withReference } from '../reference-run.ts';
import { type FirstCause, firstCauseOf } from './first-cause.ts';
import { type ReplayTrial, replayBoth } from './replay-trial.ts';

export interface FailedCheck {
  readonly check: string;
  readonly requirement: string;
  readonly message: string;
}

/** What the checks found for one fault or variant, as plain data. */
export interface Trial {
  readonly kind: 'fault' | 'variant';
  readonly name: string;
  /** Why no check was run, according to the preflight. */
  readonly refused?: string | undefined;
  readonly exitCode: 0 | 1 | 2 | 3;
  /** The checks that failed, each with its first violation. */
  readonly failed: readonly FailedCheck[];
  /** The checks without a verdict; `see` is the requirement whose failure prevents it. */
  readonly unjudged: readonly (Omit<FailedCheck, 'message'> & { reason: string; see?: string | undefined })[];
  /** Failures of the suite itself, which are never a verdict on the service. */
  readonly suiteFaults: readonly string[];
  /** Whether the checks ran to their end; then `failed` and `unjudged` hold all that there are. */
  readonly isWhole: boolean;
  readonly requests: number;
  readonly milliseconds: number;
  /** Of a service with two faults: what its report says. */
  readonly causes?: readonly Pick<Cause, 'says' | 'requirements'>[] | undefined;
  /** Of a fault whose checks ran to their end. */
  readonly firstCause?: FirstCause | undefined;
  /** The replays of a failure, where they were asked for and there was one. */
  readonly replays?: ReplayTrial | undefined;
}

/** One fault or variant to try, as plain data for a worker. */
export interface Job {
  readonly kind: Trial['kind'];
  readonly name: string;
  /** Another fault that the service has too. */
  readonly second?: string;
  readonly seed: number;
  /** Whether the run may end as soon as a check of the requirement that the fault breaks has found it. */
  readonly endsWhenFound?: boolean;
  /** Whether a failure is replayed, on the faulty service and on a sound one. */
  readonly replays?: boolean;
  /** Ids of the checks to run; undefined for all. */
  readonly checks?: readonly string[];
  /** Options of the run that differ from those of the matrix. */
  readonly options?: Partial<RunOptions>;
}

/** What every trial needs, loaded once in each worker. */
type Specification = { readonly catalogue: Catalogue; readonly contract: Contract };

/**
 * Starts the reference service with one fault or variant and runs the checks against it, as a run of the standard
 * profile would, beginning with the preflight. If a fault survives because the time was up, as on a busy machine, it is
 * tried once more with more time.
 *
 * @throws Error if there is no fault or variant with that name
 */
export async function runTrial(job: Job, specification: Specification): Promise<Trial> {
  const { trial, outOfTime, done } = await runOnce(job, specification);
  const breaks = findFault(job.name)?.breaks;
  const isKilled = trial.failed.some(({ requirement }) => requirement === breaks);
  if (job.kind === 'variant' || isKilled || !outOfTime) return withReplays(job, trial, done, specification);
  const patient = { ...job, options: { ...job.options, requestTimeoutMs: 5_000, maxTimeMs: 60_000 } };
  const again = await runOnce(patient, specification);
  return withReplays(patient, again.trial, again.done, specification);
}

/** Replays a failure of the requirement that the fault breaks; where there is none, of another. */
async function withReplays(
  job: Job,
  trial: Trial,
  done: readonly JudgedCheck[],
  { contract }: Specification,
): Promise<Trial> {
  if (job.replays !== true || job.kind !== 'fault') return trial;
  const breaks = findFault(job.name)?.breaks;
  const failed = done.filter(({ result: { outcome } }) => outcome.kind === 'failed');
  const chosen = failed.find(({ result }) => result.requirement === breaks) ?? failed[0];
  if (chosen === undefined) return trial;
  return { ...trial, replays: await replayBoth(chosen, referenceRunOf(job), contract) };
}

function runOnce(job: Job, { catalogue, contract }: Specification) {
  const run = { startedAt: new Date(), milliseconds: 0, options: [] };
  const started = performance.now();
  const reference = referenceRunOf(job);
  const breaks = findFault(job.name)?.breaks;
  return withReference(reference, async (plan) => {
    const target = await preflight(petStore(), plan, 0, new AbortController().signal);
    const refused = target.kind === 'unjudgeable' ? target.sentence : undefined;
    const found = new AbortController();
    const checks =
      job.endsWhenFound === true
        ? reference.checks.map((check) =>
            check.requirement === breaks ? reporting(check, () => found.abort(INTERRUPTED)) : check,
          )
        : reference.checks;
    const { checks: done, telemetry } =
      refused === undefined
        ? await runPlan(checks, plan, contract, found.signal)
        : { checks: [], telemetry: undefined };
    const isWhole = !found.signal.aborted;
    const facts = {
      suite: { name: '', version: '', specification: '' },
      run: { ...run, id: plan.runId, seed: plan.seed, profile: plan.profile },
      target: { baseUrl: plan.baseUrl, embedded: true },
      baseline: undefined,
    };
    const results = { checks: done.map(({ result }) => result), telemetry, notes: [], faults: [] };
    const findings = { ...results, ...(refused && { unjudgeable: refused }) };
    const result = runResult(catalogue, facts, findings);
    const { exitCode, checks: judged, summary } = result;
    const trial: Trial = {
      kind: job.kind,
      name: job.name,
      refused,
      exitCode,
      failed: judged.flatMap(({ id: check, requirement, outcome }) =>
        outcome.kind === 'failed'
          ? { check, requirement, message: outcome.violations[0]?.message ?? 'no violation is given' }
          : [],
      ),
      unjudged: judged.flatMap(({ id: check, requirement, outcome }) =>
        isWhole && outcome.kind === 'inconclusive'
          ? { check, requirement, reason: outcome.reason, see: outcome.see }
          : [],
      ),
      suiteFaults: judged.flatMap(({ id, outcome }) =>
        outcome.kind === 'harness error' ? `${id}: ${outcome.message}` : [],
      ),
      isWhole,
      causes:
        job.second === undefined
          ? undefined
          : causesOf(result).map(({ says, requirements }) => ({ says, requirements })),
      firstCause: breaks !== undefined && isWhole ? firstCauseOf(breaks, result) : undefined,
      requests: summary.requests,
      milliseconds: Math.round(performance.now() - started),
    };
    return { trial, done, outOfTime: telemetry?.stopped === 'out-of-time' };
  });
}

function referenceRunOf({ kind, name, second, seed, checks, options }: Job): ReferenceRun {
  const fault = kind === 'fault' ? findFault(name) : undefined;
  const other = second === undefined ? undefined : findFault(second);
  const variant = kind === 'variant' ? findVariant(name) : undefined;
  const requirement = fault?.breaks ?? variant?.chooses;
  if (requirement === undefined) throw new Error(`unknown ${kind}: ${name}`);
  return {
    faults: fault && [fault, ...(other === undefined ? [] : [other])],
    variants: variant && [variant],
    options: {
      seed,
      // The requirement about the time from the removal date on.
      today: requirement === 'VERS-4' ? REMOVAL_DAY : BEFORE_REMOVAL,
      // A fault that hangs must not hold up the matrix; the list of one variant lags by two seconds.
      ...(fault
        ? { requestTimeoutMs: 1_000, maxTimeMs: 8_000, settleMs: 1_000 }
        : { requestTimeoutMs: 6_000, maxTimeMs: 90_000, settleMs: 4_000 }),
      // Also a thorough run waits no longer than the fault needs.
      lingerMs: fault?.lingerMs ?? LINGER_MS.standard,
      ...options,
    },
    checks: CHECKS.filter(({ id }) => checks === undefined || checks.includes(id)),
  };
}
