import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { mix } from '../../engine/mix.ts';

/** What can befall a connection, or what is sent back on it. */
const FAULTS = [
  'reset',
  'close',
  'truncate',
  'stall',
  'drip',
  'garbage',
  'repeat',
  'corrupt',
  'drop-request',
  'outage',
] as const;
type Fault = (typeof FAULTS)[number];

export interface FaultyProxy {
  readonly baseUrl: string;
  /** Faults so far, by name. */
  readonly faults: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const OUTAGE_MS = 300;
const DRIP_MS = 20;

/**
 * A TCP proxy in front of a service that does harm at random moments: it knows nothing of HTTP and hits wherever a
 * piece of data happens to pass. The same seed throws the same dice, though at what they fall is a matter of timing.
 *
 * @param rate how many of a hundred pieces of data meet a fault
 */
export async function startFaultyProxy(target: string, seed: number, rate: number): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const faults = new Map<string, number>();
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let thrown = 0;
  let downUntil = 0;

  const dice = (sides: number): number => {
    thrown += 1;
    return mix(seed, thrown) % sides;
  };
  const later = (milliseconds: number, action: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, milliseconds);
    timers.add(timer);
  };
  const chosen = (): Fault | undefined => {
    if (dice(100) >= rate) return undefined;
    const fault = FAULTS[dice(FAULTS.length)];
    // An outage leaves little for other faults to meet: most of them are spared.
    if (fault === 'outage' && dice(8) > 0) return undefined;
    if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    return fault;
  };
  const harm = (fault: Fault, chunk: Buffer, client: Socket, service: Socket): void => {
    const part = chunk.subarray(0, dice(chunk.length + 1));
    switch (fault) {
      case 'reset':
        client.resetAndDestroy();
        return;
      case 'close':
        client.end();
        return;
      case 'truncate':
        client.end(part);
        return;
      case 'stall':
        service.pause();
        return;
      case 'drip': {
        let at = 0;
        const next = (): void => {
          if (client.destroyed || at >= chunk.length) return;
          client.write(chunk.subarray(at, at + 1));
          at += 1;
          later(DRIP_MS, next);
        };
        next();
        return;
      }
      case 'garbage':
        client.write(Buffer.from(Array.from({ length: 40 }, () => dice(256))));
        return;
      case 'repeat':
        client.write(chunk);
        client.write(part);
        return;
      case 'corrupt': {
        const copy = Buffer.from(chunk);
        copy[dice(copy.length)] = dice(256);
        client.write(copy);
        return;
      }
      case 'drop-request':
        return;
      case 'outage':
        downUntil = performance.now() + OUTAGE_MS;
        for (const socket of sockets) socket.destroy();
    }
  };

  const server: Server = createServer((client) => {
    if (performance.now() < downUntil) {
      client.on('error', () => {});
      client.resetAndDestroy();
      return;
    }
    const service = connect(Number(port), hostname);
    for (const [own, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(own);
      own.on('error', () => {});
      own.on('close', () => {
        sockets.delete(own);
        other.destroy();
      });
    }
    client.on('data', (chunk: Buffer) => service.write(chunk));
    service.on('data', (chunk: Buffer) => {
      const fault = chosen();
      if (fault === undefined) client.write(chunk);
      else harm(fault, chunk, client, service);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`,
    faults,
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
