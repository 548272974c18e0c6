import { setTimeout } from 'node:timers/promises';
import type { Learned } from '../check/checker.ts';
import type { BorrowedLane, SendOptions, Tools } from '../check/script.ts';
import type { Connection, Network } from '../http/network.ts';
import type { Call } from '../reading/call.ts';

/** What scripts need of a run. */
interface Sending extends Pick<Tools, 'known' | 'newRow' | 'pause'> {
  send(connection: Connection, call: Call, row: number, id?: bigint, sequence?: number): Promise<Learned | undefined>;
  /** The number of another sequence, for what is sent in order. */
  newSequence(): number;
}

/** What scripts use. They go before rows. */
export function toolsOn(network: Network, { known, newRow, newSequence, send, pause: wait }: Sending): Tools {
  const shownIn = (learned: Learned | undefined) =>
    learned?.seen ?? { status: undefined, animals: [], length: undefined };
  const laneOn = (connection: Connection, sequence = newSequence()): BorrowedLane => ({
    send: async (call, { id, row = newRow() }: SendOptions = {}) =>
      shownIn(await send(connection, call, row, id, sequence)),
  });
  return {
    known,
    newRow,
    pause: wait,
    send: (call, sending) => network.lend((connection) => laneOn(connection).send(call, sending), undefined, true),
    on: (work) =>
      network.lend(
        async (connection) => {
          // A script gets a new connection, on which nothing was sent, and which is kept.
          await connection.renew();
          return work(laneOn(connection)).finally(() => connection.close());
        },
        undefined,
        true,
      ),
    together: (calls) => {
      return Promise.all(
        calls.map(({ call, id, row = newRow() }) =>
          network.lend((connection) => send(connection, call, row, id).then(shownIn), undefined, true),
        ),
      );
    },
  };
}

/** Waits, unless the run ends before. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  milliseconds <= 0 ? Promise.resolve() : setTimeout(milliseconds, undefined, { signal }).catch(() => {});

/** A promise, and what resolves it. */
export function withResolver() {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
