import { excerpt, printable } from '../report/text.ts';

/** What can be wrong with a command line; stable, for programs that handle the error. */
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
 * The user asked for something that cannot be done. The message is one line without secrets: the option, what is wrong
 * with it, and the next step.
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

/** What the user typed, safe to repeat in one line: quoted, escaped and cut. Never for a secret. */
export const quoted = (text: string): string => `"${printable(excerpt(text, 80))}"`;

/** Whether the working folder was removed, as Node.js notices where it resolves a path or starts a thread. */
export const isFolderGone = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
