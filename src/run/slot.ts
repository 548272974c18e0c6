import type { Connection } from '../http/network.ts';

/** A connection that is lent: to a row for its request, or to a script, which goes first, for as long as it needs it. */
export class Slot {
  readonly connection: Connection;
  readonly #scripts: (() => void)[] = [];
  readonly #rows: (() => void)[] = [];
  #isLent = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Runs some work when it is its turn. Rejects as the work does. */
  async lend<T>(work: (connection: Connection) => Promise<T>, isScript = false): Promise<T> {
    if (this.#isLent) await new Promise<void>((resolve) => (isScript ? this.#scripts : this.#rows).push(resolve));
    this.#isLent = true;
    try {
      return await work(this.connection);
    } finally {
      const next = this.#scripts.shift() ?? this.#rows.shift();
      if (next === undefined) this.#isLent = false;
      else next();
    }
  }
}
