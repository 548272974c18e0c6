import type { Line } from './line.ts';

interface Waiting {
  readonly nth: number;
  readonly enter: (line: Line) => void;
}

/** Lends lines, each to one borrower at a time. The requests of all borrowers are sent concurrently, or one alone. */
export class Lines {
  readonly #lines: readonly [Line, ...Line[]];
  #limit: number;
  readonly #lent = new Set<Line>();
  /** What waits for a line: what goes first, and all others. */
  readonly #first: Waiting[] = [];
  readonly #others: Waiting[] = [];
  /** What waits until nothing is lent, or works while nothing is. */
  #holder: (() => void) | undefined;
  /** The lines on which requests are in flight, and what waits to send one. */
  readonly #busy = new Set<Line>();
  #isOneAlone = false;
  readonly #alone: (() => void)[] = [];
  readonly #together: (() => void)[] = [];

  constructor(lines: readonly [Line, ...Line[]]) {
    this.#lines = lines;
    this.#limit = lines.length;
  }

  /** How many of them are in use. */
  get limit(): number {
    return this.#limit;
  }

  /** How many have a connection, or are about to. */
  get open(): number {
    return this.#lines.filter((line) => line.isOpen || this.#busy.has(line)).length;
  }

  /** How many have a connection on which a response came. */
  get served(): number {
    return this.#lines.filter(({ isServed }) => isServed).length;
  }

  /** Lends the nth line for some work, counted anew after the last, or the next one that is free. Rejects as the work does. */
  async lend<T>(nth: number, work: (line: Line) => Promise<T>, isFirst = false): Promise<T> {
    const line = await new Promise<Line>((enter) => {
      (isFirst ? this.#first : this.#others).push({ nth, enter });
      this.#lendNext();
    });
    try {
      return await work(line);
    } finally {
      this.#lent.delete(line);
      this.#lendNext();
    }
  }

  /** Waits until nothing is lent, and lends all lines for some work. */
  async hold<T>(work: (lines: readonly Line[]) => Promise<T>): Promise<T> {
    await new Promise<void>((enter) => {
      this.#holder = enter;
      this.#lendNext();
    });
    try {
      return await work(this.#used);
    } finally {
      this.#holder = undefined;
      this.#lendNext();
    }
  }

  /** Uses fewer lines. Who has borrowed one of the others sends alone from now on. */
  reduce(limit: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, limit));
    for (const line of this.#lines.slice(this.#limit)) if (!this.#busy.has(line)) void line.close();
  }

  /**
   * Resolves when a request may be sent; `leave` must follow.
   *
   * @param isAlone while no other line is open
   * @returns whether it is sent alone
   */
  async enter(line: Line, isAlone: boolean): Promise<boolean> {
    const sendsAlone = isAlone || this.#isRetired(line);
    await new Promise<void>((resolve) => {
      const enter = (): void => {
        this.#busy.add(line);
        resolve();
      };
      (sendsAlone ? this.#alone : this.#together).push(enter);
      this.#sendNext();
    });
    if (sendsAlone) await Promise.all(this.#lines.map((other) => other !== line && other.close()));
    return sendsAlone;
  }

  async leave(line: Line): Promise<void> {
    if (this.#isRetired(line)) await line.close();
    this.#busy.delete(line);
    this.#isOneAlone = false;
    this.#sendNext();
  }

  async close(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.close()));
  }

  #isRetired(line: Line): boolean {
    return this.#lines.indexOf(line) >= this.#limit;
  }

  #lendNext(): void {
    if (this.#holder !== undefined) {
      if (this.#lent.size === 0) this.#holder();
      return;
    }
    for (const queue of [this.#first, this.#others])
      for (let waiting = queue[0]; waiting !== undefined; waiting = queue[0]) {
        const line = this.#freeFrom(waiting.nth);
        if (line === undefined) return;
        queue.shift();
        this.#lent.add(line);
        waiting.enter(line);
      }
  }

  get #used(): readonly Line[] {
    return this.#lines.slice(0, this.#limit);
  }

  #freeFrom(nth: number): Line | undefined {
    const from = nth % this.#limit;
    return [...this.#used.slice(from), ...this.#used.slice(0, from)].find((line) => !this.#lent.has(line));
  }

  /** Others wait until what is sent alone shows whether there are too many connections. */
  #sendNext(): void {
    if (this.#isOneAlone) return;
    if (this.#alone.length === 0) for (const enter of this.#together.splice(0)) enter();
    else if (this.#busy.size === 0) {
      this.#isOneAlone = true;
      this.#alone.shift()?.();
    }
  }
}
