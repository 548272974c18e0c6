import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { isAboutCertificate } from './failures.ts';
import { ResponseHeads, UnreadableHead } from './heads.ts';

/** The heads of responses are read up to this length. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** A connection that is being made. */
export interface Opening {
  /** What to say if there is no time left for it. */
  readonly late: Error;
  readonly abandon: () => void;
}

/** Makes a connection. `report` is told each step on the way to it. */
export type Connect = (
  wanted: buildConnector.Options,
  callback: buildConnector.Callback,
  report: (opening: Opening) => void,
) => void;

/** What is known of an open connection. */
export interface Wire {
  readonly socket: Socket;
  /** Counted from 1 in the order of opening. */
  readonly number: number;
  /** How many requests were written to it. */
  requests: number;
  /** How many of them got a response, and when the last did, or the connection began to be made. */
  responses: number;
  respondedAt: number;
  /** The last of them rejected its request, as a service may do before it closes the connection. */
  hasRejected: boolean;
  /** The last response said that the connection would be closed, or we close it. */
  isEnding: boolean;
  /** Bytes that were received. */
  received: number;
  /** The last of them that were read at once. */
  lastRead?: Buffer;
  /** It ended before everything was written. */
  wasCut: boolean;
  /** With TLS 1.3, a service rejects a client certificate only after the handshake, and then closes the connection. */
  alert: Error | undefined;
}

/**
 * Makes a connection read what undici would treat as an error although a client can read it: responses with heads as
 * {@link ResponseHeads} describes, and a response to a request that could not be written to its end.
 *
 * @param begunAt when it began to be made (ms, monotonic)
 * @param closedIdle called if the other side closes it after it was idle for this long (ms), and had accepted the last request
 */
export function wireOf(
  socket: Socket,
  number: number,
  begunAt: number,
  closedIdle: (milliseconds: number) => void,
): Wire {
  const wire: Wire = {
    socket,
    number,
    requests: 0,
    responses: 0,
    respondedAt: begunAt,
    hasRejected: false,
    isEnding: false,
    received: 0,
    wasCut: false,
    alert: undefined,
  };
  const noteEnd = (): void => {
    if (socket.writableLength > 0) wire.wasCut = true;
    if (!wire.isEnding && !wire.hasRejected && wire.responses > 0 && wire.responses === wire.requests)
      closedIdle(performance.now() - wire.respondedAt);
  };
  // Before undici's own listeners, which close the connection.
  socket.prependOnceListener('end', noteEnd).prependOnceListener('error', (error) => {
    noteEnd();
    if (isAboutCertificate(error)) wire.alert = error;
  });
  readPastFailedWrites(socket);
  const heads = new ResponseHeads(MAX_HEAD_BYTES);
  writeInOnePiece(socket, heads);
  readHeads(wire, heads);
  return wire;
}

/** How long the other side may take to close a connection that we ended (ms). */
const CLOSING_MS = 100;

/** Ends a connection. Resolves when the other side has closed it too, or takes too long, or if a request is in flight. */
export function closed(wire: Wire): Promise<void> {
  const { socket } = wire;
  // From here on, the other side does not end it by itself.
  wire.isEnding = true;
  if (socket.destroyed || wire.requests > wire.responses) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSING_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.end();
  });
}

const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED']);

/**
 * A service may respond and close the connection before it has read the whole request. Node destroys a socket whose
 * write fails, with everything received on it and not read yet. Here such a write never ends, and reading continues to
 * the end of the connection, which follows at once.
 */
function readPastFailedWrites(socket: Socket): void {
  type Callback = Parameters<Socket['_write']>[2];
  const unlessClosed =
    (callback: Callback): Callback =>
    (error) => {
      const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
      if (!CLOSED.has(code)) callback(error);
    };
  const write = socket._write.bind(socket);
  const writeAll = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, callback) => write(chunk, encoding, unlessClosed(callback));
  if (writeAll !== undefined) socket._writev = (chunks, callback) => writeAll(chunks, unlessClosed(callback));
}

/** Sends what is written in one turn of the event loop, such as the chunks of a small body, in one piece. */
function writeInOnePiece(socket: Socket, heads: ResponseHeads): void {
  const write = socket.write;
  let isGathering = false;
  socket.write = (...values: unknown[]): boolean => {
    // undici writes the head of a request as text; so it does the size of a chunk, which follows a line end.
    if (typeof values[0] === 'string' && !values[0].startsWith('\r\n')) heads.expectOne();
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      setImmediate(() => {
        isGathering = false;
        socket.uncork();
      });
    }
    return Reflect.apply(write, socket, values);
  };
}

function readHeads(wire: Wire, heads: ResponseHeads): void {
  const { socket } = wire;
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    try {
      for (;;) {
        const chunk: unknown = read(size);
        if (!Buffer.isBuffer(chunk)) return chunk;
        wire.received += chunk.length;
        wire.lastRead = chunk;
        const rest = heads.pass(chunk);
        if (rest.length > 0) return rest;
      }
    } catch (error) {
      if (!(error instanceof UnreadableHead)) throw error;
      socket.destroy(error);
      return null;
    }
  };
}
