import type { Checked } from '../check/checked.ts';
import type { Lane, SendOptions, Tools } from '../check/script.ts';
import type { Call } from '../http/exchange.ts';
import type { Connection } from '../http/network.ts';
import type { Seen } from '../known/seen.ts';
import { Slot } from './slot.ts';

/** At least this many lanes, whatever the connections: the rows of each lane and their order then stay the same. */
export const LANES = 16;

/** What scripts need of a run. */
interface Sending extends Pick<Tools, 'known' | 'pause'> {
  /** The number of the next row of a script. */
  nextRow(): number;
  send(connection: Connection, call: Call, row: number, id?: bigint): Promise<Checked | undefined>;
  seenOf(checked: Checked): Seen;
}

/** Connections that rows and scripts borrow in turn. */
export class Lanes {
  readonly #slots: readonly Slot[];

  constructor(connections: readonly Connection[]) {
    this.#slots = connections.map((connection) => new Slot(connection));
  }

  /** Lends the connection of a lane; several lanes may share one. Scripts go first. */
  lend<T>(lane: number, work: (connection: Connection) => Promise<T>, isScript = false): Promise<T> {
    const slot = this.#slots[lane % this.#slots.length];
    if (slot === undefined) throw new RangeError('a run needs a connection');
    return slot.lend(work, isScript);
  }

  /** Waits until nothing is in flight, and keeps it so. @returns what lets all others go on */
  async hold(): Promise<() => void> {
    const { promise: released, resolve: release } = withResolver();
    const hold = (slot: Slot): Promise<void> =>
      new Promise((isHeld) => {
        const wait = (): Promise<void> => {
          isHeld();
          return released;
        };
        void slot.lend(wait, true);
      });
    await Promise.all(this.#slots.map(hold));
    return release;
  }

  /** What scripts use. */
  tools({ known, nextRow, send, seenOf, pause: wait }: Sending): Tools {
    const shownIn = (checked: Checked | undefined) =>
      checked === undefined ? { status: undefined, animals: [], length: undefined } : seenOf(checked);
    const laneOn = (connection: Connection): Lane => ({
      send: async (call, { id, row = nextRow() }: SendOptions = {}) => shownIn(await send(connection, call, row, id)),
    });
    return {
      known,
      pause: wait,
      send: (call, sending) => this.lend(nextRow(), (connection) => laneOn(connection).send(call, sending), true),
      on: (work) =>
        this.lend(
          nextRow(),
          async (connection) => {
            // A script gets a new connection, on which nothing was sent.
            await connection.close();
            return work(laneOn(connection));
          },
          true,
        ),
      together: (calls) => {
        const first = nextRow();
        return Promise.all(
          calls.map(({ call, id, row = nextRow() }, at) =>
            this.lend(first + at, (connection) => send(connection, call, row, id).then(shownIn), true),
          ),
        );
      },
    };
  }
}

/** A promise, and what resolves it. */
export function withResolver() {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

/** Waits, unless the run ends before. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}
