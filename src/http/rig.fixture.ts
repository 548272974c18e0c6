import { createServer as createTcpServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { Client, type ClientOptions } from './client.ts';
import type { Credential } from './credential.ts';
import type { Answer, NoResponse, Response, WireRequest } from './exchange.ts';

export const KEY = 'Key-Of-The-Transport-Tests-5';

/** Anything that listens, and stops for good. */
export interface Listening {
  readonly port: number;
  /** How many connections came in. */
  readonly connections: () => number;
  stop(): Promise<void>;
}

/**
 * A TCP server that says what it likes. `onRequest` is called with every whole request that came in on a connection
 * (head and body as Latin-1 text), and with how many came in before it.
 */
export async function rawServer(
  onRequest: (socket: Socket, request: string, before: number) => void,
  port = 0,
): Promise<Listening> {
  let served = 0;
  return listen((socket) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = requestEnd(text); end !== undefined; end = requestEnd(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        onRequest(socket, request, served++);
      }
    });
  }, port);
}

/** A TCP server on the loopback. Connections that are open when it stops are cut. */
export function listen(onConnection: (socket: Socket) => void, port = 0): Promise<Listening> {
  return listening(createTcpServer(onConnection), { port, host: '127.0.0.1' });
}

/** Starts a server; connections that are open when it stops are cut. */
export async function listening(server: Server, where: ListenOptions = { host: '127.0.0.1' }): Promise<Listening> {
  const open = new Set<Socket>();
  let connections = 0;
  server.prependListener('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen('path' in where ? where : { port: 0, ...where }, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function requestEnd(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(text.slice(0, head)) ?? [];
  const end = head + 4 + Number(length);
  return text.length >= end ? end : undefined;
}

/** A whole answer with JSON in it. */
export function answer(status: number, body = '[]', headers: readonly string[] = []): string {
  const lines = [
    `HTTP/1.1 ${status} X`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    ...headers,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** Writes the same again and again, as fast as it is read. */
export const endless =
  (head: string, again: string | Uint8Array) =>
  (socket: Socket): void => {
    socket.write(head);
    const more = (): void => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on('drain', more);
    more();
  };

export function testClient(baseUrl: string, changes: Partial<ClientOptions> = {}): Client {
  return new Client({
    baseUrl,
    headers: [],
    variablePrefix: 'TEST_HEADER_',
    userAgent: 'suite/test',
    concurrency: 8,
    rateLimit: { kind: 'none' },
    // Far longer than any answer takes, on any machine.
    requestTimeoutMs: 60_000,
    caFile: undefined,
    insecure: false,
    deadline: new AbortController().signal,
    ...changes,
  });
}

export const JSON_TYPE = 'application/json';
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const NO_CREDENTIAL: Credential = { name: 'none', valid: false, headers: [], shown: [], shell: [] };

/** A credential in a header, which the shell builds from $API_KEY. */
export function inHeader(header: string, key: string): Credential {
  const shown = [[header, 'Bearer $API_KEY']] as const;
  return { ...NO_CREDENTIAL, name: header, valid: true, headers: [[header, `Bearer ${key}`]], shown, shell: shown };
}

/** A credential in the query; the key must be free of characters that a URL encodes. */
export function inQuery(parameter: string, key: string): Credential {
  const shown = `${parameter}=$API_KEY`;
  return { ...NO_CREDENTIAL, name: parameter, query: `${parameter}=${key}`, shownQuery: shown, shellQuery: shown };
}

export const LIST: WireRequest = {
  operation: 'list',
  method: 'GET',
  path: '/items',
  credential: inHeader('authorization', KEY),
};
export const GET: WireRequest = { ...LIST, operation: 'get', path: '/items/1' };
export const WITHOUT_KEY: WireRequest = { ...LIST, credential: NO_CREDENTIAL };

/** Opens a raw server and a client for it, and closes both after the use. */
export async function against<T>(
  onRequest: (socket: Socket, request: string, before: number) => void,
  use: (client: Client, server: Listening) => Promise<T>,
  changes: Partial<ClientOptions> = {},
): Promise<T> {
  const server = await rawServer(onRequest);
  const client = testClient(`http://127.0.0.1:${server.port}/v1`, changes);
  try {
    return await use(client, server);
  } finally {
    await client.close();
    await server.stop();
  }
}

export function response(given: Answer): Response {
  if (given.kind === 'response') return given;
  throw new Error(`no response (${given.code}): ${given.sentence}`);
}

export function failure(given: Answer): NoResponse {
  if (given.kind === 'no response') return given;
  throw new Error(`answered ${given.status}`);
}

export const textOf = (given: Answer): string => Buffer.from(response(given).body).toString();
