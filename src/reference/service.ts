import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { authenticate } from './authentication.ts';
import { assignInSequence, Collection } from './collection.ts';
import { ApiError } from './errors.ts';
import { writeJson } from './json.ts';
import {
  checkMediaType,
  createPet,
  findPet,
  getPet,
  listPets,
  parseBody,
  populate,
  readBody,
  readLimit,
  readPetId,
  readStatusFilter,
  selectPage,
  store,
  validateNewPet,
} from './operations.ts';
import type { Call, Fault, Service, Steps, Variant } from './steps.ts';

/** The path in front of every operation. */
export const BASE_PATH = '/v1';

export interface ServiceOptions {
  /** The one API key that is valid. */
  readonly token: string;
  readonly faults?: readonly Fault[];
  readonly variants?: readonly Variant[];
  /** Seeds whatever a fault or a variant draws at random. */
  readonly seed?: number;
  /** How many animals to start with; 5 by default. */
  readonly seedAnimals?: number | undefined;
  /** The UTC date, `YYYY-MM-DD`, on which the service runs; today by default. */
  readonly today?: string | undefined;
}

/** The service without its server; `stop` ends every timer. */
export function createService(options: ServiceOptions): { readonly service: Service; readonly stop: () => void } {
  const changes = [...(options.variants ?? []), ...(options.faults ?? [])];
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every request may be waiting at once.
  setMaxListeners(0, signal);
  const service: Service = {
    steps: changes.reduce((steps, { change }) => change(steps), correctSteps()),
    collection: new Collection(),
    token: options.token,
    basePath: BASE_PATH,
    seedAnimals: options.seedAnimals,
    today: () => options.today ?? new Date().toISOString().slice(0, 10),
    random: randomSequence(options.seed ?? 1),
    pause: (milliseconds) => setTimeout(milliseconds, undefined, { signal }).catch(() => new Promise(() => {})),
    every: (milliseconds, action) => {
      const timer = setInterval(action, milliseconds);
      signal.addEventListener('abort', () => clearInterval(timer));
    },
  };
  return { service, stop: () => stopping.abort() };
}

/** The steps of a correct service, with its own sequence of ids. */
export function correctSteps(): Steps {
  return {
    configure: () => {},
    serve: async (call) => {
      try {
        return await call.service.steps.perform(call);
      } catch (thrown) {
        const { steps } = call.service;
        const isExpected = thrown instanceof ApiError;
        const error = isExpected ? thrown : new ApiError(500, 'internal_error', 'The service failed on this request.');
        return steps.respond(error.status, steps.describeError(error, call), error.headers, call);
      }
    },
    perform: async (call) => {
      const { steps } = call.service;
      steps.authenticate(call);
      if (call.operation === undefined) throw undocumented(call);
      return steps[call.operation](call);
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
    store,
    getPet,
    readPetId,
    findPet,
    populate,
    assignId: assignInSequence(),
    describePet: ({ extra, id, ...members }) => ({ ...extra, id, ...members }),
    describeError: ({ code, message, status }) => ({ code, message, status }),
    writeJson,
    respond: (status, value, headers, call) => ({
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
      body: call.service.steps.writeJson(value, call),
    }),
    send: ({ status, headers, body }, { outgoing }) => {
      outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
      outgoing.end(body);
    },
  };
}

/** 405 for another method on a documented path, 404 for any other path. */
function undocumented({ incoming }: Call): ApiError {
  const path = incoming.url?.split('?')[0] ?? '';
  const notAllowed = (message: string, Allow: string) => new ApiError(405, 'method_not_allowed', message, { Allow });
  if (path === `${BASE_PATH}/pets`) {
    return notAllowed('Animals are listed with GET and added with POST.', 'GET, HEAD, POST');
  }
  if (/^\/v1\/pets\/[^/]+$/.test(path)) return notAllowed('An animal can only be fetched, with GET.', 'GET, HEAD');
  return new ApiError(404, 'not_found', 'Nothing is found at this address.');
}

/** A seeded sequence of numbers from 0 (inclusive) to 1 (exclusive), by mulberry32: the same seed, the same sequence. */
function randomSequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
