/**
 * A call is a request as data: texts with names in them. `fill.ts` turns it into bytes, `reading.ts` says what the bytes
 * mean. Evidence, replays and curl lines are printed from it, so it contains no key and no id of a run.
 *
 * Names: `$NAME` an animal name with the mark of the run and the row · `$NUMBER` the same mark as an integer · `$ID` the
 * id of an animal of the run · `$FREE` an id far from all that were seen · `$KEY` the key, `$KEY:without-last` a near miss
 * of it · `$AGENT` the User-Agent · `$BYTES:c328` these bytes · `$TIMES:70000<x>` a text repeated.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Headers } from '../http/message.ts';

/** What is sent, as data: texts with names in them. */
export interface Call {
  /** The operation that it is meant for; what it says is read from its bytes. */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** What follows the base path: `/pets?limit=7`, `/pets/$ID`. */
  readonly target: string;
  /** All headers in order, except those that the connection adds (Host, Content-Length, Transfer-Encoding). */
  readonly headers: Headers;
  readonly body?: string | undefined;
  /** The body is sent without a length, in chunks of this many bytes. */
  readonly chunkBytes?: number | undefined;
}

/** Part 4: the operations of the service. */
export const OPERATIONS = {
  listPets: { method: 'GET', path: '/pets', success: { status: 200, shape: 'page' } },
  createPet: { method: 'POST', path: '/pets', success: { status: 201, shape: 'animal' } },
  getPet: { method: 'GET', path: '/pets/$ID', success: { status: 200, shape: 'animal' } },
} as const;

export type OperationName = keyof typeof OPERATIONS;

/** The headers of a plain call. */
export const PLAIN: Headers = [
  ['Accept', 'application/json'],
  ['User-Agent', '$AGENT'],
  ['Authorization', 'Bearer $KEY'],
];

export const JSON_TYPE = ['Content-Type', 'application/json'] as const;

export const list = (query = '', headers: Headers = PLAIN): Call => ({
  operation: 'listPets',
  method: 'GET',
  target: query === '' ? '/pets' : `/pets?${query}`,
  headers,
});

export const get = (id = '$ID', headers: Headers = PLAIN): Call => ({
  operation: 'getPet',
  method: 'GET',
  target: `/pets/${id}`,
  headers,
});

export const create = (body: string | undefined, headers: Headers = [...PLAIN, JSON_TYPE]): Call => ({
  operation: 'createPet',
  method: 'POST',
  target: '/pets',
  headers,
  ...(body !== undefined && { body }),
});

const PLAIN_BODY = '{"name":"$NAME","categoryId":7,"status":"available"}';

/** The plainest call of each operation. */
export const PLAIN_CALLS: Readonly<Record<OperationName, Call>> = {
  listPets: list(),
  createPet: create(PLAIN_BODY),
  getPet: get(),
};

export const isPlainCall = (call: Call): boolean =>
  Object.values(PLAIN_CALLS).some((plain) => isDeepStrictEqual(plain, call));
