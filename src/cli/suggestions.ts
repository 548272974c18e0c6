import { closestMatch } from 'leven';
import { COMMAND } from '../package.ts';
import { quoted, UsageError } from './errors.ts';

/** Words that people try, by the option that they mean. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  'base-url': ['url', 'target', 'server'],
  token: ['api-key', 'bearer', 'auth'],
  profile: ['level'],
  'request-timeout': ['timeout'],
  'max-time': ['limit-time', 'duration'],
  concurrency: ['workers'],
  'rate-limit': ['rate', 'rps', 'limit'],
  report: ['format', 'reporter'],
  'report-dir': ['output', 'out'],
  only: ['grep', 'include'],
  skip: ['exclude'],
  baseline: ['known-failures', 'allowlist'],
  quiet: ['silent'],
  today: ['date'],
  'no-color': ['no-colour'],
};

/** More edits than this make another word. */
const MOST_EDITS = 3;

/** The candidate that a mistyped word most likely meant, in any letter case; undefined if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lowerCase = (text: string): string => text.toLowerCase();
  const maxDistance = Math.min(MOST_EDITS, Math.floor(word.length / 2));
  const guess = closestMatch(lowerCase(word), candidates.map(lowerCase), { maxDistance });
  return candidates.find((candidate) => lowerCase(candidate) === guess);
}

/** `; did you mean X?`, or nothing if no candidate is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const guess = nearest(word, candidates);
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

/** The option, among some, that a word stands for: by its meaning or by its letters. All without hyphens in front. */
export function optionLike(word: string, options: readonly string[]): string | undefined {
  return options.find((option) => SYNONYMS[option]?.includes(word.toLowerCase())) ?? nearest(word, options);
}

/** The error for a fault or a variant that does not exist. */
export function unknownName(source: string, name: string, all: readonly { readonly name: string }[]): UsageError {
  const names = all.map((known) => known.name);
  const what = `unknown name ${quoted(name)}${didYouMean(name, names)}`;
  return new UsageError('name-unknown', `${source}: ${what} (${COMMAND} faults lists them all)`);
}
