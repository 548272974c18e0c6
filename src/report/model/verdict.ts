import { count } from '../formats/excerpt.ts';
import type { Baseline, CheckResult, RequirementResult, RunResult, Verdict } from './result.ts';

/** A verdict with its exit code and the sentence that says why. */
export interface Conclusion {
  readonly verdict: Verdict;
  readonly exitCode: RunResult['exitCode'];
  readonly conclusion: string;
}

export interface VerdictInput {
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
  readonly baseline?: Baseline | undefined;
}

/** Of the requirements that a run set out to judge, this share must have been judged for a verdict to stand. */
const ENOUGH = 0.5;

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, 5).join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}

/**
 * The verdict by the policy, strongest first: a violation that nobody expected (1), a stale entry of the baseline (1),
 * a fault of the suite (2), nothing or too little judged (3), and only then conformance (0).
 *
 * What an option of the user's kept from being judged (`--read-only`) does not count as too little; that nothing at
 * all was judged always does.
 */
export function concludeVerdict({ requirements, checks, baseline }: VerdictInput): Conclusion {
  const violated = requirements.filter((row) => row.status === 'violated' && !row.expectedFailure).map((row) => row.id);
  const stale = baseline?.stale ?? [];
  const faults = checks.filter((check) => check.outcome.kind === 'harness error').map((check) => check.id);
  const alsoFaults = faults.length === 0 ? '' : ` The suite itself failed in ${named(faults)}.`;
  if (violated.length > 0) {
    const verb = violated.length === 1 ? 'is' : 'are';
    const conclusion = `Does not conform: ${count(violated.length, 'requirement')} ${verb} violated (${named(violated)}).${alsoFaults}`;
    return { verdict: 'violations', exitCode: 1, conclusion };
  }
  if (stale.length > 0) {
    const conclusion = `Expected failures that hold must leave the baseline: ${named(stale)}.${alsoFaults}`;
    return { verdict: 'violations', exitCode: 1, conclusion };
  }
  if (faults.length > 0) {
    const conclusion = `No verdict: the suite itself failed in ${named(faults)}, which says nothing about the service.`;
    return { verdict: 'suite fault', exitCode: 2, conclusion };
  }
  const judged = requirements.filter((row) => row.status === 'holds' || row.status === 'violated').length;
  const byOption = new Set(
    checks.flatMap(({ outcome, requirement }) =>
      outcome.kind === 'inconclusive' && outcome.byOption ? [requirement] : [],
    ),
  );
  const open = requirements.filter((row) => row.status === 'not judged' && !byOption.has(row.id)).length;
  if (judged === 0) {
    return {
      verdict: 'not judged',
      exitCode: 3,
      conclusion: 'No verdict: not one requirement could be judged.',
    };
  }
  if (judged < (judged + open) * ENOUGH) {
    const conclusion = `No verdict: ${open} of ${count(judged + open, 'requirement')} could not be judged.`;
    return { verdict: 'not judged', exitCode: 3, conclusion };
  }
  const expected = requirements.filter((row) => row.status === 'violated').length;
  const conclusion =
    expected === 0
      ? 'Conforms: every requirement that was judged holds.'
      : `Conforms but for ${count(expected, 'expected failure')}.`;
  return { verdict: 'conforms', exitCode: 0, conclusion };
}
