/**
 * A call is a request as data: texts with names in them. `fill.ts` turns it into bytes, `reading.ts` says what the bytes
 * mean. Evidence and curl lines are printed from it, and results hold it,
 * so it contains no key and no id of a run.
 *
 * Names: `$NAME` an animal name with the mark of the run and the row · `$NUMBER` the same mark as an integer · `$ID` the
 * id of an animal of the run · `$FREE` an id far from all that were seen · `$KEY` the key, `$KEY:without-last` a near miss
 * of it · `$COOKIE` the cookies that responses of the run have set, as a Cookie header sends them back · `$AGENT` the
 * User-Agent · `$BYTES:c328` these bytes · `$TIMES:70000<x>` a text repeated.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Headers } from '../http/message.ts';
import { PLAIN_BODY } from './members.ts';

/** What is sent, as data: texts with names in them. */
export interface Call {
  /** The operation that it is meant for; what it says is read from its bytes. */
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  /** What follows the base path: `/pets?limit=7`, `/pets/$ID`. */
  readonly target: string;
  /** All headers in order, except those that the connection adds (Host, Content-Length, Transfer-Encoding). */
  readonly headers: Headers;
  readonly body?: string | undefined;
  /** The body is sent without a length, in chunks of this many bytes. */
  readonly chunkBytes?: number | undefined;
}

/** What all that sends, checks and reports asks of an operation. */
interface Operation {
  readonly method: Call['method'];
  /** Below the base path. */
  readonly path: string;
  readonly success: { readonly status: number; readonly shape: 'page' | 'animal' };
  /** Which part of a request says what is wanted. */
  readonly says: 'query' | 'id' | 'body';
  /** It adds an animal: what is sent again is another one, and counts as such. Otherwise it changes nothing. */
  readonly adds: boolean;
  /** On the removal date it may be gone (VERS-4). */
  readonly isDeprecated: boolean;
  /** What requirements say of an id: of one that an animal has, one that none has, and one in an odd spelling. */
  readonly ids?: { readonly found: string; readonly unknown: string; readonly odd: string };
}

export type OperationName = 'listPets' | 'createPet' | 'getPet';

/** Part 4: the operations of the service. A path segment that is not in a path here is read as an id. */
export const OPERATIONS = {
  listPets: {
    method: 'GET',
    path: '/pets',
    success: { status: 200, shape: 'page' },
    says: 'query',
    adds: false,
    isDeprecated: false,
  },
  createPet: {
    method: 'POST',
    path: '/pets',
    success: { status: 201, shape: 'animal' },
    says: 'body',
    adds: true,
    isDeprecated: false,
  },
  getPet: {
    method: 'GET',
    path: '/pets/$ID',
    success: { status: 200, shape: 'animal' },
    says: 'id',
    adds: false,
    isDeprecated: true,
    ids: { found: 'GET-1', unknown: 'GET-2', odd: 'GET-5' },
  },
} as const satisfies Record<OperationName, Operation>;

/** The row of the operation that a call is meant for. */
export const operationOf = ({ operation }: Pick<Call, 'operation'>): Operation => OPERATIONS[operation];

/** The operation of a request, by its method and the target below the base path; others are read as the first of a method. */
export function operationNamed(method: string, target: string): OperationName {
  const [path = ''] = target.split('?', 1);
  const names = Object.keys(OPERATIONS)
    .filter(isOperation)
    .filter((name) => OPERATIONS[name].method === method);
  const fits = (name: OperationName): boolean => {
    const [before = '', after] = OPERATIONS[name].path.split('$ID');
    return after !== undefined && path.startsWith(before) && /^[^/]+$/.test(path.slice(before.length));
  };
  return names.find(fits) ?? names[0] ?? 'listPets';
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name);

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

/** The plainest call of each operation. */
export const PLAIN_CALLS: Readonly<Record<OperationName, Call>> = {
  listPets: list(),
  createPet: create(PLAIN_BODY),
  getPet: get(),
};

export const isPlainCall = (call: Call): boolean => isDeepStrictEqual(PLAIN_CALLS[call.operation], call);
