import type { Contract } from '../../contract/contract.ts';
import type { Check } from '../../engine/check.ts';
import type { Fault } from '../../reference/index.ts';
import { coarseMutants, fineMutants, type Mutant } from './mutant.ts';
import { breachesOf } from './trial.ts';

/** What became of the mutants of one check. */
export interface Hunt {
  readonly check: string;
  /** Faults that were tried, and those of them on which the check fails. */
  readonly tried: number;
  readonly failing: number;
  readonly trials: number;
  /** Weakened expectations that let at least one of those faults pass. */
  readonly killed: readonly string[];
  /** Weakened expectations that none of those faults needs, with what the check still reports. */
  readonly survived: readonly { readonly label: string; readonly still: string }[];
  /** Codes of the breaches that were seen. */
  readonly codes: readonly string[];
}

/** Most faults of one requirement that are tried on one check, spread over all of them. */
const MOST_FAULTS = 40;

/**
 * Weakens each expectation of a check in turn. One is needed where a fault that the check notices goes unnoticed
 * without it. One that survives is idle, or there is no fault yet that only it notices.
 *
 * @param faults those that break the check's requirement
 */
export async function hunt(check: Check, faults: readonly Fault[], contract: Contract): Promise<Hunt> {
  const step = Math.max(1, faults.length / MOST_FAULTS);
  const chosen = faults.filter((_, at) => Math.floor(at % step) === 0).slice(0, MOST_FAULTS);
  const mutants = new Map<string, Mutant>(coarseMutants(check).map((mutant) => [mutant.label, mutant]));
  const killed = new Set<string>();
  const stillSeen = new Map<string, Set<string>>();
  const codes = new Set<string>();
  let failing = 0;
  let trials = 0;
  for (const fault of chosen) {
    const seen = await breachesOf(fault, check, contract);
    trials += 1;
    if (seen.length === 0) continue;
    failing += 1;
    for (const { code } of seen) codes.add(code);
    for (const mutant of fineMutants(check, seen)) if (!mutants.has(mutant.label)) mutants.set(mutant.label, mutant);
    for (const { label, weakened, concerns } of mutants.values()) {
      if (killed.has(label) || !concerns(seen)) continue;
      trials += 1;
      const still = await breachesOf(fault, weakened, contract);
      if (still.length === 0) killed.add(label);
      for (const { code } of still) stillSeen.set(label, (stillSeen.get(label) ?? new Set()).add(code));
    }
  }
  const survived = [...mutants.keys()]
    .filter((label) => !killed.has(label))
    .map((label) => ({ label, still: [...(stillSeen.get(label) ?? [])].join(', ') }));
  return {
    check: check.id,
    tried: chosen.length,
    failing,
    trials,
    killed: [...killed],
    survived: failing === 0 ? [] : survived,
    codes: [...codes],
  };
}
