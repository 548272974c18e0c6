import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as Connection } from 'undici';

/** How many connections are opened at once, with a request on each. */
export const CONNECTIONS = 12;
/** It is found out twice: once, a busy machine may look the same. */
const ROUNDS = 2;

interface Connections {
  readonly open: () => Connection;
  /** Sends a request on a connection; true where it was answered. */
  readonly send: (connection: Connection) => Promise<boolean>;
  /** Closes the other connections that are idle. */
  readonly closeIdle: () => void;
}

/**
 * Whether a service serves only a few connections at a time, each until it is closed: of many that are open at once, some
 * are not answered, and then are as soon as those that were answered are closed.
 *
 * @param patienceMs so long after the last answer (ms), nothing more is expected
 */
export async function servesFewConnections(connections: Connections, patienceMs: number): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (!(await waitsForClosing(connections, patienceMs))) return false;
  }
  return true;
}

async function waitsForClosing({ open, send, closeIdle }: Connections, patienceMs: number): Promise<boolean> {
  const all = Array.from({ length: CONNECTIONS }, open);
  const answered: Connection[] = [];
  const sent = all.map(async (connection) => {
    if (await send(connection)) answered.push(connection);
  });
  const ended = Promise.all(sent).then(() => true);
  const pause = (): Promise<boolean> => sleep(patienceMs, false, { ref: false });
  try {
    for (let before = -1; answered.length > before; ) {
      before = answered.length;
      if (await Promise.race([ended, pause()])) return false;
    }
    const before = answered.length;
    closeIdle();
    for (const connection of answered) void connection.close().catch(() => undefined);
    await Promise.race([ended, pause()]);
    return answered.length > before;
  } finally {
    await Promise.all(all.map((connection) => connection.destroy()));
  }
}
