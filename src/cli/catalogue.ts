/** What the command line knows of the specification: the catalogue and the names of its parts. */

import { REQUIREMENTS } from '../petstore/catalogue.prebuilt.ts';
import { PET_STORE } from '../petstore/description.ts';
import type { ReportContext } from '../report/blocks.ts';
import { didYouMean, quoted, UsageError } from './errors.ts';

export { REQUIREMENTS };

/** Ids of the requirements that can be tested. */
export const TESTABLE: readonly string[] = REQUIREMENTS.filter(({ untestable }) => untestable === undefined).map(
  ({ id }) => id,
);

/** What each requirement says. */
export const SAYINGS: ReadonlyMap<string, string> = new Map(REQUIREMENTS.map(({ id, says }) => [id, says]));

/** What reports need beside a result. */
export const contextOf = (reportDir: string, history?: ReportContext['history']): ReportContext => ({
  service: PET_STORE,
  command: 'npx petstore-conformance',
  reportDir,
  history,
});

/** The ids that a pattern such as `LIST-*` matches, in any letter case. */
export function matching(pattern: string): readonly string[] {
  const source = pattern.replace(/[^A-Za-z0-9]/g, (sign) => (sign === '*' ? '.*' : `\\${sign}`));
  const expression = new RegExp(`^${source}$`, 'i');
  return REQUIREMENTS.map(({ id }) => id).filter((id) => expression.test(id));
}

/** Patterns of requirements; each matches at least one. Letter case is corrected. @throws UsageError */
export function readPatterns(source: string, patterns: readonly string[]): readonly string[] {
  for (const pattern of patterns) {
    const wrong = (what: string): UsageError => new UsageError('requirement-unknown', `${source}: ${what}`);
    if (/^https?:\/\//i.test(pattern)) throw wrong('a URL is not a requirement; give it with --base-url');
    if (/^[A-Z]+-\d+\./i.test(pattern)) {
      throw wrong(
        `${quoted(pattern)} names a part of a requirement; write ${pattern.replace(/\..*$/, '').toUpperCase()}`,
      );
    }
    if (matching(pattern).length > 0) continue;
    const ids = REQUIREMENTS.map(({ id }) => id);
    const families = [...new Set(ids.map((id) => id.replace(/-\d+$/, '-*')))];
    const hint = didYouMean(pattern, pattern.includes('*') ? families : [...ids, ...families]);
    throw wrong(`no requirement matches ${quoted(pattern)}${hint} (npx petstore-conformance list shows them all)`);
  }
  return [...new Set(patterns.map((pattern) => pattern.toUpperCase()))];
}

/** The ids of testable requirements that are chosen. @throws UsageError where none is */
export function chosenOf({ only, skip }: Record<'only' | 'skip', readonly string[]>): readonly string[] {
  const wanted = only.length === 0 ? TESTABLE : only.flatMap(matching);
  const left = skip.flatMap(matching);
  const chosen = TESTABLE.filter((id) => wanted.includes(id) && !left.includes(id));
  if (chosen.length > 0) return chosen;
  const which = skip.length > 0 ? '--skip' : '--only';
  const what = 'no requirement that can be tested is selected; remove a pattern from --skip, or widen --only';
  throw new UsageError('nothing-selected', `${which}: ${what}`);
}
