import { setMaxListeners } from 'node:events';
import { type Dispatcher, Client as OneConnection, Pool } from 'undici';
import { type Address, addressOf } from './connect/address.ts';
import { refusalAfterHandshake } from './connect/handshake.ts';
import { passingOverInterim } from './connect/interim.ts';
import { SocketHistory } from './connect/socket-history.ts';
import { refusedBy } from './connect/tunnel.ts';
import { curlOptionsFor, type Reach, type Way, wayTo } from './connect/way.ts';
import { decodeContent } from './content-encoding.ts';
import { type Answer, type Exchange, headerOf, type NoResponse, type Response, type WireRequest } from './exchange.ts';
import { type Failure, failureOf, isUnconnected } from './failures.ts';
import { NotSent, pastDeadline } from './not-sent.ts';
import type { ExtraHeader, RateLimit } from './options.ts';
import { Breaker, type Ending } from './pacing/breaker.ts';
import { Pace } from './pacing/pace.ts';
import { patience } from './pacing/patience.ts';
import { Rate, retryAfterMs } from './pacing/rate.ts';
import { BodyReader, MAX_BODY_BYTES } from './response-body.ts';

const MAX_HEADER_BYTES = 64 * 1024;
/** After a reset that may have been a keep-alive race, so many requests each get a connection of their own. */
const FRESH_AFTER_RESET = 120;
const MAX_THROTTLE_RETRIES = 200;

export interface ClientOptions extends Reach {
  readonly baseUrl: string;
  readonly headers: readonly ExtraHeader[];
  readonly userAgent: string;
  readonly concurrency: number;
  readonly rateLimit: RateLimit;
  readonly requestTimeoutMs: number;
  /** Aborted when the time budget of the run is used up, or the user ends it. */
  readonly deadline: AbortSignal;
  /** Sends on however many requests are left unanswered, to a service that is yet to come up. */
  readonly neverGivesUp?: boolean;
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
  readonly #way: Way;
  readonly #bodies = new BodyReader();
  readonly #breaker = new Breaker();
  /** Told of every exchange that is handed on. */
  onExchange: (exchange: Exchange) => void = () => {};
  #refusal: Promise<Failure | undefined> | undefined;
  #freshLeft = 0;
  #numbered = 0;
  #sent = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.address = addressOf(options.baseUrl, curlOptionsFor(options, options.headers));
    this.pace = new Pace(options.concurrency, new Rate(options.rateLimit), options.requestTimeoutMs);
    this.#way = wayTo(this.address, options, options.userAgent, options.requestTimeoutMs);
    // The pace bounds what is under way. A bound on the connections would hold requests back, unseen, once more.
    const pool = (pipelining: number): Pool =>
      new Pool(this.#way.origin, { ...this.#dispatch(), connections: null, pipelining });
    this.#pool = pool(1);
    this.#fresh = pool(0);
    // Every request listens to it, from its turn to its end.
    setMaxListeners(0, options.deadline);
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
    const connection = new OneConnection(this.#way.origin, { ...this.#dispatch(), pipelining: 1 });
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
      connect: passingOverInterim(this.#way.connect),
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
    };
  }

  async #send(request: WireRequest, route: Route): Promise<Exchange> {
    let mayRetry = true;
    await this.#depart(request);
    for (let throttledTimes = 0; ; ) {
      // The connection of the answer before becomes free only when the event loop has gone round.
      await new Promise(setImmediate);
      const sentAt = performance.now();
      this.#sent += 1;
      const { answer, raced } = await this.#exchange(request, route, sentAt);
      const answeredAt = performance.now();
      if (answer.kind === 'response' && answer.status === 429) {
        throttledTimes += 1;
        this.#breaker.record(request.operation, 'answered', answeredAt);
        this.pace.refused(retryAfterMs(headerOf(answer, 'retry-after'), Date.now()), sentAt);
        if (throttledTimes > MAX_THROTTLE_RETRIES) {
          throw new NotSent('throttled', 'the service answered 429 to the end, however slowly it was asked');
        }
        await this.pace.depart(this.#options.deadline);
        continue;
      }
      this.pace.done(answer.milliseconds, kindOf(request, answer));
      if (this.#options.deadline.aborted && answer.kind === 'no response') {
        throw pastDeadline(this.#options.deadline);
      }
      if (mayRetry && (raced || this.#mayBeMereSlowness(answer))) {
        mayRetry = false;
        if (raced) this.#freshLeft = FRESH_AFTER_RESET;
        await this.pace.depart(this.#options.deadline);
        continue;
      }
      this.#breaker.record(request.operation, endingOf(answer), answeredAt);
      this.#numbered += 1;
      const exchange = { number: this.#numbered, request, answer, sentAt, answeredAt, resent: !mayRetry };
      this.onExchange(exchange);
      return exchange;
    }
  }

  /** Where answers take long in general, a silence may be a queue of our own making; the pace has slowed by now. */
  #mayBeMereSlowness(answer: Answer): boolean {
    const slow = this.pace.typicalMs * 4 > this.#options.requestTimeoutMs;
    return answer.kind === 'no response' && answer.code === 'timeout' && slow;
  }

  /** Waits for the turn of a request, and until its operation may be asked at all. */
  async #depart({ operation }: WireRequest): Promise<void> {
    const { deadline, neverGivesUp = false } = this.#options;
    if (neverGivesUp) return this.pace.depart(deadline);
    for (;;) {
      const permission = this.#breaker.ask(operation, performance.now());
      if (permission.kind === 'refused') {
        throw new NotSent(
          'gave-up',
          `${operation} left one request after the other unanswered; no more were sent to it`,
        );
      }
      if (permission.kind === 'wait') {
        await new Promise((resolve) => setTimeout(resolve, permission.milliseconds));
        if (deadline.aborted) throw pastDeadline(deadline);
        continue;
      }
      await this.pace.depart(deadline);
      if (this.#breaker.claim(operation, performance.now())) return;
      this.pace.abandoned();
    }
  }

  async #exchange(request: WireRequest, route: Route, sentAt: number): Promise<{ answer: Answer; raced: boolean }> {
    const onPool = route === 'pool' && this.#freshLeft === 0;
    if (route === 'pool' && this.#freshLeft > 0) this.#freshLeft -= 1;
    const dispatcher = route !== 'pool' ? route : onPool ? this.#pool : this.#fresh;
    const unanswered = ({ code, sentence }: Pick<NoResponse, 'code' | 'sentence'>): NoResponse => ({
      kind: 'no response',
      code,
      sentence,
      milliseconds: performance.now() - sentAt,
    });
    const waiting = patience(this.#options.requestTimeoutMs, this.#options.deadline);
    const sent = this.#sockets.track(() =>
      dispatcher.request({
        path: `${this.#way.prefix}${this.address.basePath}${request.path}${queryOf(request)}`,
        method: request.method,
        headers: this.#headersFor(request),
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal: waiting.signal,
      }),
    );
    try {
      const head = await sent.result;
      const headers = headerPairs(head.headers);
      const raw = await this.#bodies.read(head.body, lengthIn(headers));
      if (raw === undefined) {
        const sentence = `the body is longer than ${MAX_BODY_BYTES / 1024 / 1024} MiB, or never ends`;
        return { answer: unanswered({ code: 'body-too-large', sentence }), raced: false };
      }
      const { forwarder } = this.#way;
      if (forwarder !== undefined && head.statusCode === 407) throw refusedBy(forwarder.url, 407);
      return { answer: responseFrom(head.statusCode, headers, raw, performance.now() - sentAt), raced: false };
    } catch (error) {
      const failure = failureOf(error, { hasLeft: sent.hasLeft(), hasAnswer: sent.hasAnswer() });
      if (failure.code !== 'reset') return { answer: unanswered(failure), raced: false };
      const refusal = sent.wasReused() ? undefined : await this.#refusalOfTls();
      return { answer: unanswered(refusal ?? failure), raced: sent.wasReused() };
    } finally {
      waiting.end();
    }
  }

  /** Whether new connections are refused for the lack of a client certificate; found out once. */
  async #refusalOfTls(): Promise<Failure | undefined> {
    const { origin } = this.#way;
    if (!origin.startsWith('https:') || this.#way.forwarder !== undefined) return undefined;
    this.#refusal ??= refusalAfterHandshake(origin, this.#way.connect);
    const refusal = await this.#refusal;
    return refusal?.code === 'tls-client-certificate' ? refusal : undefined;
  }

  #headersFor(request: WireRequest): string[] {
    const headers = ['user-agent', this.#options.userAgent, 'accept', 'application/json'];
    for (const { name, value } of this.#options.headers) headers.push(name, value);
    const { forwarder } = this.#way;
    for (const [name, value] of request.credential.headers) {
      // A proxy keeps this header for itself, so the service would not see it anyhow.
      if (forwarder === undefined || name.toLowerCase() !== 'proxy-authorization') headers.push(name, value);
    }
    for (const [name, value] of forwarder?.headers ?? []) headers.push(name, value);
    if (request.contentType !== undefined) headers.push('content-type', request.contentType);
    return headers;
  }
}

function queryOf(request: WireRequest): string {
  if (request.credential.query === undefined) return '';
  return `${request.path.includes('?') ? '&' : '?'}${request.credential.query}`;
}

function endingOf(answer: Answer): Ending {
  if (answer.kind === 'response') return 'answered';
  return isUnconnected(answer.code) ? 'unconnected' : 'unanswered';
}

/** Answers of one kind take about equally long. */
function kindOf({ operation }: WireRequest, answer: Answer): string | undefined {
  return answer.kind === 'response' ? `${operation} ${answer.status}` : undefined;
}

type Headers = Response['headers'];

/** The length of the body as it was announced, in bytes; undefined where it was not, or not as a number. */
function lengthIn(headers: Headers): number | undefined {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function responseFrom(status: number, headers: Headers, body: Uint8Array, milliseconds: number): Response {
  const encoding = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').map(([, value]) => value);
  const decoded = decodeContent(body, encoding.join(','), MAX_BODY_BYTES);
  return decoded.kind === 'decoded'
    ? { kind: 'response', status, headers, body: decoded.body, encodingFault: undefined, milliseconds }
    : { kind: 'response', status, headers, body, encodingFault: decoded.sentence, milliseconds };
}

/** undici's raw headers are a flat list of names and values, each a string or bytes (Latin-1). */
function headerPairs(raw: unknown): Headers {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part: unknown) =>
    part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : String(part),
  );
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < texts.length; at += 2) pairs.push([texts[at] ?? '', texts[at + 1] ?? '']);
  return pairs;
}
