import type { Check } from './check.ts';

/** Whether an id fits a pattern such as `LIST-2`, `LIST-*` or `AUTH-2.createPet`. */
function fits(check: Check, pattern: string): boolean {
  const subject = pattern.includes('.') ? check.id : check.requirement;
  const expression = pattern.split('*').map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'));
  return new RegExp(`^${expression.join('.*')}$`, 'i').test(subject);
}

/** The checks that the user asked for, in the order of the specification. */
export function selectChecks(
  checks: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): readonly Check[] {
  return checks
    .filter((check) => only.length === 0 || only.some((pattern) => fits(check, pattern)))
    .filter((check) => !skip.some((pattern) => fits(check, pattern)));
}
