import type { Exchange } from '../http/exchange.ts';
import type { Reading } from './reading.ts';
import type { CompleteAnimal, ShownAnimal } from './seen.ts';

/** An animal of the run, as its 201 showed it. */
export interface OwnAnimal extends CompleteAnimal {
  readonly exchange: Exchange;
  readonly reading: Reading;
  readonly bytes: number;
  /** It was created without a status. */
  readonly isStatusOmitted: boolean;
}

/** An animal of other clients, as first and last seen. */
export interface OtherClientsAnimal {
  readonly animal: ShownAnimal;
  readonly first: Exchange;
  readonly isFromEarlierRun: boolean;
  /** The latest list that showed it. */
  readonly listed?: { readonly animal: ShownAnimal; readonly exchange: Exchange } | undefined;
  /** A getPet that found it, and a later one that did not. */
  readonly fetched?: Exchange | undefined;
  readonly lost?: Exchange | undefined;
}

/** A page that listPets returned. */
export interface SeenPage {
  readonly length: number;
  readonly bytes: number;
  readonly exchange: Exchange;
  readonly animals: readonly ShownAnimal[];
  /** The page with the getPet before and after it. */
  readonly fetchesAround?: readonly Exchange[];
}

/** Pages in a row that omitted an animal while nothing else was in flight. */
export interface Omission {
  readonly query: string;
  readonly animal: Pick<OwnAnimal, 'id' | 'name' | 'exchange' | 'bytes' | 'isStatusOmitted'>;
  readonly pages: readonly SeenPage[];
  /** Shows that the animal is not merely older than all on the page. */
  readonly witness?: Exchange | undefined;
}
