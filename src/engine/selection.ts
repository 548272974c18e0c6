interface Selectable {
  readonly id: string;
  readonly requirement: string;
}

/** Whether a pattern such as `LIST-2`, `LIST-*` or `AUTH-2.create` fits a check or its requirement. */
function fits({ id, requirement }: Selectable, pattern: string): boolean {
  return patternToRegExp(pattern).test(pattern.includes('.') ? id : requirement);
}

/** The checks of a plan, in its order. */
export function plannedChecks<T extends { readonly id: string }>(
  { checks }: { readonly checks: readonly string[] },
  library: readonly T[],
): readonly T[] {
  return checks.flatMap((id) => library.find((check) => check.id === id) ?? []);
}

/** The checks that the user asked for, in their own order; an empty `only` means all. */
export function selectChecks<T extends Selectable>(
  checks: readonly T[],
  only: readonly string[],
  skip: readonly string[],
): readonly T[] {
  return checks
    .filter((check) => only.length === 0 || only.some((pattern) => fits(check, pattern)))
    .filter((check) => !skip.some((pattern) => fits(check, pattern)));
}

/**
 * A pattern such as `LIST-*` as a regular expression that matches a whole name, in any letter case; `*` stands for any
 * number of characters, and everything else for itself.
 */
export function patternToRegExp(pattern: string): RegExp {
  const literal = pattern.split(/\*+/).map((part) => part.replace(/[.\\+?^${}()|[\]/-]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 'i');
}
