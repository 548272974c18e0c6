/** Results that are not the shards of one run; the message names the difference, and what to do. */
export class MergeError extends Error {
  override readonly name = 'MergeError';
  readonly code:
    | 'nothing-to-merge'
    | 'target-differs'
    | 'catalogue-differs'
    | 'version-differs'
    | 'seed-differs'
    | 'profile-differs'
    | 'option-differs'
    | 'selection-differs'
    | 'shard-count-differs'
    | 'shard-repeated'
    | 'shards-missing'
    | 'shards-mixed';

  constructor(code: MergeError['code'], message: string) {
    super(`Cannot merge: ${message}`);
    this.code = code;
  }
}
