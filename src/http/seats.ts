import type { Line } from './line.ts';
import { ended } from './stop.ts';

/** A private connection is closed for others only after it was idle for this long (ms). */
const PRIVATE_IDLE_MS = 100;

interface Waiting {
  readonly line: Line;
  readonly isAlone: boolean;
  readonly enter: () => void;
  readonly giveUp: () => void;
}

/**
 * Limits open connections: a line needs a seat to be open. One request at a time is in flight on a line. If no seat is
 * free, an idle line is closed and gives up its seat. First come, first served, but what is sent alone goes first.
 */
export class Seats {
  #waiting = new Set<Waiting>();
  readonly #seated = new Set<Line>();
  #limit: number;
  #closing = 0;
  #hasOneAlone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  /** How many lines may have a connection. */
  get open(): number {
    return this.#seated.size + this.#closing;
  }

  /** How many lines have a connection on which a response came. */
  get served(): number {
    return [...this.#seated].filter(({ isServed }) => isServed).length;
  }

  /** Reduces the number of seats. */
  reduce(limit: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, limit));
    this.#next();
  }

  /**
   * Resolves when a request may be sent on a line; `leave` must follow.
   *
   * @param isAlone only when no other line is open
   * @throws Stopped
   */
  enter(line: Line, isAlone = false): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        line,
        isAlone,
        enter: () => {
          this.#waiting.delete(waiting);
          this.#seated.add(line);
          line.isBusy = true;
          resolve();
        },
        giveUp: () => reject(ended()),
      };
      // Others wait until what is sent alone shows whether there are too many connections.
      this.#waiting = new Set(isAlone ? [waiting, ...this.#waiting] : [...this.#waiting, waiting]);
      this.#next();
    });
  }

  leave(line: Line): void {
    line.isBusy = false;
    line.idleSince = performance.now();
    this.#hasOneAlone = false;
    this.#next();
  }

  /** Closes a line, which gives up its seat. */
  async close(line: Line): Promise<void> {
    const hadSeat = this.#seated.delete(line);
    if (hadSeat) this.#closing += 1;
    await line.close();
    if (hadSeat) this.#closing -= 1;
    this.#next();
  }

  /** Closes all lines; requests that wait are not sent. */
  async closeAll(): Promise<void> {
    clearTimeout(this.#timer);
    for (const { giveUp } of this.#waiting) giveUp();
    this.#waiting.clear();
    await Promise.all([...this.#seated].map((line) => this.close(line)));
  }

  #next(): void {
    for (let over = this.#seated.size - this.#limit; over > 0 && this.#closeIdle(); over -= 1);
    let wanted = 0;
    for (const waiting of this.#waiting) {
      if (this.#hasOneAlone) return;
      if (waiting.isAlone) {
        if ([...this.#seated].some(({ isBusy }) => isBusy)) return;
        for (const line of this.#seated) void this.close(line);
        if (this.#closing > 0) return;
        this.#hasOneAlone = true;
        waiting.enter();
      } else if (!waiting.line.isBusy) {
        const isSeated = this.#seated.has(waiting.line);
        if (isSeated || this.#seated.size + this.#closing < this.#limit) waiting.enter();
        else {
          wanted += 1;
          if (wanted > this.#closing) this.#closeIdle();
        }
      }
    }
  }

  /** Closes the line that was idle for longest, if any may be closed. */
  #closeIdle(): boolean {
    const idle = [...this.#seated].filter(({ isBusy }) => !isBusy).sort((a, b) => a.idleSince - b.idleSince);
    const line = idle.find(({ isPrivate }) => !isPrivate) ?? idle[0];
    if (line === undefined) return false;
    const left = line.isPrivate ? line.idleSince + PRIVATE_IDLE_MS - performance.now() : 0;
    if (left > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#next(), Math.ceil(left));
      return false;
    }
    void this.close(line);
    return true;
  }
}
