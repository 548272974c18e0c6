import type { Catalogue } from '../../engine/catalogue.ts';
import { COMMAND } from '../../package.ts';
import { quoted, UsageError } from '../errors.ts';
import { didYouMean } from '../suggestions.ts';

/**
 * Patterns of requirements, such as `LIST-2` and `LIST-*`, or of single checks, such as `AUTH-2.createPet`; one text
 * may hold several, separated by commas. Each must match a requirement; letter case is corrected.
 * @throws UsageError
 */
export function readPatterns(source: string, texts: readonly string[], catalogue: Catalogue): readonly string[] {
  const patterns = texts.flatMap((text) => text.split(',')).map((text) => readPattern(source, text.trim(), catalogue));
  return [...new Set(patterns)];
}

/** The requirements that a pattern names, and the check of them, if it names one. */
function split(pattern: string): readonly [requirement: string, check: string | undefined] {
  const [, requirement = '', check] = /^([^.]*)(?:\.(.*))?$/s.exec(pattern) ?? [];
  return [requirement, check];
}

function readPattern(source: string, pattern: string, catalogue: Catalogue): string {
  const wrong = (what: string): UsageError => new UsageError('requirement-unknown', `${source}: ${what}`);
  if (/^https?:\/\//i.test(pattern)) throw wrong('a URL is not a requirement; give it with --base-url');
  const [requirement, check] = split(pattern);
  if (requirement === '' || check === '') {
    throw wrong(`${quoted(pattern)} is not a requirement; write an id such as LIST-2 or LIST-*`);
  }
  if (catalogue.matching(requirement).length === 0) {
    const ids = catalogue.requirements.map(({ id }) => id);
    const families = ids.map((id) => id.replace(/-\d+$/, '-*'));
    const hint = didYouMean(requirement, requirement.includes('*') ? families : [...ids, ...families]);
    throw wrong(`no requirement matches ${quoted(requirement)}${hint} (${COMMAND} list shows them all)`);
  }
  return check === undefined ? requirement.toUpperCase() : `${requirement.toUpperCase()}.${check}`;
}

/** @throws UsageError if `--skip` removes all that `--only` selects */
export function refuseEmptySelection(only: readonly string[], skip: readonly string[], catalogue: Catalogue): void {
  const idsOf = (patterns: readonly string[]): readonly string[] =>
    patterns.flatMap((pattern) => catalogue.matching(split(pattern)[0]).map(({ id }) => id));
  // A pattern of single checks does not remove the other checks of its requirement.
  const skipped = new Set(idsOf(skip.filter((pattern) => split(pattern)[1] === undefined)));
  const selected = idsOf(only.length === 0 ? ['*'] : only.filter((pattern) => !skip.includes(pattern)));
  if (selected.some((id) => !skipped.has(id))) return;
  throw new UsageError(
    'nothing-selected',
    '--skip: no check is left to run; remove a pattern from it, or widen --only',
  );
}
