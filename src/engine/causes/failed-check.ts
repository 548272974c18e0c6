import type { Finding, Series } from '../wrong-answers.ts';

/** A check that failed, as far as the cause depends on it. */
export interface FailedCheck {
  readonly id: string;
  readonly requirement: string;
  readonly kind: 'stated' | 'derived' | 'open';
  /** The operation that the requirement is stated for; undefined where it is about several. */
  readonly operation: string | undefined;
  /** On how many answers it was judged, and how many of them were wrong. */
  readonly judged: number;
  readonly violated: number;
  /** The requirements that could not be judged because of this one. */
  readonly blocks: readonly string[];
  readonly findings: readonly Finding[];
  readonly series: readonly Series[];
}
