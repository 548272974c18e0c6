import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { authenticate } from './authentication.ts';
import { Collection } from './collection.ts';
import { assignInSequence, checkMediaType, createPet, parseBody, readBody, store, validateNewPet } from './creation.ts';
import { answerError, describeError, Refusal } from './errors.ts';
import { findPet, getPet, readPetId } from './fetching.ts';
import { writeJson } from './json.ts';
import { listPets, readLimit, readStatusFilter, selectPage } from './listing.ts';
import { randomSequence } from './random.ts';
import type { Call, Fault, Operation, Shop, Steps, Variant } from './steps.ts';
import { stock } from './stock.ts';
import { Timers } from './timers.ts';
import { describePet, reply, send } from './wire.ts';

export interface ReferenceOptions {
  /** The port to listen on; 0, the default, for any free one. */
  readonly port?: number;
  /** The one API key that is valid. */
  readonly token: string;
  /** The address to listen on, 127.0.0.1 by default. */
  readonly host?: string;
  readonly faults?: readonly Fault[];
  readonly variants?: readonly Variant[];
  /** Seeds whatever a fault or a variant draws by chance. */
  readonly seed?: number;
  /** How many animals to start with; a handful by default. */
  readonly seedAnimals?: number;
  /** How long every answer is held back, in milliseconds. */
  readonly latencyMs?: number;
  /** The UTC date, `YYYY-MM-DD`, that the service believes in; the machine's by default. */
  readonly today?: string;
}

export interface RunningReference {
  /** The base address, ending in `/v1`. */
  readonly baseUrl: string;
  /** Stops at once: closes every connection and ends every timer. */
  stop(): Promise<void>;
}

const BASE_PATH = '/v1';

/** Starts the reference service: correct by itself, and changed by the variants and faults given. */
export async function startReference(options: ReferenceOptions): Promise<RunningReference> {
  const timers = new Timers();
  const changes = [...(options.variants ?? []), ...(options.faults ?? [])];
  const shop: Shop = {
    steps: changes.reduce((steps, { change }) => change(steps), correctSteps()),
    collection: new Collection(),
    token: options.token,
    basePath: BASE_PATH,
    seedAnimals: options.seedAnimals,
    today: () => options.today ?? new Date().toISOString().slice(0, 10),
    random: randomSequence(options.seed ?? 1),
    pause: (milliseconds) => timers.pause(milliseconds),
    every: (milliseconds, action) => timers.every(milliseconds, action),
  };
  await shop.steps.stock(shop);

  const server = createServer(
    { keepAliveTimeout: 65_000 },
    getRequestListener(routes(shop, options.latencyMs ?? 0).fetch, {
      overrideGlobalObjects: false,
      errorHandler: answerUnreadable,
    }),
  );
  server.on('clientError', refuseUnreadable);
  shop.steps.configure(server, shop);
  const port = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');
  return {
    baseUrl: `http://${hostInUrl(options.host ?? '127.0.0.1')}:${port}${BASE_PATH}`,
    stop: () => {
      timers.stop();
      return close(server);
    },
  };
}

/** The steps of a correct service, with a sequence of identifiers of their own. */
function correctSteps(): Steps {
  return {
    configure: () => {},
    stock,
    serve: async (call) => {
      try {
        return await call.shop.steps.perform(call);
      } catch (thrown) {
        return answerError(thrown, call);
      }
    },
    perform: async (call) => {
      const { steps } = call.shop;
      steps.authenticate(call);
      switch (call.operation) {
        case 'listPets':
          return steps.listPets(call);
        case 'createPet':
          return steps.createPet(call);
        case 'getPet':
          return steps.getPet(call);
        case undefined:
          throw undocumented(call);
      }
    },
    authenticate,
    listPets,
    readLimit,
    readStatusFilter,
    selectPage,
    createPet,
    checkMediaType,
    readBody,
    parseBody,
    validateNewPet,
    assignId: assignInSequence(),
    store,
    getPet,
    readPetId,
    findPet,
    describePet,
    describeError,
    writeJson,
    reply,
    send,
  };
}

/** The three operations under the version segment (parts 4 and 9), and an Error for everything else. */
function routes(shop: Shop, latencyMs: number): Hono<{ Bindings: HttpBindings }> {
  let requests = 0;
  const handle = (operation: Operation | undefined) => async (context: Context<{ Bindings: HttpBindings }>) => {
    const { incoming, outgoing } = context.env;
    requests += 1;
    const call: Call = {
      shop,
      operation,
      petId: context.req.param('petId'),
      query: new URL(context.req.url).searchParams,
      number: requests,
      incoming,
      outgoing,
      header: (name) => {
        const value = incoming.headers[name];
        return Array.isArray(value) ? value.join(', ') : value;
      },
    };
    if (latencyMs > 0) await shop.pause(latencyMs);
    await shop.steps.send(await shop.steps.serve(call), call);
    return RESPONSE_ALREADY_SENT;
  };
  return new Hono<{ Bindings: HttpBindings }>()
    .get(`${BASE_PATH}/pets`, handle('listPets'))
    .post(`${BASE_PATH}/pets`, handle('createPet'))
    .get(`${BASE_PATH}/pets/:petId`, handle('getPet'))
    .all('*', handle(undefined));
}

/** 405 for another method on a documented path, 404 for any other path. */
function undocumented(call: Call): Refusal {
  const path = call.incoming.url?.split('?')[0] ?? '';
  if (path === `${BASE_PATH}/pets`) {
    return new Refusal(405, 'method_not_allowed', 'Animals are listed with GET and added with POST.', {
      Allow: 'GET, HEAD, POST',
    });
  }
  if (/^\/v1\/pets\/[^/]+$/.test(path)) {
    return new Refusal(405, 'method_not_allowed', 'An animal can only be fetched, with GET.', { Allow: 'GET, HEAD' });
  }
  return new Refusal(404, 'not_found', 'Nothing is found at this address.');
}

const UNREADABLE = JSON.stringify({
  code: 'bad_request',
  message: 'The request cannot be read.',
  status: 400,
});

/** For a request whose address is no URL. */
const answerUnreadable = (): Response =>
  new Response(UNREADABLE, {
    status: 400,
    headers: { 'Content-Type': 'application/json' },
  });

/** For bytes that are no HTTP request. */
function refuseUnreadable(_error: Error, socket: Pick<Socket, 'writable' | 'end' | 'destroy'>): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${UNREADABLE.length}\r\nConnection: close\r\n\r\n${UNREADABLE}`,
  );
}

const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Resolves with the port once the server listens. */
function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
