import type { CheckResult, Observation, RequirementResult, RunResult, Violation } from './model/result.ts';
import { requirementsById } from './parts.ts';

/** A check that failed, with the requirement it judges (absent where the catalogue has no such row). */
export interface Finding {
  readonly check: CheckResult;
  readonly requirement: RequirementResult | undefined;
  readonly violations: readonly Violation[];
  /** The baseline lists the requirement: it does not fail the run. */
  readonly expected: boolean;
}

export interface HarnessFault {
  readonly check: CheckResult;
  readonly message: string;
  readonly stack: string | undefined;
}

/** Requirements that share one reason for having no verdict. */
export interface ReasonGroup {
  readonly reason: string;
  readonly requirements: readonly RequirementResult[];
}

/** Every failed check in the order of the run, those in the baseline too. */
export function findings(result: RunResult): readonly Finding[] {
  const requirements = requirementsById(result);
  return result.checks.flatMap((check) => {
    if (check.outcome.kind !== 'failed') return [];
    const requirement = requirements.get(check.requirement);
    const expected = requirement?.expectedFailure ?? false;
    return [{ check, requirement, violations: check.outcome.violations, expected }];
  });
}

/** Every fault of the suite itself. */
export function harnessFaults(result: RunResult): readonly HarnessFault[] {
  return result.checks.flatMap((check) =>
    check.outcome.kind === 'harness error'
      ? [{ check, message: check.outcome.message, stack: check.outcome.stack }]
      : [],
  );
}

/** What was seen at the open points: each requirement with each reading once, in the order of the run. */
export function readings(result: RunResult): readonly Observation[] {
  const seen = new Set<string>();
  return result.checks
    .flatMap((check) => check.observations)
    .filter((observation) => {
      const key = `${observation.requirement}\u0000${observation.reading}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}

/** The requirements of one status, grouped by their reason, in the order of the catalogue. */
export function groupedByReason(
  result: RunResult,
  status: 'not judged' | 'not applicable' | 'untestable',
): readonly ReasonGroup[] {
  const groups = new Map<string, RequirementResult[]>();
  for (const requirement of result.requirements) {
    if (requirement.status !== status) continue;
    const reason = requirement.reason ?? 'no reason was recorded';
    const group = groups.get(reason);
    if (group === undefined) groups.set(reason, [requirement]);
    else group.push(requirement);
  }
  return [...groups].map(([reason, requirements]) => ({
    reason,
    requirements,
  }));
}
