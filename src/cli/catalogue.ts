/** The catalogue, as the command line uses it, and the patterns that select requirements. */

import { REQUIREMENTS } from '../contract/catalogue.prebuilt.ts';
import { type Patterns, selection } from '../run/selection.ts';
import { didYouMean, quoted, UsageError } from './errors.ts';
import type { Reader } from './options/option.ts';

/** Ids of the requirements that can be tested. */
export const TESTABLE: readonly string[] = REQUIREMENTS.filter(({ untestable }) => untestable === undefined).map(
  ({ id }) => id,
);

/** What each requirement says. */
export const REQUIREMENT_TEXTS: ReadonlyMap<string, string> = new Map(REQUIREMENTS.map(({ id, says }) => [id, says]));

const IDS = REQUIREMENTS.map(({ id }) => id);
/** Reads a pattern that matches a requirement, in capital letters like the ids. */
export const pattern: Reader<string> = (given, source) => {
  const wrong = (what: string): UsageError => new UsageError('requirement-unknown', `${source}: ${what}`);
  if (/^https?:\/\//i.test(given)) throw wrong('a URL is not a requirement; give it with --base-url');
  if (/^[A-Z]+-\d+\./i.test(given)) {
    throw wrong(`${quoted(given)} names a part of a requirement; write ${given.replace(/\..*$/, '').toUpperCase()}`);
  }
  if (IDS.some(selection({ only: [given] }))) return given.toUpperCase();
  const families = [...new Set(IDS.map((id) => id.replace(/-\d+$/, '-*')))];
  const hint = didYouMean(given, given.includes('*') ? families : [...IDS, ...families]);
  throw wrong(`no requirement matches ${quoted(given)}${hint} (npx petstore-conformance list shows them all)`);
};

/** The ids of the testable requirements that are selected. @throws UsageError if there is none */
export function selectedOf(patterns: Required<Patterns>): readonly string[] {
  const selected = TESTABLE.filter(selection(patterns));
  if (selected.length > 0) return selected;
  const which = patterns.skip.length > 0 ? '--skip' : '--only';
  const what = 'no requirement that can be tested is selected; remove a pattern from --skip, or widen --only';
  throw new UsageError('nothing-selected', `${which}: ${what}`);
}
