import { UsageError } from './errors.ts';
import { nearest } from './nearest.ts';
import { quoted } from './quoted.ts';

/** One of some words. @throws UsageError with the nearest */
export function oneOf<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text.trim());
  if (found !== undefined) return found;
  const guess = nearest(text, choices);
  const hint =
    guess === undefined ? `it is one of ${choices.join(', ')}` : `did you mean ${guess}? (of ${choices.join(', ')})`;
  throw new UsageError('value-invalid', `${option}: ${quoted(text)} is not known; ${hint}`);
}

/** Names separated by commas or given one by one, each once. */
export function readNames(texts: readonly string[] | undefined): readonly string[] {
  return [...new Set((texts ?? []).flatMap((text) => text.split(',')).map((text) => text.trim()))];
}
