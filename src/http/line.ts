import { Readable } from 'node:stream';
import { type buildConnector, Client, type Dispatcher, errors } from 'undici';
import { Body, decoded, type LargeBodies } from './body.ts';
import { codeOf, EndlessBody, failure, failureOf, saidOfConnection, TimeIsUp } from './failures.ts';
import { endsWithNotice } from './heads.ts';
import { type Answer, type Headers, headerOf, type Outcome, type WireRequest } from './message.ts';
import { saidByProxy, throughProxy } from './proxy.ts';
import type { Route } from './route.ts';
import { closed, MAX_HEAD_BYTES, type Opening, type Wire, wireOf } from './socket.ts';
import { type End, ended } from './stop.ts';

/** Bodies longer than this are read one at a time. */
const LARGE_BYTES = 4 * 1024 * 1024;
const KEPT_AT_MOST_MS = 30_000;
/** How long before the service closes an idle connection, as it announced, another is opened (ms). */
const CLOSED_BEFORE_MS = 100;

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
  /** The service closed a connection that had been idle for this long (ms). */
  readonly closedIdle: (milliseconds: number) => void;
}

/** The outcome of sending a request once. Times are monotonic, in milliseconds. */
export interface Attempt {
  readonly outcome: Outcome;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly connection: number;
  readonly place: number;
  readonly written: boolean;
  /** Why no byte of a response came: the connection was closed, or nothing came in time. */
  readonly unanswered: 'closed' | 'late' | undefined;
  /** The connection ended before all of the request was written. */
  readonly wasCut: boolean;
  /** How long the connection had been idle before, or had existed if it is new. */
  readonly idleMs: number;
}

/** A request that is under way. Times are monotonic, in milliseconds. */
interface Flight {
  readonly body: Body;
  sentAt: number;
  /** Its connection, and of it: how many requests it had served, for how long it had been idle, and bytes received. */
  wire?: Wire | undefined;
  place: number;
  idleMs: number;
  receivedBefore: number;
  head?: { readonly status: number; readonly headers: Headers };
}

/** One connection at a time, opened when it is first used, and reopened after it was closed. */
export class Line {
  readonly #options: LineOptions;
  #client: Client | undefined;
  #opening: Opening | undefined;
  #wire: Wire | undefined;
  /** Its connection stays open, however long it is idle. */
  isKept = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Whether it has a connection, or opens one. */
  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  /** Whether it has a connection on which a response came. */
  get isServed(): boolean {
    return this.#wire !== undefined && !this.#wire.socket.destroyed && this.#wire.responses > 0;
  }

  /** For how long (ms) its connection has been idle; 0 if no response came on it. */
  get idleMs(): number {
    return this.isServed ? performance.now() - (this.#wire?.respondedAt ?? 0) : 0;
  }

  /** Resolves when its connection is closed on both sides, if it has one; the next request opens another. */
  async close(): Promise<void> {
    const [client, opening, wire] = [this.#client, this.#opening, this.#wire];
    this.#client = undefined;
    this.#opening = undefined;
    this.#wire = undefined;
    opening?.abandon();
    // A service that still counts it as open may not serve another one yet.
    if (wire !== undefined) await closed(wire);
    await client?.destroy();
  }

  /**
   * Sends a request once.
   *
   * @throws Stopped if the run ends first, and undici's InvalidArgumentError where the request cannot be written
   */
  async attempt(request: WireRequest): Promise<Attempt> {
    const { end, route, maxBodyBytes } = this.#options;
    if (end.hasCome) throw ended();
    const body = new Body(maxBodyBytes);
    const flight: Flight = { body, sentAt: performance.now(), place: 0, idleMs: 0, receivedBefore: 0 };
    const error = await this.#fly(request, flight);
    const { wire, head, sentAt, place, idleMs } = flight;
    const answeredAt = performance.now();
    const written = wire !== undefined;
    const received = wire !== undefined && wire.received > flight.receivedBefore;
    const wasCut = wire?.wasCut === true;
    if (error !== undefined || head === undefined) await this.close();
    if (error instanceof errors.InvalidArgumentError || end.hasCome) throw end.hasCome ? ended() : error;
    // undici tells only of the close that followed.
    const cause = wire?.alert ?? error;
    const outcome =
      error === undefined && head !== undefined
        ? this.#outcomeOf(head.status, head.headers, body)
        : error instanceof ExtraBytes
          ? { ...failure('wrong-length', true, 'more bytes follow it'), status: head?.status }
          : { ...throughProxy(route.forwarder, failureOf(cause, { written, received })), status: head?.status };
    if (wire !== undefined && outcome.kind === 'answer') {
      wire.responses += 1;
      wire.respondedAt = answeredAt;
      wire.hasRejected = outcome.status >= 400;
    }
    const isClosed = outcome.kind === 'failure' && (outcome.code === 'reset' || outcome.code === 'tls-handshake');
    const isLate = outcome.kind === 'failure' && (outcome.code === 'timeout' || outcome.code === 'connect-timeout');
    const unanswered = isClosed ? 'closed' : isLate ? 'late' : undefined;
    const connection = wire?.number ?? 0;
    return { outcome, sentAt, answeredAt, connection, place, written, unanswered, wasCut, idleMs };
  }

  /** Sends a request, and notes what becomes of it until its response is complete. @returns why it did not become so */
  async #fly(request: WireRequest, flight: Flight): Promise<unknown> {
    const { end, requestTimeoutMs, largeBodies } = this.#options;
    const { body } = flight;
    this.#client ??= this.#newClient();
    const client = this.#client;
    let timer: NodeJS.Timeout | undefined;
    let stopListening = (): void => {};
    try {
      return await new Promise<unknown>((resolve) => {
        const timeout = (): void => {
          // It waits for other bodies, which is not the service's fault.
          if (largeBodies.isWaiting(body)) timer = setTimeout(timeout, requestTimeoutMs);
          // What arrived while this process was busy is read first.
          else timer = setTimeout(() => setImmediate(() => resolve(this.#opening?.late ?? new TimeIsUp())), 1);
        };
        timer = setTimeout(timeout, requestTimeoutMs);
        stopListening = end.listen(() => resolve(ended()));
        const sent = { ...this.#written(request), method: request.method, headersTimeout: 0, bodyTimeout: 0 };
        client.dispatch(sent, this.#handlerOf(request, flight, resolve));
      });
    } finally {
      clearTimeout(timer);
      stopListening();
      largeBodies.ended(body);
    }
  }

  /** @param done called with why the response is not complete, or nothing */
  #handlerOf(request: WireRequest, flight: Flight, done: (error?: unknown) => void): Dispatcher.DispatchHandler {
    const { largeBodies, maxBodyBytes } = this.#options;
    const { body } = flight;
    return {
      onRequestStart: () => {
        const wire = this.#wire;
        flight.sentAt = performance.now();
        flight.wire = wire;
        if (wire === undefined) return;
        flight.place = wire.requests++;
        flight.idleMs = flight.sentAt - wire.respondedAt;
        flight.receivedBefore = wire.received;
      },
      onResponseStart: (controller, status) => {
        flight.head = { status, headers: pairsOf(controller.rawHeaders) };
        const isAnnounced = [request.headers, flight.head.headers].some((headers) =>
          /\bclose\b/i.test(headerOf(headers, 'connection') ?? ''),
        );
        if (flight.wire !== undefined) flight.wire.isEnding = isAnnounced;
      },
      onResponseData: (controller, chunk) => {
        body.add(chunk);
        if (body.size > 2 * maxBodyBytes) controller.abort(new EndlessBody(`over ${mebibytes(2 * maxBodyBytes)}`));
        else if (body.size > LARGE_BYTES && !largeBodies.mayGoOn(body, () => controller.resume())) controller.pause();
      },
      onResponseEnd: () => {
        // Extra bytes that were read with the body show at once. A complete response may end with a reset, too.
        queueMicrotask(() => {
          const { wire } = flight;
          const beyond = wire?.socket.errored ?? undefined;
          const isReset = /^(UND_ERR_INFO|ECONNRESET|EPIPE)$/.test(codeOf(beyond));
          done(isReset || endsWithNotice(wire?.lastRead) ? undefined : beyond && new ExtraBytes());
        });
      },
      onResponseError: (_controller, reason) => done(reason),
    };
  }

  #written(request: WireRequest): Pick<Dispatcher.DispatchOptions, 'path' | 'headers' | 'body'> {
    const { route, headers } = this.#options;
    const own = [...request.headers, ...headers].filter(
      // A proxy does not pass this header on, and may not accept two.
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
    const answer = answerOf(status, headers, body, maxBodyBytes);
    const byProxy = route.forwarder === undefined ? undefined : saidByProxy(route.forwarder, answer);
    return byProxy ?? saidOfConnection(route.origin, answer) ?? answer;
  }

  #newClient(): Client {
    const { route, opened, closedIdle } = this.#options;
    const connect: buildConnector.connector = (wanted, callback) => {
      const begunAt = performance.now();
      const report = (opening: Opening | undefined): void => {
        if (this.#client === client) this.#opening = opening;
        else opening?.abandon();
      };
      const done: buildConnector.Callback = (...[error, socket]) => {
        report(undefined);
        if (error !== null) return callback(error, null);
        // undici destroys the connection of a client that was closed meanwhile.
        if (this.#client === client) this.#wire = wireOf(socket, opened(), begunAt, closedIdle);
        return callback(null, socket);
      };
      route.connect(wanted, done, report);
    };
    const client: Client = new Client(route.origin, {
      connect,
      pipelining: 1,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: KEPT_AT_MOST_MS,
      keepAliveTimeoutThreshold: CLOSED_BEFORE_MS,
    });
    return client;
  }
}

/** The body was followed by bytes that are not part of it. */
class ExtraBytes extends Error {}

function answerOf(status: number, headers: Headers, { bytes, size }: Body, maxBytes: number): Answer {
  if (bytes === undefined) {
    const unread = `the body has ${size} bytes, and at most ${mebibytes(maxBytes)} are read`;
    return { kind: 'answer', status, headers, body: new Uint8Array(), unread };
  }
  const plain = decoded(bytes, headerOf(headers, 'content-encoding'), maxBytes);
  return typeof plain === 'string'
    ? { kind: 'answer', status, headers, body: bytes, encodingFault: plain }
    : { kind: 'answer', status, headers, body: plain };
}

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

/** A stream has no length, so undici sends it in chunks. */
function bodyOf({ body, chunkBytes }: WireRequest): Uint8Array | Readable | null {
  if (body === undefined || body.length === 0 || chunkBytes === undefined) return body ?? null;
  const chunks = Array.from({ length: Math.ceil(body.length / chunkBytes) }, (_, at) =>
    body.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  return Readable.from(chunks);
}

/** The headers in undici's raw form: a flat list of names and values in bytes. */
function pairsOf(raw: unknown): Headers {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part: unknown) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)));
  return Array.from({ length: texts.length / 2 }, (_, at) => [texts[2 * at] ?? '', texts[2 * at + 1] ?? '']);
}
