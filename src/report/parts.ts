import type { CheckResult, RequirementResult, RunResult } from './model/result.ts';

/** The parts of the specification in its own order, with the short names that reports use. */
const TITLES: readonly (readonly [part: string, title: string])[] = [
  ['1', 'Service'],
  ['2', 'Fields'],
  ['3', 'States'],
  ['4.1', 'listPets'],
  ['4.2', 'createPet'],
  ['4.3', 'getPet'],
  ['4.4', 'Other operations'],
  ['5', 'Authentication'],
  ['6', 'Events'],
  ['7', 'Errors'],
  ['8', 'Limits'],
  ['9', 'Versioning'],
];

/** One part of the specification with what the run has of it. */
export interface PartResult {
  readonly part: string;
  readonly title: string;
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
}

/** The short name of a part; the number itself for a part that the specification does not have. */
export function partTitle(part: string): string {
  return TITLES.find(([number]) => number === part)?.[1] ?? `Part ${part}`;
}

/** The requirement of each id. */
export function requirementsById(result: RunResult): ReadonlyMap<string, RequirementResult> {
  return new Map(result.requirements.map((requirement) => [requirement.id, requirement]));
}

/**
 * Requirements and checks by part, in the order of the specification; parts that have neither are left out. A check
 * whose requirement is not in the catalogue comes last, under `Not in the catalogue`, so that it is never lost.
 */
export function byPart(result: RunResult): readonly PartResult[] {
  const requirements = requirementsById(result);
  const partOf = (check: CheckResult): string | undefined => requirements.get(check.requirement)?.part;
  const further = [...new Set(result.requirements.map((requirement) => requirement.part))].filter(
    (part) => !TITLES.some(([number]) => number === part),
  );
  const parts = [...TITLES.map(([number]) => number), ...further].map((part) => ({
    part,
    title: partTitle(part),
    requirements: result.requirements.filter((requirement) => requirement.part === part),
    checks: result.checks.filter((check) => partOf(check) === part),
  }));
  const strays = result.checks.filter((check) => partOf(check) === undefined);
  const stray = {
    part: '',
    title: 'Not in the catalogue',
    requirements: [],
    checks: strays,
  };
  return [...parts, stray].filter((part) => part.requirements.length > 0 || part.checks.length > 0);
}
