import type { Exchange } from '../reading/exchange.ts';
import type { Sequence } from './lasting.ts';
import type { Seen } from './seen.ts';

/** How many exchanges are kept of each connection and sequence: those that a rule compares with the next one. */
const KEPT = 3;

/** The last exchanges of each connection, and of all that was sent in order on whichever connections. */
export class Sequences {
  readonly #onConnection = new Map<number, readonly Seen[]>();
  readonly #inOrder = new Map<number, readonly Seen[]>();

  /** The exchanges before this one on its connection, oldest first. */
  onConnection({ connection, place }: Exchange): readonly Seen[] {
    return (this.#onConnection.get(connection) ?? []).filter(({ exchange }) => exchange.place < place);
  }

  /** The exchanges that were sent in order before this one, oldest first. */
  before({ sequence }: Exchange): readonly Seen[] {
    return sequence === undefined ? [] : (this.#inOrder.get(sequence) ?? []);
  }

  /** The last exchanges that were sent in order, up to this one, oldest first. */
  upTo(exchange: Exchange, length: number): Sequence {
    return [...this.before(exchange).map((one) => one.exchange), exchange].slice(-length);
  }

  learn(seen: Seen): void {
    const { connection, sequence } = seen.exchange;
    this.#onConnection.set(connection, [...(this.#onConnection.get(connection) ?? []), seen].slice(-KEPT));
    if (sequence !== undefined) this.#inOrder.set(sequence, [...this.before(seen.exchange), seen].slice(-KEPT));
  }
}
