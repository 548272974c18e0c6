import { Readable } from 'node:stream';
import { type Dispatcher, errors, Pool, Client as SingleConnection } from 'undici';
import { chunkSize } from './chunk-size.ts';
import { servesFewConnections } from './connect/few-connections.ts';
import { refusalAfterHandshake } from './connect/handshake.ts';
import { readingEveryAnswer } from './connect/http-socket.ts';
import { type Address, type ConnectionOptions, type Route, routeTo } from './connect/route.ts';
import { SocketHistory } from './connect/socket-history.ts';
import { proxyRefusal } from './connect/tunnel.ts';
import { type Answer, type WireRequest, withQuery } from './exchange.ts';
import { type Failure, failureOf } from './failures.ts';
import { announcedLength, headerPairs, requestHeaders, responseOf } from './message.ts';
import type { ExtraHeader } from './options.ts';
import { timeLimit } from './pacing/time-limit.ts';
import { BodyReader, ENDLESS_BYTES, MAX_BODY_BYTES } from './response-body.ts';

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;
const OVERSIZED = {
  'too large': {
    code: 'body-too-large',
    sentence: `the body is longer than ${mebibytes(MAX_BODY_BYTES)}, which this suite does not read`,
  },
  endless: { code: 'body-endless', sentence: `the body did not end after ${mebibytes(ENDLESS_BYTES)}` },
} as const;

const MAX_HEADER_BYTES = 64 * 1024;
/** After a reset that may have been a keep-alive race, this many requests each get a new connection. */
const FRESH_AFTER_RESET = 240;

export interface WireOptions extends ConnectionOptions {
  readonly headers: readonly ExtraHeader[];
  readonly userAgent: string;
  readonly requestTimeoutMs: number;
  /** Aborted when the time budget of the run is used up, or the user ends it. */
  readonly deadline: AbortSignal;
  /** Whether the service serves a few connections at a time, each until it is closed: none is kept then. */
  readonly servesFewConnections?: boolean | undefined;
}

export interface Attempt {
  readonly answer: Answer;
  /**
   * Why the end may be our own doing.
   * - `raced`: it was reset on a reused connection, or before all of it was written on any: maybe the service closed an idle
   *   one when the request was already on its way, or an answer was lost.
   * - `starved`: nothing came back in time on a new connection: maybe it waited for another one to be closed.
   */
  readonly doubt?: 'raced' | 'starved' | undefined;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/**
 * Sends requests exactly as they are written, each once. Redirects are not followed, bodies are read up to a bound,
 * and every attempt has a total time limit.
 */
export class Wire {
  readonly #address: Address;
  readonly #options: WireOptions;
  readonly #route: Route;
  #pool: Pool;
  readonly #fresh: Pool;
  /** Pools that take no more requests, as long as any is in flight. */
  readonly #closing = new Set<Pool>();
  readonly #sockets = new SocketHistory();
  readonly #bodies = new BodyReader();
  #refusal: Promise<Failure | undefined> | undefined;
  #freshLeft = 0;
  #hasDoubted = false;
  /** Whether no connection is kept, as the service serves a few at a time. */
  keepsNone: boolean;

  constructor(address: Address, options: WireOptions) {
    this.#address = address;
    this.#options = options;
    this.#route = routeTo(address, options, options.userAgent, options.requestTimeoutMs);
    this.keepsNone = options.servesFewConnections ?? false;
    this.#pool = this.#newPool(1);
    this.#fresh = this.#newPool(0);
  }

  #newPool(pipelining: 0 | 1): Pool {
    // The limiter bounds the concurrency. A bound on connections would hold requests back once more, unseen by it.
    return new Pool(this.#route.origin, { ...this.#dispatcherOptions(), connections: null, pipelining });
  }

  /**
   * Whether the service serves a few connections at a time, each until it is closed.
   *
   * @param request what is sent on many connections at once to find out
   * @param patienceMs so long after the last answer (ms), nothing more is expected
   */
  servesFewConnections(request: WireRequest, patienceMs: number): Promise<boolean> {
    const send = async (connection: SingleConnection): Promise<boolean> =>
      (await this.attempt(request, connection)).answer.kind === 'response';
    const closeIdle = (): void => this.closeIdleConnections();
    return servesFewConnections({ open: () => this.openConnection(), send, closeIdle }, patienceMs);
  }

  /** Whether requests get new connections, to find out whether resets are keep-alive races. */
  get usesFreshConnections(): boolean {
    return this.#freshLeft > 0;
  }

  /** Gives the next requests a new connection each. */
  useFreshConnections(): void {
    this.#freshLeft = FRESH_AFTER_RESET;
    this.#hasDoubted = true;
  }

  /** The same, if it was done before. */
  useFreshConnectionsAgain(): void {
    if (this.#hasDoubted) this.useFreshConnections();
  }

  /** A connection that nothing else uses; the caller must destroy it. */
  openConnection(): SingleConnection {
    return new SingleConnection(this.#route.origin, { ...this.#dispatcherOptions(), pipelining: 1 });
  }

  async close(): Promise<void> {
    this.#sockets.close();
    await Promise.all([this.#pool, this.#fresh, ...this.#closing].map((pool) => pool.destroy()));
  }

  /**
   * Sends a request once, on the given connection or on any. Never throws for anything that the service does.
   *
   * @param closes whether the connection is to be closed once it was answered
   * @param isAgain it was sent before: not on a connection that may be closed at this very moment
   */
  async attempt(
    request: WireRequest,
    connection: Dispatcher | undefined,
    closes = false,
    isAgain = false,
  ): Promise<Attempt> {
    // The connection of the previous answer becomes free only in the next turn of the event loop.
    await new Promise(setImmediate);
    const sentAt = performance.now();
    const dispatcher = connection ?? (isAgain ? this.#fresh : this.#nextPool());
    const ended = await this.#exchange(request, dispatcher, closes, sentAt);
    return { ...ended, sentAt, answeredAt: performance.now() };
  }

  /** Closes connections that lie idle, and others once their requests were answered. */
  closeIdleConnections(): void {
    const pool = this.#pool;
    this.#pool = this.#newPool(1);
    this.#closing.add(pool);
    // Where the run ends first, it is destroyed.
    void pool
      .close()
      .catch(() => undefined)
      .finally(() => this.#closing.delete(pool));
  }

  #nextPool(): Pool {
    if (this.#freshLeft === 0) return this.keepsNone ? this.#fresh : this.#pool;
    this.#freshLeft -= 1;
    return this.#fresh;
  }

  async #exchange(
    request: WireRequest,
    dispatcher: Dispatcher,
    closes: boolean,
    sentAt: number,
  ): Promise<Pick<Attempt, 'answer' | 'doubt'>> {
    const { headers, userAgent, requestTimeoutMs, deadline } = this.#options;
    const { forwarder, prefix } = this.#route;
    const elapsed = (): number => performance.now() - sentAt;
    const failed = (failure: Failure): Answer => ({ kind: 'no response', ...failure, milliseconds: elapsed() });
    const limit = timeLimit(requestTimeoutMs, deadline);
    const tracked = this.#sockets.track(() =>
      dispatcher.request({
        path: `${prefix}${this.#address.basePath}${withQuery(request.path, request.credential.query)}`,
        method: request.method,
        headers: requestHeaders(request, userAgent, headers, forwarder?.headers),
        body: bodyOf(request),
        reset: closes,
        responseHeaders: 'raw',
        signal: limit.signal,
      }),
    );
    try {
      const head = await tracked.result;
      const received = headerPairs(head.headers);
      const body = await this.#bodies.read(head.body, announcedLength(received), limit);
      if (body === 'too large' || body === 'endless') return { answer: failed(OVERSIZED[body]) };
      if (forwarder !== undefined && head.statusCode === 407) throw proxyRefusal(forwarder.url, 407);
      return { answer: responseOf(head.statusCode, received, body, elapsed()) };
    } catch (error) {
      // A request that cannot be written says nothing of the service.
      if (error instanceof errors.InvalidArgumentError) throw error;
      const stage = tracked.stage();
      const failure = failureOf(error, stage);
      const isClosed = failure.code === 'reset' || failure.code === 'truncated';
      // What a service answers before it has read the whole request may be lost as it closes the connection.
      if (isClosed && stage.wasCut) return { answer: failed(failure), doubt: 'raced' };
      const isTimeout = failure.code === 'timeout' || failure.code === 'connect-timeout';
      // One that was used before is being served.
      if (isTimeout && !stage.wasReused) return { answer: failed(failure), doubt: 'starved' };
      if (failure.code !== 'reset') return { answer: failed(failure) };
      if (stage.wasReused) return { answer: failed(failure), doubt: 'raced' };
      const refusal = await this.#tlsRefusal();
      if (refusal !== undefined) return { answer: failed(refusal) };
      // Where nothing was written yet, it was an idle connection, or a new one, which is then reset again.
      return { answer: failed(failure), doubt: stage.wasSent ? undefined : 'raced' };
    } finally {
      limit.end();
    }
  }

  /** Whether new connections are refused for lack of an accepted client certificate; found out once. */
  async #tlsRefusal(): Promise<Failure | undefined> {
    const { origin, forwarder, connect } = this.#route;
    if (!origin.startsWith('https:') || forwarder !== undefined) return undefined;
    this.#refusal ??= refusalAfterHandshake(origin, connect);
    const refusal = await this.#refusal;
    return refusal?.code === 'tls-client-certificate' ? refusal : undefined;
  }

  #dispatcherOptions() {
    return {
      connect: readingEveryAnswer(this.#route.connect, MAX_HEADER_BYTES),
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: 30_000,
    };
  }
}

/** A body that comes as a stream has no length, so undici sends it in chunks. */
function bodyOf({ body, chunked }: WireRequest): Uint8Array | Readable | null {
  if (body === undefined || chunked !== true) return body ?? null;
  const size = chunkSize(body.length);
  return Readable.from(
    Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.subarray(at * size, (at + 1) * size)),
  );
}
