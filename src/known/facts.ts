import type { Exchange } from '../reading/exchange.ts';
import type { CompleteAnimal, ShownAnimal } from './seen.ts';

/** An animal of the run, as its 201 showed it. */
export interface OwnAnimal extends CompleteAnimal {
  readonly exchange: Exchange;
  readonly bytes: number;
  /** It was created without a status. */
  readonly isStatusOmitted: boolean;
}

/** An animal of other clients, as first and last seen. */
export interface OtherClientsAnimal {
  readonly animal: ShownAnimal;
  readonly first: Exchange;
  /** The latest list that showed it. */
  readonly listed?: { readonly animal: ShownAnimal; readonly exchange: Exchange } | undefined;
  /** A getPet that found it, and a later one that did not. */
  readonly fetched?: Exchange | undefined;
  /** How long the body of that response was. */
  readonly bytes?: number | undefined;
  readonly lost?: Exchange | undefined;
}

/** A page that listPets returned. */
export interface SeenPage {
  readonly length: number;
  readonly bytes: number;
  readonly exchange: Exchange;
  readonly ids: ReadonlySet<bigint | undefined>;
  /** Of the largest animal of the run that it leaves out. */
  readonly bytesLeftOut: number;
  /** When the oldest animal of the run on it was added, if it may have ended there, newest first; -Infinity if it has not ended before any. */
  readonly endsAt: number;
  /** The creations of the animals that show this. */
  readonly endShownBy: readonly Exchange[];
  /** The getPet before and after it that found what it leaves out, if that is an animal of another client. */
  readonly around?: readonly [Exchange, Exchange];
}
