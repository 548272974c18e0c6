import { PET_STATUSES } from '../../contract/contract-facts.ts';
import { isInt64 } from '../../contract/exact-integer.ts';
import { isObject } from '../../contract/json-pointer.ts';
import { bearerToken } from '../authentication.ts';
import { type ResponseFilter, responsesOf, responsesWith, SPECIFIED } from '../changes.ts';
import { isPetStatus, type Pet } from '../collection.ts';
import { readJson } from '../json.ts';
import type { Call, Operation, Service } from '../steps.ts';

/** On what faults act: requests, responses, bodies as text and as values, and animals. */

/** Which requests a fault applies to. */
export type When = (call: Call) => boolean;

/** Requests that all of the conditions are met by. */
export const both =
  (...conditions: readonly When[]): When =>
  (call) =>
    conditions.every((condition) => condition(call));

export const on =
  (operation: Operation): When =>
  (call) =>
    call.operation === operation;

/** Requests with a header, or with one of this form. */
export const sends =
  (name: string, form = /^/): When =>
  (call) => {
    const value = call.header(name);
    return value !== undefined && form.test(value);
  };

export const lacks =
  (name: string): When =>
  (call) =>
    call.header(name) === undefined;

export const isGet: When = ({ incoming }) => incoming.method === 'GET';
export const isChunked: When = sends('transfer-encoding');
export const isForJson: When = sends('content-type', /^application\/json\b/i);
export const wantsHtml: When = sends('accept', /text\/html/);

export const urlOf = ({ incoming }: Call): string => incoming.url ?? '';

// Keys

export const authorization = (call: Call): string => call.header('authorization') ?? '';
export const keyOf = (call: Call): string => bearerToken(call) ?? '';
export const isKeyless: When = (call) => bearerToken(call) === undefined;

export const keyFrom =
  (length: number): When =>
  (call) =>
    keyOf(call).length >= length;

// Queries

export const hasLimit: When = ({ query }) => query.has('limit');
export const hasStatus: When = ({ query }) => query.has('status');
export const hasKnownStatus: When = ({ query }) => isPetStatus(query.get('status'));
export const hasUnknownStatus: When = both(hasStatus, (call) => !hasKnownStatus(call));

/** Whether one of the values of a query parameter, decoded, has this form. */
const onParameter =
  (name: string) =>
  (form: RegExp): When =>
  ({ query }) =>
    query.getAll(name).some((text) => form.test(text));

export const onLimit = onParameter('limit');
export const onStatus = onParameter('status');

export const twice =
  (name: string): When =>
  ({ query }) =>
    query.getAll(name).length > 1;

/** The query as it stands on the wire, not decoded: names and values in their order. */
export const rawQuery = (call: Call): readonly (readonly [name: string, value: string])[] =>
  (urlOf(call).split('?')[1] ?? '').split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });

/** Whether the value of a parameter has this form as it stands on the wire. */
export const rawParameter =
  (name: string, form: RegExp): When =>
  (call) =>
    rawQuery(call).some((pair) => pair[0] === name && form.test(pair[1]));

export const MALFORMED = /%(?![0-9a-f]{2})/i;

/** A text without its percent-encoding; undefined where that is malformed. */
export function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export const known = (word: string | undefined): readonly string[] | undefined => {
  const statuses = PET_STATUSES.filter((status) => status === word);
  return statuses.length === 0 ? undefined : statuses;
};

// Responses

export const listed = responsesOf('listPets', 200);
export const created = responsesOf('createPet', 201);
export const fetched = responsesOf('getPet', 200);
export const badRequest = responsesOf('createPet', 400);
export const notFound = responsesOf('getPet', 404);
export const unauthorized = responsesWith(401);

/** The responses to some requests, if they pass a filter. */
export const where =
  (which: ResponseFilter, ...conditions: readonly When[]): ResponseFilter =>
  (response, call) =>
    which(response, call) && both(...conditions)(call);

// The collection

/** How many animals there are with a status, or at all. */
export const sizeOf = ({ collection }: Service, status?: string): number => collection.oldestFirst(status).length;
export const newest = ({ collection }: Service): Pet | undefined => collection.newest(1)[0];
export const oldest = ({ collection }: Service): Pet | undefined => collection.oldestFirst(undefined)[0];

/** An integer as a double holds it. */
export const asDouble = (value: bigint): bigint => BigInt.asIntN(64, BigInt(Number(value)));

// Bodies

/** An object as it was sent. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object with such a member. */
export const has = (body: unknown, name: string): boolean => isObject(body) && Object.hasOwn(body, name);

export const member = (body: unknown, name: string): unknown =>
  isObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;

/** The string that a member of an object holds. */
export const heldIn = (value: unknown, name: string): string | undefined => {
  const held = member(value, name);
  return typeof held === 'string' ? held : undefined;
};

/** Whether a body has a member that a NewPet does not have. */
export const hasUnknownMember = (body: unknown): boolean =>
  isObject(body) && Object.keys(body).some((name) => !SPECIFIED.includes(name));

export const isCategory = (value: unknown): value is bigint => typeof value === 'bigint' && isInt64(value);
export const isInvalidStatus = (body: JsonMembers): boolean => has(body, 'status') && !isPetStatus(body['status']);

/** How many members of a body are invalid or missing. */
export const defects = (body: unknown): number =>
  isObject(body)
    ? [typeof body['name'] !== 'string', !isCategory(body['categoryId']), isInvalidStatus(body)].filter(Boolean).length
    : 0;

const STRING_OR_REST = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[^"]+/g;

/** Rewrites what stands outside the strings of a JSON text. */
export const outsideStrings = (text: string, rewrite: (part: string) => string): string =>
  text.replace(STRING_OR_REST, (part) => (part.startsWith('"') ? part : rewrite(part)));

/** Rewrites the strings of a JSON text, quotes included. */
export const insideStrings = (text: string, rewrite: (part: string) => string): string =>
  text.replace(STRING_OR_REST, (part) => (part.startsWith('"') ? rewrite(part) : part));

/** Whether a text is JSON, whichever members stand twice. */
export function isJson(text: string): boolean {
  try {
    readJson(text, { onDuplicateKey: ({ newValue }) => newValue });
    return true;
  } catch {
    return false;
  }
}

/** Puts null in the place of every unknown member's value, where brackets and quotes are balanced. */
export function skipUnknown(text: string): string {
  let depth = 0;
  let key = '';
  let isValue = false;
  return text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\]:,]|[^"{}[\]:,\s]+/g, (token) => {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth -= 1;
    const isOuter = depth === 1 && (token === ',' || token === ':');
    const isSkipped = isValue && depth >= 1 && !(depth === 1 && token === ',');
    if (token === '{' || token === '[') depth += 1;
    if (isOuter && token === ',') isValue = false;
    if (isOuter && token === ':' && !isValue) {
      isValue = !['"name"', '"categoryId"', '"status"'].includes(key);
      return isValue ? ':null' : token;
    }
    if (depth === 1 && !isValue) key = token;
    return isSkipped ? '' : token;
  });
}
