import { closestMatch } from 'leven';

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
