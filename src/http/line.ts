import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type buildConnector, Client, type Dispatcher, errors } from 'undici';
import { Body, decoded, type LargeBodies } from './body.ts';
import { asksForHttps, codeOf, EndlessBody, failure, failureOf, TimeIsUp } from './failures.ts';
import { type Headers, headerOf, type Outcome, type WireRequest } from './message.ts';
import { proxyRefusal, type Route } from './route.ts';
import { MAX_HEAD_BYTES, type Wire, wireOf } from './socket.ts';
import { type End, ended } from './stop.ts';

/** Bodies longer than this are read one at a time. */
const LARGE_BYTES = 4 * 1024 * 1024;
const KEPT_AT_MOST_MS = 30_000;

/** What all lines of a network have in common. */
export interface LineOptions {
  readonly route: Route;
  /** Headers of the user. */
  readonly headers: Headers;
  readonly requestTimeoutMs: number;
  readonly maxBodyBytes: number;
  readonly end: End;
  readonly largeBodies: LargeBodies;
  /** A connection was made. @returns its number */
  readonly opened: () => number;
  /** The service closed a connection that had been idle for so long (ms). */
  readonly closedIdle: (milliseconds: number) => void;
}

/** What became of a request that was sent once. Times are monotonic, in milliseconds. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly connection: number;
  readonly place: number;
  readonly written: boolean;
  /** No byte of a response came, for the connection was closed, or nothing came in time. */
  readonly unanswered: 'closed' | 'late' | undefined;
  /** The connection ended before all of the request was written. */
  readonly wasCut: boolean;
  /** How long the connection had been idle before; 0 for a new one. */
  readonly idleMs: number;
}

/** One connection at a time, opened when first used, and again after it was closed. */
export class Line {
  /** Whether only its owner uses it. */
  readonly isPrivate: boolean;
  readonly #options: LineOptions;
  #client: Client | undefined;
  #opening: Socket | undefined;
  #wire: Wire | undefined;
  /** Whether a request is under way, and since when none is. */
  isBusy = false;
  idleSince = 0;

  constructor(options: LineOptions, isPrivate: boolean) {
    this.#options = options;
    this.isPrivate = isPrivate;
  }

  /** Whether it has a connection on which something was answered. */
  get isServed(): boolean {
    return this.#wire !== undefined && !this.#wire.socket.destroyed && this.#wire.answers > 0;
  }

  /** Resolves when its connection is closed, if it has one; the next request opens another. */
  async close(): Promise<void> {
    const [client, opening] = [this.#client, this.#opening];
    // What ends it now is no doing of the service.
    if (this.#wire !== undefined) this.#wire.isEnding = true;
    this.#client = undefined;
    this.#opening = undefined;
    this.#wire = undefined;
    opening?.destroy();
    await client?.destroy();
  }

  /**
   * Sends a request once.
   *
   * @throws Stopped where the run ends first, and undici's InvalidArgumentError where the request cannot be written
   */
  async attempt(request: WireRequest): Promise<Attempt> {
    const { end, requestTimeoutMs, largeBodies, maxBodyBytes } = this.#options;
    if (end.hasCome) throw ended();
    const body = new Body(maxBodyBytes);
    this.#client ??= this.#newClient();
    const client = this.#client;
    let sentAt = performance.now();
    let wire: Wire | undefined;
    let place = 0;
    let idleMs = 0;
    let receivedBefore = 0;
    let head: { readonly status: number; readonly headers: Headers } | undefined;
    let timer: NodeJS.Timeout | undefined;
    let stopListening = (): void => {};

    const error = await new Promise<unknown>((resolve) => {
      const timeout = (): void => {
        // It waits for other bodies: our own doing.
        if (largeBodies.isWaiting(body)) timer = setTimeout(timeout, requestTimeoutMs);
        // What has arrived while this process was busy is read first.
        else timer = setTimeout(() => setImmediate(resolve, new TimeIsUp()), 1);
      };
      timer = setTimeout(timeout, requestTimeoutMs);
      stopListening = end.listen(() => resolve(ended()));
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => {
          wire = this.#wire;
          sentAt = performance.now();
          if (wire === undefined) return;
          place = wire.requests++;
          idleMs = place === 0 ? 0 : sentAt - wire.answeredAt;
          receivedBefore = wire.received;
        },
        onResponseStart: (controller, status) => {
          head = { status, headers: pairsOf(controller.rawHeaders) };
          if (wire !== undefined) wire.isEnding = /\bclose\b/i.test(headerOf(head.headers, 'connection') ?? '');
        },
        onResponseData: (controller, chunk) => {
          body.add(chunk);
          if (body.size > 2 * maxBodyBytes) controller.abort(new EndlessBody(`over ${mebibytes(2 * maxBodyBytes)}`));
          else if (body.size > LARGE_BYTES && !largeBodies.mayGoOn(body, () => controller.resume())) controller.pause();
        },
        onResponseEnd: () => {
          // Bytes beyond the body, read together with it, are found at once. A reset may end a whole response as well.
          queueMicrotask(() => {
            const beyond = wire?.socket.errored ?? undefined;
            const isReset = /^(UND_ERR_INFO|ECONNRESET|EPIPE)$/.test(codeOf(beyond));
            resolve(isReset ? undefined : beyond && new Surplus());
          });
        },
        onResponseError: (_controller, reason) => resolve(reason),
      };
      client.dispatch(
        { ...this.#written(request), method: request.method, headersTimeout: 0, bodyTimeout: 0 },
        handler,
      );
    });

    clearTimeout(timer);
    stopListening();
    largeBodies.ended(body);
    const answeredAt = performance.now();
    const received = wire !== undefined && wire.received > receivedBefore;
    const wasCut = wire?.wasCut === true;
    if (error !== undefined || head === undefined) await this.close();
    if (error instanceof errors.InvalidArgumentError || end.hasCome) throw end.hasCome ? ended() : error;
    const written = wire !== undefined;
    const outcome =
      error === undefined && head !== undefined
        ? this.#outcomeOf(head.status, head.headers, body)
        : error instanceof Surplus
          ? failure('wrong-length', true, 'more bytes follow it')
          : failureOf(error, { written, received });
    if (wire !== undefined && outcome.kind === 'answer') {
      wire.answers += 1;
      wire.answeredAt = answeredAt;
    }
    const isClosed = outcome.kind === 'failure' && (outcome.code === 'reset' || outcome.code === 'tls-handshake');
    const isLate = outcome.kind === 'failure' && (outcome.code === 'timeout' || outcome.code === 'connect-timeout');
    const unanswered = isClosed ? 'closed' : isLate ? 'late' : undefined;
    const connection = wire?.number ?? 0;
    return { outcome, sentAt, answeredAt, connection, place, written, unanswered, wasCut, idleMs };
  }

  #written(request: WireRequest): Pick<Dispatcher.DispatchOptions, 'path' | 'headers' | 'body'> {
    const { route, headers } = this.#options;
    const own = [...request.headers, ...headers].filter(
      // A proxy does not pass this one on, and may not take two.
      ([name]) => route.forwarder === undefined || name.toLowerCase() !== 'proxy-authorization',
    );
    return {
      path: route.prefix + request.target,
      headers: [...own.flat(), ...route.headers],
      body: bodyOf(request),
    };
  }

  #outcomeOf(status: number, headers: Headers, body: Body): Outcome {
    const { route, maxBodyBytes } = this.#options;
    const { bytes } = body;
    if (route.forwarder !== undefined && status === 407) {
      return failureOf(proxyRefusal(route.forwarder, status), { written: false, received: false });
    }
    if (bytes === undefined) {
      const unread = `the body has ${body.size} bytes, and at most ${mebibytes(maxBodyBytes)} are read`;
      return { kind: 'answer', status, headers, body: new Uint8Array(), unread };
    }
    if (route.origin.startsWith('http:') && asksForHttps(status, bytes)) return failure('https-port', true);
    const plain = decoded(bytes, headerOf(headers, 'content-encoding'), maxBodyBytes);
    return typeof plain === 'string'
      ? { kind: 'answer', status, headers, body: bytes, encodingFault: plain }
      : { kind: 'answer', status, headers, body: plain };
  }

  #newClient(): Client {
    const { route, opened, closedIdle } = this.#options;
    const connect: buildConnector.connector = (wanted, callback) => {
      const opening: unknown = route.connect(wanted, (...[error, socket]) => {
        this.#opening = undefined;
        if (error !== null) return callback(error, null);
        // Of a client that was given up meanwhile, undici destroys the connection.
        if (this.#client === client) this.#wire = wireOf(socket, opened(), closedIdle);
        return callback(null, socket);
      });
      if (opening instanceof Socket && opening.connecting) this.#opening = opening;
    };
    const client: Client = new Client(route.origin, {
      connect,
      pipelining: 1,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: KEPT_AT_MOST_MS,
    });
    return client;
  }
}

/** Bytes followed the body that were no part of it. */
class Surplus extends Error {}

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

/** A body that comes as a stream has no length, so undici sends it in chunks. */
function bodyOf({ body, chunkBytes }: WireRequest): Uint8Array | Readable | null {
  if (body === undefined || body.length === 0 || chunkBytes === undefined) return body ?? null;
  const chunks = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, at) =>
    body.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  return Readable.from(chunks);
}

/** Reads undici's raw headers: a flat list of names and values in bytes. */
function pairsOf(raw: unknown): Headers {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part: unknown) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)));
  return Array.from({ length: texts.length / 2 }, (_, at) => [texts[2 * at] ?? '', texts[2 * at + 1] ?? '']);
}
