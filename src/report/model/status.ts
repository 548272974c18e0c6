import type { CheckResult, RequirementResult } from './result.ts';

/** What a run says of a requirement, and why where that is not a verdict. */
export type RequirementOutcome = Pick<RequirementResult, 'status' | 'reason'>;

/** What the results of its checks say of a requirement; undefined where there are none. */
export function statusByChecks(checks: readonly CheckResult[]): RequirementOutcome | undefined {
  const outcomes = checks.map(({ outcome }) => outcome);
  if (outcomes.length === 0) return undefined;
  if (outcomes.some(({ kind }) => kind === 'failed')) return { status: 'violated' };
  const internal = outcomes.find((outcome) => outcome.kind === 'harness error')?.message;
  if (internal !== undefined) return { status: 'not judged', reason: `the suite itself failed (${internal})` };
  if (outcomes.some(({ kind }) => kind === 'passed')) return { status: 'holds' };
  const inconclusive = outcomes.find((outcome) => outcome.kind === 'inconclusive');
  if (inconclusive !== undefined) return { status: 'not judged', reason: inconclusive.reason };
  const notApplicable = outcomes.find((outcome) => outcome.kind === 'not applicable');
  return { status: 'not applicable', reason: notApplicable?.reason ?? 'it does not apply' };
}
