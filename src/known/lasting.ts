import type { Exchange } from '../reading/exchange.ts';

/** Exchanges that were sent in order, the last of which says something. */
export type Sequence = readonly Exchange[];

/** How often in a row something must be said before lag, a cache or another client no longer explains it. */
const TIMES = 5;

/** Whether this was said often enough in a row, and for the whole settle time (ms), however long the responses took. */
export function isLasting(said: readonly Sequence[], settleMs: number): boolean {
  const [first, last] = [said[0]?.at(-1), said.at(-1)?.[0]];
  if (said.length < TIMES || first === undefined || last === undefined) return false;
  return last.sentAt - first.answeredAt >= settleMs;
}
