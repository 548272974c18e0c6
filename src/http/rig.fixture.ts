import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Sent, WireRequest } from './message.ts';
import { type Connection, Network, type NetworkOptions, Stopped } from './network.ts';

/** What a service does with a request: its number among all and on its connection, from 0. */
export type Script = (socket: Socket, request: string, nth: number, onConnection: number) => void;

export interface Listening {
  readonly port: number;
  readonly heard: string[];
  /** Connections so far, those open now, and the most open at once. */
  readonly counts: { connections: number; open: number; mostOpen: number };
  readonly stop: () => Promise<unknown>;
}

export async function listen(server: Server, port = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  const counts = { connections: 0, open: 0, mostOpen: 0 };
  server.prependListener('connection', (socket: Socket) => {
    sockets.add(socket);
    counts.connections += 1;
    counts.open += 1;
    counts.mostOpen = Math.max(counts.mostOpen, counts.open);
    const gone = (): void => {
      if (sockets.delete(socket)) counts.open -= 1;
    };
    socket
      .on('error', () => {})
      .on('end', gone)
      .on('close', gone);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<unknown> => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => void (await stop()));
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, heard: [], counts, stop };
}

const END = /\r\n\r\n/;
/** The end of the first complete request; 0 if there is none. */
function endOf(text: string): number {
  const [head = ''] = text.split(END, 1);
  if (head.length === text.length) return 0;
  const chunked = /transfer-encoding: chunked/i.test(head);
  if (chunked) return text.endsWith('\r\n0\r\n\r\n') ? text.length : 0;
  const end = head.length + 4 + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  return text.length >= end ? end : 0;
}

export async function raw(script: Script, port = 0): Promise<Listening> {
  let nth = 0;
  const server = createServer((socket) => {
    let text = '';
    let onConnection = 0;
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
      for (let end = endOf(text); end > 0; end = endOf(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        service.heard.push(request);
        script(socket, request, nth++, onConnection++);
      }
    });
  });
  const service = await listen(server, port);
  return service;
}

export function networkTo(port: number, changes: Partial<NetworkOptions> = {}, scheme = 'http'): Network {
  const network = new Network({
    baseUrl: `${scheme}://127.0.0.1:${port}/v1`,
    connections: 1,
    requestTimeoutMs: 20_000,
    signal: new AbortController().signal,
    env: {},
    ...changes,
  });
  onTestFinished(() => network.close());
  return network;
}

export const LIST: WireRequest = { method: 'GET', target: '/v1/pets', headers: [['authorization', 'Bearer k']] };
export const POST: WireRequest = { ...LIST, method: 'POST', body: Buffer.from('{"a":1}') };
export const response = (status: number, body = '[]', headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status} X`, `content-length: ${body.length}`, ...headers, '', body].join('\r\n');
export const brief = ({ outcome }: Sent): string =>
  outcome.kind === 'failure' ? outcome.code : `${outcome.status} ${Buffer.from(outcome.body).toString('latin1')}`;
export const list = async (connection: Connection): Promise<string> => brief(await connection.send(LIST, 'list'));
export const post = async (connection: Connection): Promise<string> => brief(await connection.send(POST, 'post'));
export const times = <T>(count: number, what: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => what(at));
export const stoppedCode = (error: unknown): string => (error instanceof Stopped ? error.code : `${error}`);

/** One request to a service that follows a script. */
export async function ask(script: Script, changes: Partial<NetworkOptions> = {}, request = LIST): Promise<Sent> {
  const { port } = await raw(script);
  return networkTo(port, changes).lend((connection) => connection.send(request, 'list'));
}

export const says =
  (text: string | Uint8Array, then: 'close' | 'reset' | 'stay' = 'close'): Script =>
  (socket) => {
    socket.write(text, 'latin1', () => {
      if (then === 'close') socket.end();
      if (then === 'reset') socket.resetAndDestroy();
    });
  };
export const inPieces =
  (pieces: readonly string[]): Script =>
  (socket) => {
    socket.setNoDelay(true);
    const write = ([first, ...rest]: readonly string[]): void => {
      if (first !== undefined) socket.write(first, 'latin1', () => setImmediate(write, rest));
    };
    write(pieces);
  };
/** Sends the same text repeatedly: as fast as it is read, or every few milliseconds. */
export const again =
  (head: string, more: string, everyMs = 0): Script =>
  (socket) => {
    socket.write(head);
    const write = (): void => {
      if (everyMs > 0) socket.write(more);
      else while (!socket.destroyed && socket.write(more));
    };
    if (everyMs === 0) write();
    const timer = everyMs > 0 ? setInterval(write, everyMs) : undefined;
    socket.on('drain', () => everyMs === 0 && write()).on('close', () => clearInterval(timer));
  };
export const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
export const PIECE = 'x'.repeat(16 * 1024);
export const SOON = { requestTimeoutMs: 150 };
export const SMALL = { maxBodyBytes: 100_000 };
