/** A baseline that cannot be used; the message names the file, the line, what is wrong and what to do. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
  readonly code: 'baseline-not-yaml' | 'baseline-invalid' | 'baseline-unknown-id' | 'baseline-repeated';

  constructor(code: BaselineError['code'], message: string) {
    super(`${message} (${code})`);
    this.code = code;
  }
}
