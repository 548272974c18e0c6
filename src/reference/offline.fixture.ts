/** The reference service without a server: requests go to its steps, and time passes only as a test says. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { vi } from 'vitest';
import type { WireRequest } from '../http/message.ts';
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

/**
 * Starts a service. It needs the fake timers of `fakeTime`.
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

export const fakeTime = (): void => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
};

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

/** Lets time pass until something is there; undefined if it does not come. */
async function passing<T>(something: Promise<T>): Promise<T | undefined> {
  let found: { readonly value: T } | undefined;
  void something.then((value) => {
    found = { value };
  });
  let idle = 0;
  for (let timers = 0; timers < MOST_TIMERS && idle < MOST_IDLE; timers += 1) {
    await turn();
    if (found !== undefined) return found.value;
    if (vi.getTimerCount() === 0) idle += 1;
    else vi.advanceTimersToNextTimer();
  }
  return undefined;
}

async function replyTo(call: Call, wire: Wire, isSent: boolean): Promise<Reply> {
  const { outgoing, service } = call;
  const sentAt = performance.now();
  const response = await service.steps.serve(call);
  if (!isSent) return { response, sentAt, answeredAt: performance.now(), wire: '' };
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

function callOf({ method, target, headers, body, chunkBytes }: WireRequest, service: Service, socket: Socket): Call {
  const incoming = new IncomingMessage(socket);
  const framing = chunkBytes === undefined ? ['Content-Length', `${body?.length}`] : ['Transfer-Encoding', 'chunked'];
  const lines = [['Host', 'localhost'], ...headers, ...(body === undefined ? [] : [framing])];
  incoming.httpVersionMajor = 1;
  incoming.httpVersionMinor = 1;
  incoming.method = method;
  incoming.url = target;
  incoming.rawHeaders = lines.flat();
  // Of a header that is there twice the first counts; blanks around a value are no part of it.
  incoming.headers = Object.fromEntries(
    lines.toReversed().map(([name = '', value = '']) => [name.toLowerCase(), value.trim()]),
  );
  for (let at = 0; at < (body?.length ?? 0); at += chunkBytes ?? Number.POSITIVE_INFINITY)
    incoming.push(body?.subarray(at, at + (chunkBytes ?? Number.POSITIVE_INFINITY)));
  incoming.push(null);
  // Otherwise the end of its body would be taken for the end of the connection.
  incoming.complete = true;
  const { pathname, searchParams } = new URL(`http://localhost${target}`);
  const petId = /^\/v1\/pets\/([^/]+)$/.exec(pathname)?.[1];
  return {
    service,
    operation: operationOf(method, pathname, petId),
    petId: petId === undefined ? undefined : decoded(petId),
    query: searchParams,
    incoming,
    outgoing: new ServerResponse(incoming),
    header: (name) => incoming.headers[name]?.toString(),
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
