import { UsageError } from './errors.ts';
import { nearest } from './nearest.ts';
import { quoted } from './quoted.ts';

/** What the command line needs of the catalogue. */
export interface RequirementIds {
  readonly requirements: readonly { readonly id: string }[];
  matching(pattern: string): readonly { readonly id: string }[];
}

/** One pattern: a requirement, or some, before the first dot, and the check of it, if one is named, behind. */
interface Pattern {
  readonly requirement: string;
  readonly check: string | undefined;
}

function splitPattern(pattern: string): Pattern {
  const dot = pattern.indexOf('.');
  return dot < 0
    ? { requirement: pattern, check: undefined }
    : { requirement: pattern.slice(0, dot), check: pattern.slice(dot + 1) };
}

/**
 * Patterns such as `LIST-2`, `LIST-*` and `AUTH-2.createPet`, separated by commas or given one by one.
 * Each must fit a requirement of the catalogue; letter case is mended.
 * @throws UsageError
 */
export function readPatterns(option: string, texts: readonly string[], catalogue: RequirementIds): readonly string[] {
  const patterns = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  return [...new Set(patterns.map((pattern) => readPattern(option, pattern, catalogue)))];
}

function readPattern(option: string, pattern: string, catalogue: RequirementIds): string {
  if (/^https?:\/\//i.test(pattern)) {
    throw new UsageError('requirement-unknown', `${option}: an address is no requirement; give it with --base-url`);
  }
  const { requirement, check } = splitPattern(pattern);
  if (requirement === '' || check === '') {
    throw new UsageError(
      'requirement-unknown',
      `${option}: ${quoted(pattern)} names no requirement; write an id such as LIST-2 or LIST-*`,
    );
  }
  if (catalogue.matching(requirement).length === 0) {
    const guess = nearestPattern(requirement, catalogue);
    const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
    throw new UsageError(
      'requirement-unknown',
      `${option}: no requirement fits ${quoted(requirement)}${hint} (npm test list shows them all)`,
    );
  }
  const mended = requirement.toUpperCase();
  return check === undefined ? mended : `${mended}.${check}`;
}

function nearestPattern(pattern: string, catalogue: RequirementIds): string | undefined {
  const ids = catalogue.requirements.map(({ id }) => id);
  const families = [...new Set(ids.map((id) => id.replace(/-\d+$/, '-*')))];
  return nearest(pattern, pattern.includes('*') ? families : [...ids, ...families]);
}

/** @throws UsageError where `--skip` takes away all that `--only` lets in */
export function refuseEmptySelection(
  only: readonly string[],
  skip: readonly string[],
  catalogue: RequirementIds,
): void {
  const idsOf = (patterns: readonly string[]): string[] =>
    patterns.flatMap((pattern) => catalogue.matching(splitPattern(pattern).requirement).map(({ id }) => id));
  // A pattern that names single checks leaves the others of its requirement.
  const skipped = new Set(idsOf(skip.filter((pattern) => splitPattern(pattern).check === undefined)));
  const wanted = only.filter((pattern) => !skip.includes(pattern));
  const chosen = only.length === 0 ? catalogue.requirements.map(({ id }) => id) : idsOf(wanted);
  const left = chosen.some((id) => !skipped.has(id));
  if (!left)
    throw new UsageError(
      'nothing-selected',
      '--skip: nothing is left to judge; take a pattern out of it, or widen --only',
    );
}
