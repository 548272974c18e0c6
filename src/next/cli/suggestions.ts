import { closestMatch } from 'leven';

/** Words that people try, by the option that they mean. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  'base-url': ['url', 'target', 'server'],
  token: ['api-key', 'bearer', 'auth', 'token-env'],
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
};

/** More edits than this make another word. */
const MOST_EDITS = 3;

/** The candidate that a mistyped word most likely meant, in any letter case. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const maxDistance = Math.min(MOST_EDITS, Math.floor(word.length / 2));
  const small = candidates.map((candidate) => candidate.toLowerCase());
  const guess = closestMatch(word.toLowerCase(), small, { maxDistance });
  return candidates.find((candidate) => candidate.toLowerCase() === guess);
}

/** `; did you mean X?`, or nothing where no candidate is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const guess = nearest(word, candidates);
  return guess === undefined ? '' : `; did you mean ${guess}?`;
}

/** The option that a word stands for, by its meaning or by its letters. All without hyphens in front. */
export const optionLike = (word: string, options: readonly string[]): string | undefined =>
  options.find((option) => SYNONYMS[option]?.includes(word.toLowerCase())) ?? nearest(word, options);
