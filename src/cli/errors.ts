import { closestMatch } from 'leven';
import { FileError } from '../result/files.ts';
import { excerpt, printable } from '../text.ts';

/** What can be wrong with the options; stable, for programs that handle the error. */
export type UsageErrorCode =
  | 'option-unknown'
  | 'option-value-missing'
  | 'option-conflict'
  | 'option-swallowed-by-npm'
  | 'argument-unexpected'
  | 'argument-missing'
  | 'command-unknown'
  | 'value-invalid'
  | 'requirement-unknown'
  | 'nothing-selected'
  | 'target-missing'
  | 'key-missing'
  | 'file-unreadable'
  | 'file-unwritable'
  | 'baseline-invalid'
  | 'replay-invalid'
  | 'history-empty'
  | 'name-unknown'
  | 'creation-declined'
  | 'vitest-unsuitable';

/**
 * The options or arguments are wrong. The message is one line without secrets: the option, what is wrong with it, and
 * the next step.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string, options?: ErrorOptions) {
    super(message.replace(/\s*[\r\n\u2028\u2029]\s*/g, ' '), options);
    this.code = code;
  }
}

/** The error for a bad value; `source` is the option or the variable that it came from. */
export const invalid = (source: string, what: string): UsageError =>
  new UsageError('value-invalid', `${source}: ${what}`);

/** The error for options that cannot be combined. */
export const conflict = (message: string): UsageError => new UsageError('option-conflict', message);

/** What the user typed, quoted, escaped and cut, so that a line can repeat it. Never for a secret. */
export const quoted = (text: string): string => `"${printable(excerpt(text, 80))}"`;

/**
 * Uses a file that an option or an argument names.
 * @throws UsageError if the file cannot be used
 */
export async function withFile<T>(source: string, code: UsageErrorCode, use: () => T | Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    throw cause instanceof FileError ? new UsageError(code, `${source}: ${cause.message}`, { cause }) : cause;
  }
}

/** `; did you mean X?` for the candidate that a mistyped word most likely meant, or nothing if none is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  // With more edits, it would be another word.
  const maxDistance = Math.min(3, Math.floor(word.length / 2));
  const small = candidates.map((candidate) => candidate.toLowerCase());
  const closest = closestMatch(word.toLowerCase(), small, { maxDistance });
  const meant = candidates.find((candidate) => candidate.toLowerCase() === closest);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
