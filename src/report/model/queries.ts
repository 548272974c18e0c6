import type { ExchangeEvidence } from './evidence.ts';
import type {
  Cause,
  CheckResult,
  Observation,
  RequirementResult,
  RequirementStatus,
  RunResult,
  Violation,
} from './result.ts';

/** A check that failed, with its requirement (undefined where the catalogue has no such row). */
export interface FailedCheck {
  readonly check: CheckResult;
  readonly requirement: RequirementResult | undefined;
  readonly violations: readonly Violation[];
  /** The baseline lists it: it does not fail the run. */
  readonly expected: boolean;
}

/** Each value once, in the order of its first occurrence. */
export const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];

/** What the service is called that is judged where no address is given. */
export const EMBEDDED_NAME = 'the embedded reference service';

/** The exchange of a violation that was judged, beside its controls and what led up to it. */
export const judgedExchange = ({ exchanges }: Violation): ExchangeEvidence | undefined =>
  exchanges.findLast(({ role }) => role === 'judged');

/** Every failed check in the order of the run, those in the baseline too. */
export function failedChecks({ checks, requirements, baseline }: RunResult): readonly FailedCheck[] {
  const excusing = baseline?.entries.filter(({ state }) => state === 'expected');
  return checks.flatMap((check) => {
    if (check.outcome.kind !== 'failed') return [];
    const requirement = requirements.find(({ id }) => id === check.requirement);
    const isListed = excusing?.some((entry) => entry.checks.includes(check.id));
    const expected = isListed ?? requirement?.expectedFailure ?? false;
    return [{ check, requirement, violations: check.outcome.violations, expected }];
  });
}

/**
 * Why checks failed, the cause that explains most first. A failed check that no cause explains is a cause of its own; one
 * that several explain is named with the first of them.
 */
export function causesOf({ checks, causes }: Pick<RunResult, 'checks' | 'causes'>): readonly Cause[] {
  const failed = checks.flatMap(({ id, requirement, outcome }) => {
    if (outcome.kind !== 'failed' || causes.some((cause) => cause.checks.includes(id))) return [];
    const [first] = outcome.violations;
    const exchange = first && judgedExchange(first);
    const says = first?.message ?? 'the requirement is violated';
    return [{ says, requirements: [requirement], checks: [id], ...(exchange === undefined ? {} : { exchange }) }];
  });
  return [...causes, ...failed];
}

/** What was observed at open points: each pair of requirement and reading once, in the order of the run. */
export function observations({ checks }: Pick<RunResult, 'checks'>): readonly Observation[] {
  const all = checks.flatMap((check) => check.observations);
  return [...new Map(all.map((one) => [`${one.requirement}\u0000${one.reading}`, one])).values()];
}

/** The requirements of one status, grouped by their reason, in the order of the catalogue. */
export function groupedByReason({ requirements }: RunResult, status: RequirementStatus) {
  const rows = requirements.filter((row) => row.status === status);
  const reasonOf = (row: RequirementResult): string => row.reason ?? 'no reason was recorded';
  return distinct(rows.map(reasonOf)).map((reason) => ({
    reason,
    ids: rows.filter((row) => reasonOf(row) === reason).map(({ id }) => id),
  }));
}
