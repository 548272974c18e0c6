import type { Exchange } from '../http/exchange.ts';
import type { Reading } from './reading.ts';
import type { CompleteAnimal, ShownAnimal } from './seen.ts';

/** An animal of the run, as its 201 showed it. */
export interface OwnAnimal extends CompleteAnimal {
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly bytes: number;
  /** Its body left the status out. */
  readonly isStatusOmitted: boolean;
}

/** An animal of other clients, as it was first seen, and as each operation showed it last. */
export interface OtherClientsAnimal {
  readonly animal: ShownAnimal;
  readonly first: Exchange;
  readonly isFromEarlierRun: boolean;
  /** As a list showed it last. */
  readonly listed?: { readonly animal: ShownAnimal; readonly exchange: Exchange } | undefined;
  /** A fetch that found it, and a later one that did not. */
  readonly fetched?: Exchange | undefined;
  readonly lost?: Exchange | undefined;
}

/** A page of a query. */
export interface SeenPage {
  readonly length: number;
  readonly bytes: number;
  readonly exchange: Exchange;
  readonly animals: readonly ShownAnimal[];
  /** The fetches on either side of it. */
  readonly fetchesAround?: readonly Exchange[];
}

/** How often in a row a page left out an animal while nothing else was under way. */
export interface Omission {
  readonly query: string;
  readonly animal: Pick<OwnAnimal, 'id' | 'name' | 'exchange' | 'bytes' | 'isStatusOmitted'>;
  readonly pages: readonly SeenPage[];
  /** What shows that the animal is not merely older than all that a page holds. */
  readonly witness?: Exchange | undefined;
}
