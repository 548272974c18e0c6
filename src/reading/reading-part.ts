import type { OpenPoint } from './points.ts';

/** What a part of a request says: the query, the id or the body. */
export interface PartReading {
  readonly kind: 'valid' | 'invalid' | 'open';
  readonly requirement: string;
  readonly points: readonly OpenPoint[];
  readonly unusual: readonly string[];
  /** Why a gateway may reject it. */
  readonly gateway?: string | undefined;
}
