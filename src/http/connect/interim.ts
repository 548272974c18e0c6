import type { buildConnector } from 'undici';

/**
 * A connector whose connections skip interim responses, such as `100 Continue`. A server may send them unasked
 * (RFC 9110, 15.2); undici treats that as an error.
 */
export function skippingInterim(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const read = socket.read.bind(socket);
      socket.read = (size?: number): unknown => {
        for (;;) {
          const chunk: unknown = read(size);
          if (!Buffer.isBuffer(chunk)) return chunk;
          const rest = afterInterim(chunk);
          if (rest.length > 0) return rest;
        }
      };
      return callback(null, socket);
    });
}

/** Not 101, after which another protocol follows. */
const STATUS_LINE = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const LONGEST_STATUS_LINE = 20;

/** The rest after leading interim responses. One that arrives in pieces is left for undici to reject. */
function afterInterim(chunk: Buffer): Buffer {
  let rest = chunk;
  while (STATUS_LINE.test(rest.toString('latin1', 0, LONGEST_STATUS_LINE))) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}
