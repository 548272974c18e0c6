/** What can be wrong with a command line; stable, for whoever handles the error in code. */
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
  | 'key-missing'
  | 'file-unreadable'
  | 'file-unwritable'
  | 'results-differ'
  | 'name-unknown'
  | 'creation-declined';

/**
 * The user asked for something that cannot be done. The message is exactly one line that names the option, what was
 * wrong with it, and the mend; it never holds the value of a secret. The exit code is 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: UsageErrorCode;

  constructor(code: UsageErrorCode, message: string) {
    super(message.replace(/\s*[\r\n\u2028\u2029]\s*/g, ' '));
    this.code = code;
  }
}
