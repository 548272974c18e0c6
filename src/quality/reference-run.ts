import { planOf } from '../cli/run/plan.ts';
import { type RunOptions, runDefaults } from '../cli/run-options.ts';
import type { Contract } from '../contract/contract.ts';
import type { Plan } from '../engine/plan.ts';
import { type RunChecks, runChecks } from '../engine/run-checks.ts';
import { Session } from '../engine/session.ts';
import { petStore } from '../petstore/definition.ts';
import type { PetCheck } from '../petstore/index.ts';
import { type Fault, startReference, type Variant } from '../reference/index.ts';

/** The day before getPet may be removed, and the day itself. */
export const BEFORE_REMOVAL = '2030-12-04';
export const REMOVAL_DAY = '2030-12-05';

/** The API key; it has letters in both cases and digits, as the checks of part 5 need. */
const KEY = 'Quality-3f9c27d1a85be640-Key';

/** A run of some checks against the reference service. */
export interface ReferenceRun {
  readonly faults?: readonly Fault[] | undefined;
  readonly variants?: readonly Variant[] | undefined;
  /** The options of the run, where they differ from the defaults. */
  readonly options: Partial<RunOptions> & Pick<RunOptions, 'seed' | 'today'>;
  readonly checks: readonly PetCheck[];
}

/** Starts the changed reference service, hands it with the plan of the run to `use`, and stops it afterwards. */
export async function withReference<Result>(
  { faults = [], variants = [], options, checks }: ReferenceRun,
  use: (plan: Plan) => Promise<Result>,
): Promise<Result> {
  const { seed, today } = options;
  const { baseUrl, stop } = await startReference({ token: KEY, seed, today, faults, variants });
  try {
    const complete = runDefaults({ ...options, baseUrl, token: KEY });
    const selection = { options: complete, checks, replay: undefined };
    return await use(planOf(selection, petStore(), { baseUrl, ledgerFile: undefined }));
  } finally {
    await stop();
  }
}

/** Runs the checks of a plan in this thread. @param stop ends the run early */
export function runPlan(
  checks: readonly PetCheck[],
  plan: Plan,
  contract: Contract,
  stop?: AbortSignal,
): Promise<RunChecks> {
  return runChecks(new Session(petStore(), checks, plan, contract, stop === undefined ? {} : { stop }));
}
