import type { Connection } from '../http/network.ts';

/** A connection that is lent: to a row for its request, or to a script for as long as it needs it. */
export class Slot {
  readonly connection: Connection;
  #last: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Runs some work once all earlier work is done. Rejects as the work does. */
  lend<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const lent = this.#last.then(() => work(this.connection));
    this.#last = lent.catch(() => undefined);
    return lent;
  }
}
