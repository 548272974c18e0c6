import type { Duplex } from 'node:stream';
import type { buildConnector } from 'undici';

/**
 * A connector whose connections pass over interim responses, such as `100 Continue`. A server may send them unasked,
 * and a client must then read on (RFC 9110, 15.2); undici would call a 100 a fault of the connection.
 */
export function passingOverInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      passOver(socket);
      return callback(null, socket);
    });
}

function passOver(socket: Duplex): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk)) return chunk;
      const rest = afterInterim(chunk);
      if (rest.length > 0) return rest;
    }
  };
}

/** Any but 101, after which another protocol would follow. */
const STATUS_LINE = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const LONGEST_STATUS_LINE = 20;

/** What follows the interim responses at the beginning. One that came in pieces is left for undici to refuse. */
function afterInterim(chunk: Buffer): Buffer {
  let rest = chunk;
  while (STATUS_LINE.test(rest.toString('latin1', 0, LONGEST_STATUS_LINE))) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}
