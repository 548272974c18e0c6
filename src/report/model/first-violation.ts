import type { CheckResult, FirstViolation, RequirementResult } from './result.ts';
import { count } from './text.ts';

/** The code of what was not judged because the run had ended at its first violation (`--fail-fast`). */
export const FIRST_VIOLATION = 'first-violation';

/** The violation that ended a run, with how many requirements were not judged because of that. */
export function firstViolation(
  first: Pick<FirstViolation, 'check' | 'requirement'>,
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
): FirstViolation {
  const leftOut = new Set(
    checks.flatMap(({ requirement, outcome }) =>
      outcome.kind === 'inconclusive' && outcome.code === FIRST_VIOLATION ? requirement : [],
    ),
  );
  const unjudged = requirements.filter(({ id, status }) => status === 'not judged' && leftOut.has(id));
  return { check: first.check, requirement: first.requirement, leftOut: unjudged.length };
}

/** `The run ended at the first violation (--fail-fast); 78 requirements were not judged.` */
export function firstViolationText({ leftOut }: FirstViolation): string {
  const were = leftOut === 1 ? 'was' : 'were';
  const unjudged = leftOut === 0 ? '' : `; ${count(leftOut, 'requirement')} ${were} not judged`;
  return `The run ended at the first violation (--fail-fast)${unjudged}.`;
}
