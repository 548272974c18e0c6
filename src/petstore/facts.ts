import type { Exchange } from '../http/exchange.ts';
import type { Reading } from './reading.ts';
import type { Shown, Whole } from './seen.ts';

/** An animal of the run, as its 201 showed it. */
export interface Own extends Whole {
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly bytes: number;
  /** Its body left the status out. */
  readonly isStatusOmitted: boolean;
}

/** An animal of other clients, as it was first seen, and as each operation showed it last. */
export interface Other {
  readonly animal: Shown;
  readonly first: Exchange;
  readonly isOfAnEarlierRun: boolean;
  /** As a list showed it last. */
  readonly listed?: { readonly animal: Shown; readonly exchange: Exchange } | undefined;
  /** A fetch that found it, and a later one that did not. */
  readonly fetched?: Exchange | undefined;
  readonly lost?: Exchange | undefined;
}

/** A page of a query. */
export interface PageSeen {
  readonly length: number;
  readonly bytes: number;
  readonly exchange: Exchange;
  readonly animals: readonly Shown[];
  /** The fetches on either side of it. */
  readonly around?: readonly Exchange[];
}

/** How often in a row a page left out an animal while nothing else was under way. */
export interface LeftOut {
  readonly query: string;
  readonly animal: Pick<Own, 'id' | 'name' | 'exchange' | 'bytes' | 'isStatusOmitted'>;
  readonly pages: readonly PageSeen[];
  /** What shows that the animal is not merely older than all that a page holds. */
  readonly witness?: Exchange | undefined;
}
