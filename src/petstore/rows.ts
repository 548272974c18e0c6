import type { Call } from '../http/exchange.ts';
import type { Headers } from '../http/message.ts';
import { create, get, JSON_TYPE, list, PLAIN } from './call.ts';
import type { KeyRow } from './inputs/keys.ts';
import { operationOf } from './reading.ts';

/**
 * When rows are sent: as the collection was found; beside one another; once there are more animals of a status than a
 * page may hold; and when the first animals are old.
 */
export type Stage = 'found' | 'rows' | 'full' | 'aged';

/** A table of requests, most revealing first. */
export interface Rows {
  readonly stage: Stage;
  /** Two requirements that name the same table for the same stage send it once. */
  readonly table: object;
  readonly calls: readonly Call[];
  /** What it needs so as to be sent in part: these many of its first rows in every profile. */
  readonly atLeast: number;
  /** Its animals are accepted: other rows build on them, so it is sent early. */
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
  table,
  calls: table.map(make),
  atLeast,
  isValid,
});

/** Lists with each of these queries. */
export const lists = (queries: readonly string[], options: Options = {}): Rows =>
  rows(queries, (query) => list(query), options);

/** Lists at whole targets. */
export const targets = (all: readonly string[], options: Options = {}): Rows =>
  rows(all, (target) => ({ ...list(), target }), options);

/** Fetches of each of these ids. */
export const gets = (ids: readonly string[], options: Options = {}): Rows => rows(ids, (id) => get(id), options);

/** Creations with each of these bodies; undefined for none. */
export const creates = (bodies: readonly (string | undefined)[], options: Options = {}): Rows =>
  rows(bodies, (body) => create(body), options);

/** Creations with bodies under a Content-Type; an empty one for none. */
export const createsAs = (
  bodies: readonly (readonly [type: string, body: string | undefined])[],
  options: Options = {},
): Rows =>
  rows(bodies, ([type, body]) => create(body, type === '' ? PLAIN : [...PLAIN, ['Content-Type', type]]), options);

/** Creations with bodies in a content coding. */
export const createsIn = (bodies: readonly (readonly [coding: string, body: string])[], options: Options = {}): Rows =>
  rows(bodies, ([coding, body]) => create(body, [...PLAIN, JSON_TYPE, ['Content-Encoding', coding]]), options);

/** Creations with bodies in chunks. */
export const createsInChunks = (
  bodies: readonly (readonly [bytes: number, body: string])[],
  options: Options = {},
): Rows => rows(bodies, ([chunkBytes, body]) => ({ ...create(body), chunkBytes }), options);

const VALID_BODY = '{"name":"$NAME","categoryId":7,"status":"available"}';

/** What a key is tried on. */
export const CALLS = {
  list: list(),
  get: get(),
  create: create(VALID_BODY),
  getFree: get('$FREE'),
  listSold: list('status=sold'),
  limit0: list('limit=0'),
  badBody: create('{"name":"$NAME"}'),
} as const;

/** Each way to send a key, on each of these calls in turn; on all of them where `each` is true. */
export function keys(
  table: readonly KeyRow[],
  calls: readonly Call[],
  options: Options & { readonly each?: boolean } = {},
): Rows {
  const { in: stage = 'rows', atLeast = 0, each = false } = options;
  const all = table.flatMap((row, at) =>
    (each ? calls : calls.slice(at % calls.length, (at % calls.length) + 1)).map((call) => withKey(call, row)),
  );
  return { stage, table: calls.length > 0 ? [table, calls, each] : table, calls: all, atLeast };
}

/** A call with its key sent otherwise. */
export function withKey(call: Call, { headers, query }: KeyRow): Call {
  const replaced = new Set(['authorization', ...headers.map(([name]) => name.toLowerCase())]);
  const kept = call.headers.filter(([name]) => !replaced.has(name.toLowerCase()));
  const target = query === undefined ? call.target : `${call.target}${call.target.includes('?') ? '&' : '?'}${query}`;
  return { ...call, target, headers: [...kept, ...headers] };
}

/** Targets without a key, or with another. */
export const withoutValidKey = (targets: readonly string[], row: KeyRow, options: Options = {}): Rows =>
  rows(targets, (target) => withKey({ ...list(), operation: operationOf('GET', target), target }, row), options);

/** Each set of further headers, on each of these calls in turn; on all of them where `each` is true. */
export function withHeaderSets(
  sets: readonly Headers[],
  calls: readonly Call[],
  { each = false, ...options }: Options & { readonly each?: boolean } = {},
): Rows {
  const pairs = sets.flatMap((headers, at) =>
    (each ? calls : calls.slice(at % calls.length, (at % calls.length) + 1)).map((call) => ({ headers, call })),
  );
  return { ...rows(pairs, ({ headers, call }) => withHeaders(call, headers), options), table: [sets, calls] };
}

/** A call with further headers, which replace those of the same name. */
export function withHeaders(call: Call, headers: Headers): Call {
  const replaced = new Set(headers.map(([name]) => name.toLowerCase()));
  return { ...call, headers: [...call.headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...headers] };
}

/** Calls without headers of these names. */
export const withoutHeaders = (
  table: readonly (readonly string[])[],
  calls: readonly Call[],
  options: Options = {},
): Rows =>
  rows(
    table,
    (names, at) => {
      const call = calls[at % calls.length] ?? list();
      return { ...call, headers: call.headers.filter(([name]) => !names.includes(name)) };
    },
    options,
  );
