/** The request was not sent, for a reason that the target cannot be blamed for: `code` is stable. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly code: 'out-of-time' | 'throttled' | 'gave-up';
  constructor(code: NotSent['code'], message: string) {
    super(message);
    this.code = code;
  }
}
