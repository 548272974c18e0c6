import type { buildConnector } from 'undici';

/**
 * A connector whose connections read what undici takes for an error: interim responses such as `100 Continue`, which a
 * server may send unasked (RFC 9110, 15.2), are skipped, and a tab behind the value of a header (5.6.3) is a blank.
 *
 * @param maxBytes a longer interim response is passed on to undici
 */
export function skippingInterim(connect: buildConnector.connector, maxBytes: number): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const filter = new InterimFilter(maxBytes);
      const write = socket.write;
      socket.write = (...values: unknown[]): boolean => {
        filter.expectResponse();
        return Reflect.apply(write, socket, values);
      };
      const read = socket.read.bind(socket);
      socket.read = (size?: number): unknown => {
        for (;;) {
          const chunk: unknown = read(size);
          if (!Buffer.isBuffer(chunk)) return chunk;
          const rest = filter.pass(chunk);
          if (rest.length > 0) return rest;
        }
      };
      return callback(null, socket);
    });
}

/** Not 101, after which another protocol follows. */
const STATUS_LINE = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
/** As much of a line as the pattern asks for. */
const ANY_STATUS_LINE = 'HTTP/1.1 102 ';
const HEAD_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);

/** Takes the interim responses out of what is received on one connection, in whatever pieces they arrive. */
class InterimFilter {
  readonly #maxBytes: number;
  /** The beginning of an interim response, or of what may become one. */
  #held: Buffer = NOTHING;
  #isAtStart = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Something was sent: a response may start with what is received next. */
  expectResponse(): void {
    this.#isAtStart = true;
  }

  /** @returns what is to be read of the bytes received so far; nothing while an interim response is incomplete */
  pass(chunk: Buffer): Buffer {
    if (!this.#isAtStart) return chunk;
    let rest: Buffer = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    while (rest.length > 0 && mayBeInterim(rest)) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0 && rest.length <= this.#maxBytes) {
        this.#held = rest;
        return NOTHING;
      }
      if (end < 0) break;
      rest = rest.subarray(end + HEAD_END.length);
    }
    if (rest.length > 0) this.#isAtStart = false;
    return tabsAsBlanks(rest);
  }
}

const [TAB, BLANK] = [0x09, 0x20];

/** The same, where tabs that end a line of the response's head are blanks. */
function tabsAsBlanks(response: Buffer): Buffer {
  const tab = response.indexOf(TAB);
  if (tab < 0) return response;
  const head = response.subarray(0, response.indexOf(HEAD_END) + 2);
  if (tab >= head.length) return response;
  const changed = Buffer.from(response);
  for (let end = head.indexOf('\r\n'); end >= 0; end = head.indexOf('\r\n', end + 2)) {
    for (let at = end - 1; head[at] === TAB || head[at] === BLANK; at -= 1) changed[at] = BLANK;
  }
  return changed;
}

/** Whether bytes are the beginning of an interim response, as far as they go. */
function mayBeInterim(bytes: Buffer): boolean {
  const line = bytes.toString('latin1', 0, ANY_STATUS_LINE.length);
  return STATUS_LINE.test(line + ANY_STATUS_LINE.slice(line.length));
}
