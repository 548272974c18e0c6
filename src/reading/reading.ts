import { headerOf, type WireRequest } from '../http/message.ts';
import { OPERATIONS, type OperationName, operationNamed } from './call.ts';
import { sizeOfHead, type Terms } from './fill.ts';
import { type OpenPoint, POINTS } from './points.ts';
import { type BodyReading, readBody } from './reading-body.ts';
import { type KeyReading, readKey } from './reading-key.ts';
import { type IdReading, type QueryReading, readId, readQuery } from './reading-target.ts';

/** What a request says, by the specification and the policy. */
export interface Reading {
  readonly operation: OperationName;
  readonly query?: QueryReading | undefined;
  readonly id?: IdReading | undefined;
  readonly body?: BodyReading | undefined;
  readonly key: KeyReading;
  readonly head: HeadReading;
  /** Whether the request, apart from its key, must be accepted (valid) or rejected (invalid), or may be either (open). */
  readonly kind: 'valid' | 'invalid' | 'open';
  /** The one requirement that says how to respond. */
  readonly requirement: string;
  readonly points: readonly OpenPoint[];
  /** What is unusual about it, in a few words each; empty for a plain request. */
  readonly unusual: readonly string[];
}

/** By what a gateway before the service may reject it. */
interface HeadReading {
  /** Why any 4xx with any body is permitted: not valid HTTP or URI, too large, or a text that gateways reject. */
  readonly gateway?: string | undefined;
  /** It is no valid HTTP or URI: a server may close the connection without a byte. */
  readonly mayBeClosed: boolean;
  /** It comes from a page of another site. */
  readonly hasOrigin: boolean;
  /** Its Accept names neither `application/json` nor any type, or only with parameters; a weight is none. */
  readonly mayBeNotAcceptable: boolean;
  /** It asks for a range of bytes. */
  readonly hasRange: boolean;
}

/** The largest head that every service must read (policy). */
const MAX_HEAD_BYTES = 4_000;
const MAX_HEADERS = 25;
/** Host, Connection and Content-Length. */
const ADDED_BY_CONNECTION = 3;

/** Reads the bytes of a request. */
export function read(request: WireRequest, terms: Terms): Reading {
  const target = request.target.slice(terms.basePath.length);
  const operation = operationNamed(request.method, target);
  const { says } = OPERATIONS[operation];
  const query = says === 'query' ? readQuery(target) : undefined;
  const id = says === 'id' ? readId(target) : undefined;
  const body = says === 'body' ? readBody(request, terms.categories) : undefined;
  const key = readKey(request, terms.key);
  const head = readHead(request, (id ?? query ?? body)?.gateway);
  const part = query ?? id ?? body;
  const kind = part?.kind ?? 'valid';
  // Where the key decides, a response says nothing about the rest.
  const ofHead = head.hasRange && query !== undefined ? [POINTS.range] : [];
  const points = key.kind === 'bad' ? key.points : [...(part?.points ?? []), ...key.points, ...ofHead];
  const requirement = key.requirement ?? part?.requirement ?? 'LIST-1';
  return {
    operation,
    query,
    id,
    body,
    key,
    head,
    kind,
    requirement: key.kind === 'bad' && kind === 'invalid' ? 'AUTH-9' : requirement,
    points:
      key.kind === 'bad' && kind !== 'valid' ? [{ requirement: 'AUTH-9', text: beside(kind, operation) }] : points,
    unusual: [...(part?.unusual ?? []), ...key.unusual, ...unusualHeaders(request)],
  };
}

const beside = (kind: string, operation: OperationName): string =>
  kind === 'invalid'
    ? `${operation} without a valid key, with an invalid ${OPERATIONS[operation].says}`
    : `${operation} without a valid key, with a ${OPERATIONS[operation].says} that may be rejected`;

function readHead(request: WireRequest, refusable: string | undefined): HeadReading {
  const { headers, method, target } = request;
  const hasOddBytes = !headers.every(([, value]) => /^[\x20-\x7e]*$/.test(value));
  const gateway =
    refusable ??
    (sizeOfHead(request) > MAX_HEAD_BYTES ? `a head of more than ${MAX_HEAD_BYTES} bytes` : undefined) ??
    (headers.length + ADDED_BY_CONNECTION > MAX_HEADERS ? `more than ${MAX_HEADERS} headers` : undefined) ??
    (hasOddBytes ? 'a tab or bytes beyond ASCII in a header' : undefined) ??
    (method === 'POST' && headerOf(headers, 'content-encoding') !== undefined ? 'a content coding' : undefined);
  const accept = headerOf(headers, 'accept');
  const isPlainAccept =
    accept === undefined ||
    accept.trim() === '' ||
    /(^|,)\s*(application\/json|\*\/\*)\s*(;\s*q=[\d.]+\s*)?(,|$)/i.test(accept);
  return {
    gateway,
    mayBeClosed: hasOddBytes || MALFORMED_TARGET.test(target),
    hasOrigin: headerOf(headers, 'origin') !== undefined,
    mayBeNotAcceptable: !isPlainAccept,
    hasRange: method === 'GET' && headerOf(headers, 'range') !== undefined,
  };
}

/** Raw bytes and control characters, and what is no percent-encoding. */
const MALFORMED_TARGET = /[^\x21-\x7e]|%(?![\da-f]{2})/i;

const USUAL = new Set(['accept', 'user-agent', 'authorization', 'content-type']);

function unusualHeaders(request: WireRequest): readonly string[] {
  const { headers, chunkBytes, body } = request;
  const names = headers.map(([name]) => name).filter((name) => !USUAL.has(name.toLowerCase()));
  const accept = headerOf(headers, 'accept');
  return [
    ...[...new Set(names)].map((name) => `the header ${name}`),
    ...(accept === 'application/json' ? [] : [accept === undefined ? 'no Accept' : `\`Accept: ${accept}\``]),
    ...(headerOf(headers, 'user-agent') === undefined ? ['no User-Agent'] : []),
    ...(chunkBytes === undefined ? [] : ['a body in chunks']),
    ...((body?.length ?? 0) > LARGE ? ['a large body'] : []),
    ...(sizeOfHead(request) > MAX_HEAD_BYTES ? [`a head of more than ${MAX_HEAD_BYTES} bytes`] : []),
  ];
}

const LARGE = 8_192;
