import type { Call } from '../http/exchange.ts';
import type { Headers } from '../http/message.ts';
import type { KeyRow } from '../inputs/keys.ts';
import { create, get, JSON_TYPE, list, PLAIN } from '../reading/call.ts';
import { operationOf } from '../reading/reading.ts';

/**
 * When rows are sent: with the collection as it was found; on all connections; once there are more animals of a status
 * than a page may have; and when the first animals are old.
 */
export type Stage = 'found' | 'rows' | 'full' | 'aged';

/** A table of requests, most revealing first. */
export interface Rows {
  readonly stage: Stage;
  readonly calls: readonly Call[];
  /** This many of its first rows are sent in every profile. */
  readonly atLeast: number;
  /** Its animals must be accepted. Other rows build on them, so it is sent early. */
  readonly isValid?: boolean;
}

interface Options {
  readonly in?: Stage;
  readonly atLeast?: number;
  readonly isValid?: boolean;
}

const rows = <Row>(
  table: readonly Row[],
  make: (row: Row, at: number) => Call,
  { in: stage = 'rows', atLeast = 0, isValid = false }: Options,
): Rows => ({
  stage,
  calls: table.map(make),
  atLeast,
  isValid,
});

/** listPets with each of these queries. */
export const lists = (queries: readonly string[], options: Options = {}): Rows =>
  rows(queries, (query) => list(query), options);

/** listPets with each of these targets. */
export const targets = (all: readonly string[], options: Options = {}): Rows =>
  rows(all, (target) => ({ ...list(), target }), options);

/** getPet with each of these ids. */
export const gets = (ids: readonly string[], options: Options = {}): Rows => rows(ids, (id) => get(id), options);

/** createPet with each of these bodies; undefined for none. */
export const creates = (bodies: readonly (string | undefined)[], options: Options = {}): Rows =>
  rows(bodies, (body) => create(body), options);

/** createPet with each Content-Type and body; an empty type for none. */
export const createsAs = (
  bodies: readonly (readonly [type: string, body: string | undefined])[],
  options: Options = {},
): Rows =>
  rows(bodies, ([type, body]) => create(body, type === '' ? PLAIN : [...PLAIN, ['Content-Type', type]]), options);

/** createPet with each Content-Encoding and body. */
export const createsIn = (bodies: readonly (readonly [coding: string, body: string])[], options: Options = {}): Rows =>
  rows(bodies, ([coding, body]) => create(body, [...PLAIN, JSON_TYPE, ['Content-Encoding', coding]]), options);

/** createPet with each body in chunks. */
export const createsInChunks = (
  bodies: readonly (readonly [bytes: number, body: string])[],
  options: Options = {},
): Rows => rows(bodies, ([chunkBytes, body]) => ({ ...create(body), chunkBytes }), options);

const VALID_BODY = '{"name":"$NAME","categoryId":7,"status":"available"}';

/** Calls to try keys and headers on. */
export const CALLS = {
  list: list(),
  get: get(),
  create: create(VALID_BODY),
  getFree: get('$FREE'),
  listSold: list('status=sold'),
  limit0: list('limit=0'),
  badBody: create('{"name":"$NAME"}'),
} as const;

/** Each way to send a key, on the calls in turn; on all of them if `each` is true. */
export function keys(
  table: readonly KeyRow[],
  calls: readonly Call[],
  options: Options & { readonly each?: boolean } = {},
): Rows {
  const { in: stage = 'rows', atLeast = 0, each = false } = options;
  const all = table.flatMap((row, at) =>
    (each ? calls : calls.slice(at % calls.length, (at % calls.length) + 1)).map((call) => withKey(call, row)),
  );
  return { stage, calls: all, atLeast };
}

/** A call with its key sent in another way. */
export function withKey(call: Call, { headers, query }: KeyRow): Call {
  const replaced = new Set(['authorization', ...headers.map(([name]) => name.toLowerCase())]);
  const kept = call.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  const target = query === undefined ? call.target : `${call.target}${call.target.includes('?') ? '&' : '?'}${query}`;
  return { ...call, target, headers: [...kept, ...headers] };
}

/** Targets without a key, or with a wrong one. */
export const withoutValidKey = (targets: readonly string[], row: KeyRow, options: Options = {}): Rows =>
  rows(targets, (target) => withKey({ ...list(), operation: operationOf('GET', target), target }, row), options);

/** Each set of further headers, on the calls in turn; on all of them if `each` is true. */
export function withHeaderSets(
  sets: readonly Headers[],
  calls: readonly Call[],
  { each = false, ...options }: Options & { readonly each?: boolean } = {},
): Rows {
  const pairs = sets.flatMap((headers, at) =>
    (each ? calls : calls.slice(at % calls.length, (at % calls.length) + 1)).map((call) => ({ headers, call })),
  );
  return rows(pairs, ({ headers, call }) => withHeaders(call, headers), options);
}

/** A call with headers that replace those of the same name. */
export function withHeaders(call: Call, headers: Headers): Call {
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  return { ...call, headers: [...call.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers] };
}

/** Calls without headers of these names. */
export const omitting = (table: readonly (readonly string[])[], calls: readonly Call[], options: Options = {}): Rows =>
  rows(
    table,
    (names, at) => {
      const call = calls[at % calls.length] ?? list();
      return { ...call, headers: call.headers.filter(([name]) => !names.includes(name)) };
    },
    options,
  );
