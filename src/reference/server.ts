import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { BASE_PATH, createService, type ServiceOptions } from './service.ts';
import type { Call, Operation, Service } from './steps.ts';

export interface ReferenceOptions extends ServiceOptions {
  /** The port to listen on; 0, the default, for any free one. */
  readonly port?: number;
  /** The address to listen on, 127.0.0.1 by default. */
  readonly host?: string;
  /** How long every response is delayed, in milliseconds. */
  readonly latencyMs?: number;
}

export interface RunningReference {
  /** The base address, ending in `/v1`. */
  readonly baseUrl: string;
  /** Stops at once: closes every connection and ends every timer. */
  stop(): Promise<void>;
}

/**
 * Starts the reference service: correct by itself, and changed by the variants and faults given.
 *
 * @throws Error if the address cannot be listened on
 */
export async function startReference(options: ReferenceOptions): Promise<RunningReference> {
  const { port = 0, host = '127.0.0.1', latencyMs = 0 } = options;
  const { service, stop } = createService(options);
  await service.steps.populate(service);

  const { fetch } = routes(service, latencyMs);
  const listener = getRequestListener(fetch, {
    // For HTTP/1.0, which needs no Host header.
    hostname: 'localhost',
    overrideGlobalObjects: false,
    errorHandler: respondToInvalidUrl,
  });
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  server.on('clientError', respondToInvalidRequest);
  service.steps.configure(server, service);
  // With those that a variant has not yet passed to the server, which would not close them.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const boundPort = typeof address === 'object' && address !== null ? address.port : port;
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}${BASE_PATH}`,
    stop: async () => {
      stop();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type NodeEnv = { Bindings: HttpBindings };

/** The three operations under the version segment (parts 4 and 9), and an Error for everything else. */
function routes(service: Service, latencyMs: number): Hono<NodeEnv> {
  const handle = (operation: Operation | undefined) => async (context: Context<NodeEnv>) => {
    const { incoming, outgoing } = context.env;
    const call: Call = {
      service,
      operation,
      petId: context.req.param('petId'),
      query: new URL(context.req.url).searchParams,
      incoming,
      outgoing,
      header: (name) => incoming.headers[name]?.toString(),
    };
    if (latencyMs > 0) await service.pause(latencyMs);
    await service.steps.send(await service.steps.serve(call), call);
    return RESPONSE_ALREADY_SENT;
  };
  return new Hono<NodeEnv>()
    .get(`${BASE_PATH}/pets`, handle('listPets'))
    .post(`${BASE_PATH}/pets`, handle('createPet'))
    .get(`${BASE_PATH}/pets/:petId`, handle('getPet'))
    .all('*', handle(undefined));
}

const BAD_REQUEST = JSON.stringify({ code: 'bad_request', message: 'The request cannot be read.', status: 400 });
const BAD_REQUEST_BYTES = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${BAD_REQUEST.length}\r\nConnection: close\r\n\r\n${BAD_REQUEST}`;

/** For a request whose address is not a URL. */
const respondToInvalidUrl = (): Response =>
  new Response(BAD_REQUEST, { status: 400, headers: { 'Content-Type': 'application/json' } });

/** For bytes that are not an HTTP request. */
function respondToInvalidRequest(_error: Error, socket: Pick<Socket, 'writable' | 'end' | 'destroy'>): void {
  if (socket.writable) socket.end(BAD_REQUEST_BYTES);
  else socket.destroy();
}
