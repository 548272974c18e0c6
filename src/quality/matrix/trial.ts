import { CHECKS } from '../../../suites/index.ts';
import type { Contract } from '../../contract/contract.ts';
import { assemble, type Findings } from '../../engine/assemble.ts';
import type { Catalogue } from '../../engine/catalogue.ts';
import { judge } from '../../engine/judge.ts';
import { PLAIN_RUN, type RunOptions } from '../../engine/options.ts';
import { type Plan, planOf } from '../../engine/plan.ts';
import { preflight } from '../../engine/preflight.ts';
import { findFault, findVariant, startReference } from '../../reference/index.ts';
import type { RunResult } from '../../report/model/result.ts';
import type { Trial } from './model.ts';

/** The key of every service that is tried; it has both letter cases and digits, as the checks of part 5 need. */
const KEY = 'Matrix-3f9c27d1a85be640-Key';
/** The day before the removal date, and the day itself. */
const BEFORE_REMOVAL = '2030-12-04';
const REMOVAL_DAY = '2030-12-05';
/** The requirement that speaks of the time from the removal date on. */
const AFTER_REMOVAL = 'VERS-4';

/** One change to be tried, as plain data for a worker. */
export interface Job {
  readonly kind: Trial['kind'];
  readonly name: string;
  readonly seed: number;
  /** Ids of the checks to run; undefined for all. */
  readonly checks?: readonly string[];
}

/** Loaded once a worker. */
export interface Law {
  readonly catalogue: Catalogue;
  readonly contract: Contract;
}

/**
 * Starts the reference service with one fault or variant, judges it as a run would (standard profile, the preflight
 * first), and says what the checks found.
 *
 * @throws Error where there is no fault or variant of that name
 */
export async function tryChange(job: Job, { catalogue, contract }: Law): Promise<Trial> {
  const started = performance.now();
  const { fault, variant, today } = changeOf(job);
  const service = await startReference({ token: KEY, seed: job.seed, today, faults: fault, variants: variant });
  try {
    const startedAt = new Date();
    const options = optionsFor(job, service.baseUrl, today);
    const plan = planOf(options, {
      runId: `${job.kind} ${job.name}`,
      baseUrl: service.baseUrl,
      userAgent: `petstore-conformance/faults (seed ${job.seed})`,
      checks: job.checks ?? CHECKS.map(({ id }) => id),
      replay: undefined,
    });
    const findings = await look(plan, contract);
    const milliseconds = performance.now() - started;
    const facts = { options, runId: plan.runId, version: '', baseUrl: plan.baseUrl, startedAt, milliseconds };
    return trialOf(job, assemble(catalogue, { ...facts, baseline: undefined }, findings), findings.unjudgeable);
  } finally {
    await service.stop();
  }
}

function changeOf({ kind, name }: Job) {
  const fault = kind === 'fault' ? findFault(name) : undefined;
  const variant = kind === 'variant' ? findVariant(name) : undefined;
  const about = fault?.breaks ?? variant?.chooses;
  if (about === undefined) throw new Error(`there is no ${kind} of the name ${name}`);
  return {
    fault: fault === undefined ? [] : [fault],
    variant: variant === undefined ? [] : [variant],
    today: about === AFTER_REMOVAL ? REMOVAL_DAY : BEFORE_REMOVAL,
  };
}

/** As a user's options would be, but for patience: what hangs must not hold up the matrix. */
function optionsFor({ kind, seed }: Job, baseUrl: string, today: string): RunOptions {
  return {
    ...PLAIN_RUN,
    baseUrl,
    token: KEY,
    seed,
    concurrency: 32,
    requestTimeoutMs: kind === 'fault' ? 1_000 : 1_500,
    maxTimeMs: kind === 'fault' ? 8_000 : 60_000,
    // The list of one variant lags by two seconds.
    settleMs: kind === 'fault' ? 1_000 : 4_000,
    today,
  };
}

async function look(plan: Plan, contract: Contract): Promise<Findings> {
  const seen = await preflight(plan, 0, new AbortController().signal);
  const nothing = { checks: [], telemetry: undefined, notes: [], faults: [] };
  if (seen.kind === 'unjudgeable') return { ...nothing, unjudgeable: seen.sentence };
  const { checks, telemetry } = await judge(plan, contract, () => {});
  return { ...nothing, checks: checks.map(({ result }) => result), telemetry };
}

function trialOf({ kind, name }: Job, result: RunResult, refused: string | undefined): Trial {
  return {
    kind,
    name,
    ...(refused === undefined ? {} : { refused }),
    exitCode: result.exitCode,
    failed: result.checks.flatMap(({ id, requirement, outcome }) =>
      outcome.kind === 'failed'
        ? [{ check: id, requirement, message: outcome.violations[0]?.message ?? 'it failed without a word' }]
        : [],
    ),
    unjudged: result.checks.flatMap(({ id, requirement, outcome }) =>
      outcome.kind === 'inconclusive'
        ? [
            {
              check: id,
              requirement,
              reason: outcome.reason,
              ...(outcome.see === undefined ? {} : { see: outcome.see }),
            },
          ]
        : [],
    ),
    suiteFaults: result.checks.flatMap(({ id, outcome }) =>
      outcome.kind === 'harness error' ? [`${id}: ${outcome.message}`] : [],
    ),
    requests: result.summary.requests,
    milliseconds: result.run.milliseconds,
  };
}
