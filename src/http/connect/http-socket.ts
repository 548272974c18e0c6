import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { ResponseHeads, UnreadableHead } from './response-heads.ts';

/**
 * A connector whose connections read what undici takes for an error although a client can read it: responses with heads
 * as {@link ResponseHeads} describes, and a response to a request that could not be written to its end.
 *
 * @param maxBytes a longer head of a response is passed on to undici as it is
 */
export function readingEveryAnswer(connect: buildConnector.connector, maxBytes: number): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      readPastFailedWrites(socket);
      writeInOnePiece(socket);
      readHeads(socket, new ResponseHeads(maxBytes));
      return callback(null, socket);
    });
}

const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED']);

/**
 * A service may answer, and close the connection, before it has read a request to its end. Node destroys a socket whose
 * write fails, with all that was received on it and not read yet. Here such a write never ends, and reading goes on to
 * the end of the connection, which comes at once.
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

/** All that is written in one turn of the event loop, as the chunks of a small body are, goes out in one piece. */
function writeInOnePiece(socket: Socket): void {
  const write = socket.write;
  let isGathering = false;
  socket.write = (...values: unknown[]): boolean => {
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

function readHeads(socket: Socket, heads: ResponseHeads): void {
  const write = socket.write;
  socket.write = (...values: unknown[]): boolean => {
    // undici writes the head of a request as text; so it does the size of a chunk, which follows a line end.
    if (typeof values[0] === 'string' && !values[0].startsWith('\r\n')) heads.expectOne();
    return Reflect.apply(write, socket, values);
  };
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    try {
      for (;;) {
        const chunk: unknown = read(size);
        if (!Buffer.isBuffer(chunk)) return chunk;
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
