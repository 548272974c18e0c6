import type { MutationResult } from './mutation-test.ts';

/** Why something that mutation testing finds is as it should be. */
export interface Explanation {
  /** A mutant as `check: the check that …`, a check that fails on no fault, or a code that no fault leads to. */
  readonly of: readonly string[];
  readonly because: string;
}

/** What mutation testing has found, and what of it is not explained. */
export interface Assessment {
  /** In the order of the checks, a line for each finding without an explanation. */
  readonly unexplained: readonly string[];
  /** Explanations of what was not found. */
  readonly outdated: readonly string[];
  readonly explained: number;
}

/**
 * Holds the findings against their explanations.
 *
 * @param unusedCodes undefined where not all checks were tested
 */
export function assess(
  results: readonly MutationResult[],
  unusedCodes: readonly string[] | undefined,
  explanations: readonly Explanation[],
): Assessment {
  const found = new Map<string, string>();
  for (const { check, survived, failing, tried } of results) {
    for (const { label, stillReports } of survived) {
      const reason = stillReports === '' ? 'no fault needs this expectation' : `it still reports ${stillReports}`;
      found.set(`${check}: the check that ${label}`, `survived  ${check}: the check that ${label}; ${reason}`);
    }
    if (failing === 0) found.set(check, `unproven  ${check}: fails on none of ${tried} faults`);
  }
  for (const code of unusedCodes ?? []) {
    found.set(code, `unused    ${code}: no fault of a check's own requirement leads to it`);
  }
  const explained = explanations.flatMap(({ of }) => of);
  const tested = new Set(results.map(({ check }) => check));
  const isTested = (what: string): boolean => unusedCodes !== undefined || tested.has(what.split(':')[0] ?? '');
  return {
    unexplained: [...found].flatMap(([what, line]) => (explained.includes(what) ? [] : [line])),
    outdated: explained
      .filter((what) => isTested(what) && !found.has(what))
      .map((what) => `outdated  ${what}: explained, but not found`),
    explained: explained.filter((what) => found.has(what)).length,
  };
}
