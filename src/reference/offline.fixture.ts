/** The reference service without a server: requests go to its steps, and time passes only as a test says. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, vi } from 'vitest';
import type { WireRequest } from '../http/message.ts';
import type { Call as Asked } from '../reading/call.ts';
import { fill, type Names } from '../reading/fill.ts';
import { read } from '../reading/reading.ts';
import { TERMS } from '../reading/readings.fixture.ts';
import { BASE_PATH, createService, type ServiceOptions } from './service.ts';
import type { ApiResponse, Call, Operation, Service } from './steps.ts';

/** A response, when its request was sent and when it came (ms). */
export interface Reply {
  readonly response: ApiResponse;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** What was written to the connection, and what became of it; empty unless this is asked for. */
  readonly wire: string;
}

/** Sends a request on a connection; undefined if it gets no response. */
export type Send = (request: WireRequest, connection: number) => Promise<Reply | undefined>;

/** Makes time stand still for the tests of a file, until one of them lets it pass; errors have no stack, which takes long. */
export function stopTime(): void {
  const { stackTraceLimit } = Error;
  beforeAll(() => {
    Error.stackTraceLimit = 0;
    vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  });
  afterAll(() => {
    vi.useRealTimers();
    Error.stackTraceLimit = stackTraceLimit;
  });
}

/** The same function, which looks at each object once. */
function once<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

const filled = once((_: Asked) => new Map<string, WireRequest | undefined>());

/** The request of a call, which is filled in once for what its names stand for. */
export function requestOf(call: Asked, names: Names): WireRequest | undefined {
  const known = filled(call);
  const key = Object.values(names).join(' ');
  if (!known.has(key)) known.set(key, fill(call, names, TERMS));
  return known.get(key);
}

/** What a request says, which is read once. */
export const readingOf = once((request: WireRequest) => read(request, TERMS));

/**
 * Starts a service. It needs `stopTime`.
 *
 * @param isSent whether responses are also put on a wire
 */
export async function startOffline(options: ServiceOptions, isSent: boolean): Promise<Send> {
  const service: Service = {
    ...createService(options).service,
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    every: (milliseconds, action) => {
      setInterval(action, milliseconds);
    },
  };
  await passing(Promise.resolve(service.steps.populate(service)));
  const wires = new Map<number, Wire>();
  return (request, connection) => {
    const open = wires.get(connection);
    const wire = open === undefined || open.destroyed || open.writableEnded ? new Wire(connection) : open;
    wires.set(connection, wire);
    return passing(replyTo(callOf(request, service, wire), wire, isSent));
  };
}

/** A connection that keeps what is written to it. */
class Wire extends Socket {
  written = '';

  constructor(port: number) {
    super();
    Object.defineProperty(this, 'remotePort', { value: port });
    this.on('error', () => {});
  }

  override _write(chunk: Uint8Array | string, encoding: BufferEncoding, done: () => void): void {
    this.written += (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk)).toString('latin1');
    done();
  }

  override _writev(chunks: { chunk: Uint8Array | string; encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of chunks) this._write(chunk, encoding, () => {});
    done();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How many times nothing may happen, and how many timers may end, before something is given up. */
const [MOST_IDLE, MOST_TIMERS] = [5, 2_000];
const MOST_TICKS = 10;

/** Lets time pass until something is there; undefined if it does not come. */
async function passing<T>(something: Promise<T>): Promise<T | undefined> {
  let found: { readonly value: T } | undefined;
  void something.then((value) => {
    found = { value };
  });
  let idle = 0;
  for (let timers = 0; timers < MOST_TIMERS && idle < MOST_IDLE; timers += 1) {
    // Most come without input, output and timers.
    for (let tick = 0; tick < MOST_TICKS && found === undefined; tick += 1) await undefined;
    if (found === undefined) await turn();
    if (found !== undefined) return found.value;
    if (vi.getTimerCount() === 0) idle += 1;
    else vi.advanceTimersToNextTimer();
  }
  return undefined;
}

async function replyTo(call: Call, wire: Wire, isSent: boolean): Promise<Reply> {
  const { service } = call;
  const sentAt = performance.now();
  const response = await service.steps.serve(call);
  if (!isSent) return { response, sentAt, answeredAt: performance.now(), wire: '' };
  const { outgoing } = call;
  const before = wire.written.length;
  outgoing.sendDate = false;
  outgoing.assignSocket(wire);
  await service.steps.send(response, call);
  await turn();
  outgoing.detachSocket(wire);
  const { written, destroyed, writableEnded, timeout } = wire;
  const text = `${written.slice(before)} ${destroyed} ${writableEnded} ${timeout}`;
  return { response, sentAt, answeredAt: performance.now(), wire: text };
}

/** What a server reads in the head of a request. */
const headOf = once(({ method, target, headers, body, chunkBytes }: WireRequest) => {
  const framing = chunkBytes === undefined ? ['Content-Length', `${body?.length}`] : ['Transfer-Encoding', 'chunked'];
  const lines = [['Host', 'localhost'], ...headers, ...(body === undefined ? [] : [framing])];
  const { pathname, searchParams } = new URL(`http://localhost${target}`);
  const petId = /^\/v1\/pets\/([^/]+)$/.exec(pathname)?.[1];
  return {
    operation: operationOf(method, pathname, petId),
    petId: petId === undefined ? undefined : decoded(petId),
    query: searchParams,
    rawHeaders: lines.flat(),
    // Of a header that is there twice the first counts; blanks around a value are no part of it.
    headers: Object.fromEntries(
      lines.toReversed().map(([name = '', value = '']) => [name.toLowerCase(), value.trim()]),
    ),
  };
});

function callOf(request: WireRequest, service: Service, socket: Socket): Call {
  const { method, target, body, chunkBytes = Number.POSITIVE_INFINITY } = request;
  const { rawHeaders, headers, ...head } = headOf(request);
  const incoming = Object.assign(new IncomingMessage(socket), { method, url: target, rawHeaders, headers });
  incoming.httpVersionMajor = 1;
  incoming.httpVersionMinor = 1;
  for (let at = 0; at < (body?.length ?? 0); at += chunkBytes) incoming.push(body?.subarray(at, at + chunkBytes));
  incoming.push(null);
  // Otherwise the end of its body would be taken for the end of the connection.
  incoming.complete = true;
  let outgoing: ServerResponse | undefined;
  return {
    ...head,
    service,
    incoming,
    get outgoing() {
      outgoing ??= new ServerResponse(incoming);
      return outgoing;
    },
    header: (name) => headers[name],
  };
}

function operationOf(method: string, path: string, petId: string | undefined): Operation | undefined {
  if (petId !== undefined) return method === 'GET' ? 'getPet' : undefined;
  if (path !== `${BASE_PATH}/pets`) return undefined;
  return method === 'GET' ? 'listPets' : 'createPet';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
