import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { Pool } from 'undici';
import { type Address, type ConnectionOptions, routeTo } from '../../http/connect/route.ts';
import type { Response } from '../../http/exchange.ts';
import { type Failure, failureOf, isUnconnected } from '../../http/failures.ts';
import { headerPairs, responseOf } from '../../http/message.ts';
import type { RecordedExchange } from '../../http/recorded.ts';

/** Belong to one connection (RFC 9110, 7.6.1), or are made anew for the next one. */
const OF_THE_CONNECTION = new Set([
  'connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host',
]); // biome-ignore format: one table
/** Of a longer body no copy is kept, so that memory stays bounded: it is passed on, and not judged. */
const LONGEST_COPY = 4 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 30_000;

/** The failures that the service itself has sent: what else ends a connection may be owed to the way there. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(['truncated', 'wrong-length', 'not-http', 'headers-too-large']);

/** Passes requests on to a service and the answers back, as they come, and reports each exchange once it is over. */
export class PassingServer {
  readonly #address: Address;
  readonly #server: Server;
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #forwarded: Response['headers'];
  readonly #onExchange: (recorded: RecordedExchange) => void;
  /** What it adds to the time to the head of a response, in microseconds. */
  readonly #added = createHistogram();
  /** Requests for which the service could not be reached. */
  unreached = 0;

  constructor(address: Address, options: ConnectionOptions, onExchange: (recorded: RecordedExchange) => void) {
    const { origin, connect, prefix, forwarder } = routeTo(address, options, '', CONNECT_TIMEOUT_MS);
    this.#address = address;
    this.#prefix = prefix;
    this.#forwarded = forwarder?.headers ?? [];
    this.#onExchange = onExchange;
    this.#pool = new Pool(origin, { connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 64 * 1024 });
    this.#server = createServer({ requestTimeout: 0 }, (request, response) => void this.#pass(request, response));
  }

  /** @returns the address at which the service is now reached */
  async listen(port: number, host: string): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address: AddressInfo | string | null = this.#server.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    return `http://${host.includes(':') ? `[${host}]` : host}:${bound}${this.#address.basePath}`;
  }

  /** How much longer the head of a response took than without it, in milliseconds: the median and the 95th percentile. */
  get added(): { readonly responses: number; readonly p50: number; readonly p95: number } {
    const at = (percent: number): number => Math.round(this.#added.percentile(percent) / 10) / 100;
    return { responses: this.#added.count, p50: at(50), p95: at(95) };
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all([closed, this.#pool.destroy()]);
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sentAt = performance.now();
    const { method = 'GET', url = '/', rawHeaders } = request;
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    const headers = headerPairs(rawHeaders);
    const sent = new Copy();
    const received = new Copy();
    const hasBody = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
    const over = (answer: RecordedExchange['answer']): void => {
      const body = hasBody ? (sent.bytes ?? ('not recorded' as const)) : undefined;
      const exchange = { source: 'proxy', method, url: `${this.#address.origin}${url}`, headers, body, answer, sentAt };
      setImmediate(() => this.#onExchange(exchange));
    };
    let headAt: number | undefined;
    try {
      const passedAt = performance.now();
      const head = await this.#pool.request({
        path: `${this.#prefix}${url}`,
        method,
        headers: [...passedOn(headers), ...this.#forwarded].flat(),
        body: hasBody ? Readable.from(copied(request, sent)) : null,
        responseHeaders: 'raw',
        signal: abort.signal,
      });
      headAt = performance.now();
      const answered = headerPairs(head.headers);
      response.sendDate = false;
      response.writeHead(head.statusCode, head.statusText, passedOn(answered).flat());
      response.flushHeaders();
      this.#added.record(Math.max(1, Math.round((passedAt - sentAt + performance.now() - headAt) * 1_000)));
      for await (const chunk of copied(head.body, received)) {
        if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      response.end();
      const milliseconds = performance.now() - sentAt;
      const { bytes } = received;
      const whole = responseOf(head.statusCode, answered, bytes ?? new Uint8Array(), milliseconds);
      over(bytes === undefined ? { ...whole, encodingFault: undefined, unknownBody: 'the body is too long' } : whole);
    } catch (error) {
      if (abort.signal.aborted) return;
      const failure = failureOf(error, { wasSent: true, hasResponse: headAt !== undefined });
      if (OF_THE_SERVICE.has(failure.code)) {
        over({ kind: 'no response', ...failure, milliseconds: performance.now() - sentAt });
      } else this.unreached += 1;
      refuse(response, failure);
    }
  }
}

/** What a client gets that would have got no answer, or only a part of one. */
function refuse(response: ServerResponse, { code, sentence }: Failure): void {
  if (response.headersSent) response.destroy();
  else {
    response.writeHead(isUnconnected(code) ? 503 : 502, { 'content-type': 'text/plain' });
    response.end(`petstore-conformance proxy: ${sentence}\n`);
  }
}

/** The headers that are passed on: all but those of the connection. */
function passedOn(headers: Response['headers']): Response['headers'] {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(','));
  const own = new Set(named.map((name) => name.trim().toLowerCase()));
  return headers.filter(([name]) => !OF_THE_CONNECTION.has(name.toLowerCase()) && !own.has(name.toLowerCase()));
}

/** The bytes of a body that is not too long. */
class Copy {
  #pieces: Uint8Array[] = [];
  #length = 0;

  add(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length <= LONGEST_COPY) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  /** Undefined where it was too long. */
  get bytes(): Uint8Array | undefined {
    return this.#length > LONGEST_COPY ? undefined : Buffer.concat(this.#pieces);
  }
}

/** The pieces of a body as they come. */
async function* copied(body: AsyncIterable<Uint8Array>, copy: Copy): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    copy.add(piece);
    yield piece;
  }
}
