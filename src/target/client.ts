import { readFileSync } from 'node:fs';
import { type Dispatcher, Client as OneConnection, Pool } from 'undici';
import type { ExtraHeader, RateLimit } from '../run/options.ts';
import { type Address, addressOf } from './address.ts';
import { Breaker } from './breaker.ts';
import { decodeContent } from './content-encoding.ts';
import { type Answer, type Exchange, headerOf, type Response, type WireRequest } from './exchange.ts';
import { failureOf } from './failures.ts';
import { NotSent, pastDeadline } from './not-sent.ts';
import { Pace } from './pace.ts';
import { patience } from './patience.ts';
import { Rate, retryAfterMs } from './rate.ts';
import { SocketHistory } from './socket-history.ts';

/** Most bytes of a response body, before and after decompression. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
/** After a reset that may have been a keep-alive race, so many requests each get a connection of their own. */
const FRESH_AFTER_RESET = 120;
const MAX_THROTTLE_RETRIES = 200;

export interface ClientOptions {
  readonly baseUrl: string;
  readonly headers: readonly ExtraHeader[];
  readonly userAgent: string;
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  readonly caFile: string | undefined;
  readonly insecure: boolean;
  /** Aborted when the time budget of the run is used up, or the user ends it. */
  readonly deadline: AbortSignal;
}

/** Where a request may travel: on any connection of the pool, on a new one, or on one that the caller holds. */
type Route = Dispatcher | 'pool';

/**
 * All that talks to the service. It knows nothing of rules: it sends a request exactly as it is written, waits for
 * its turn, and says what came back. Redirects are not followed, nothing is decompressed beyond a bound, and every
 * request has a total deadline.
 *
 * 429 is never handed on: the client waits as the service asks and sends again.
 */
export class Client {
  readonly address: Address;
  readonly pace: Pace;
  readonly #options: ClientOptions;
  readonly #pool: Pool;
  readonly #fresh: Pool;
  readonly #sockets = new SocketHistory();
  readonly #connect: { ca?: string; rejectUnauthorized?: boolean };
  readonly #breaker = new Breaker();
  /** Told of every exchange that is handed on. */
  onExchange: (exchange: Exchange) => void = () => {};
  #freshLeft = 0;
  #numbered = 0;
  #sent = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.address = addressOf(options.baseUrl);
    this.pace = new Pace(options.concurrency, new Rate(options.rateLimit));
    this.#connect = {
      ...(options.caFile === undefined ? {} : { ca: readFileSync(options.caFile, 'utf8') }),
      ...(options.insecure ? { rejectUnauthorized: false } : {}),
    };
    this.#pool = new Pool(this.address.origin, {
      ...this.#dispatch(),
      connections: options.concurrency,
      pipelining: 1,
    });
    this.#fresh = new Pool(this.address.origin, {
      ...this.#dispatch(),
      connections: options.concurrency,
      pipelining: 0,
    });
  }

  /** Requests that were sent, retries included. */
  get requests(): number {
    return this.#sent;
  }

  /** True while resets are looked into on connections of their own. */
  get doubtsResets(): boolean {
    return this.#freshLeft > 0;
  }

  /**
   * Sends one request and waits for what comes of it.
   *
   * @throws NotSent where it could not be sent at all: no time left, throttled to the end, or the service is gone
   */
  send(request: WireRequest): Promise<Exchange> {
    return this.#send(request, 'pool');
  }

  /** Sends requests one after the other on one connection that nothing else uses. */
  async sendOnOneConnection(requests: readonly WireRequest[]): Promise<readonly Exchange[]> {
    const connection = new OneConnection(this.address.origin, { ...this.#dispatch(), pipelining: 1 });
    try {
      const exchanges: Exchange[] = [];
      for (const request of requests) exchanges.push(await this.#send(request, connection));
      return exchanges;
    } finally {
      await connection.destroy();
    }
  }

  async close(): Promise<void> {
    this.#sockets.close();
    await Promise.all([this.#pool.destroy(), this.#fresh.destroy()]);
  }

  #dispatch() {
    return {
      connect: { ...this.#connect, timeout: this.#options.requestTimeoutMs },
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
    };
  }

  async #send(request: WireRequest, route: Route): Promise<Exchange> {
    let mayRetry = true;
    for (let throttledTimes = 0; throttledTimes <= MAX_THROTTLE_RETRIES; ) {
      await this.pace.depart(this.#options.deadline);
      if (!this.#breaker.allows(request.operation, performance.now())) {
        this.pace.abandoned();
        throw new NotSent(
          'gave-up',
          `${request.operation} left one request after the other unanswered; no more were sent to it`,
        );
      }
      const sentAt = performance.now();
      this.#sent += 1;
      const { answer, raced } = await this.#exchange(request, route, sentAt);
      const answeredAt = performance.now();
      if (answer.kind === 'response' && answer.status === 429) {
        throttledTimes += 1;
        this.pace.refused(retryAfterMs(headerOf(answer, 'retry-after'), Date.now()));
        continue;
      }
      this.pace.done(answer.milliseconds, answer.kind === 'response');
      if (this.#options.deadline.aborted && answer.kind === 'no response') {
        throw pastDeadline(this.#options.deadline);
      }
      if (mayRetry && (raced || this.#mayBeMereSlowness(answer))) {
        mayRetry = false;
        if (raced) this.#freshLeft = FRESH_AFTER_RESET;
        continue;
      }
      this.#breaker.record(request.operation, answer.kind === 'response', answeredAt);
      this.#numbered += 1;
      const exchange = { number: this.#numbered, request, answer, sentAt, answeredAt, resent: !mayRetry };
      this.onExchange(exchange);
      return exchange;
    }
    throw new NotSent('throttled', 'the service answered 429 to the end, however slowly it was asked');
  }

  /** Where answers take long in general, a silence may be a queue of our own making; the pace has slowed by now. */
  #mayBeMereSlowness(answer: Answer): boolean {
    const slow = this.pace.typicalMs * 4 > this.#options.requestTimeoutMs;
    return answer.kind === 'no response' && answer.code === 'timeout' && slow;
  }

  async #exchange(request: WireRequest, route: Route, sentAt: number): Promise<{ answer: Answer; raced: boolean }> {
    const waiting = patience(this.#options.requestTimeoutMs, this.#options.deadline);
    const onPool = route === 'pool' && this.#freshLeft === 0;
    if (route === 'pool' && this.#freshLeft > 0) this.#freshLeft -= 1;
    const dispatcher = route !== 'pool' ? route : onPool ? this.#pool : this.#fresh;
    const elapsed = (): number => performance.now() - sentAt;
    let started = false;
    const { result, wasReused } = this.#sockets.track(() =>
      dispatcher.request({
        path: `${this.address.basePath}${request.path}${queryOf(request)}`,
        method: request.method,
        headers: this.#headersFor(request),
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal: waiting.signal,
      }),
    );
    try {
      const head = await result;
      started = true;
      const raw = await readBounded(head.body);
      if (raw === undefined) {
        const sentence = `the body is longer than ${MAX_BODY_BYTES / 1024 / 1024} MiB, or never ends`;
        return {
          answer: { kind: 'no response', code: 'body-too-large', sentence, milliseconds: elapsed() },
          raced: false,
        };
      }
      return { answer: responseFrom(head.statusCode, head.headers, raw, elapsed()), raced: false };
    } catch (error) {
      const failure = failureOf(error, started);
      const answer: Answer = {
        kind: 'no response',
        code: failure.code,
        sentence: failure.sentence,
        milliseconds: elapsed(),
      };
      return { answer, raced: failure.beforeResponse && wasReused() };
    } finally {
      waiting.end();
    }
  }

  #headersFor(request: WireRequest): string[] {
    const headers = ['user-agent', this.#options.userAgent, 'accept', 'application/json'];
    for (const { name, value } of this.#options.headers) headers.push(name, value);
    for (const [name, value] of request.credential.headers) headers.push(name, value);
    if (request.contentType !== undefined) headers.push('content-type', request.contentType);
    return headers;
  }
}

function queryOf(request: WireRequest): string {
  if (request.credential.query === undefined) return '';
  return `${request.path.includes('?') ? '&' : '?'}${request.credential.query}`;
}

async function readBounded(body: AsyncIterable<unknown> & { destroy(): unknown }): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      body.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function responseFrom(status: number, raw: unknown, body: Uint8Array, milliseconds: number): Response {
  const headers = headerPairs(raw);
  const encoding = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').map(([, value]) => value);
  const decoded = decodeContent(body, encoding.join(','), MAX_BODY_BYTES);
  return decoded.kind === 'decoded'
    ? { kind: 'response', status, headers, body: decoded.body, encodingFault: undefined, milliseconds }
    : { kind: 'response', status, headers, body, encodingFault: decoded.sentence, milliseconds };
}

/** undici's raw headers are a flat list of names and values, each a string or bytes (Latin-1). */
function headerPairs(raw: unknown): (readonly [string, string])[] {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part: unknown) =>
    part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : String(part),
  );
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < texts.length; at += 2) pairs.push([texts[at] ?? '', texts[at + 1] ?? '']);
  return pairs;
}
