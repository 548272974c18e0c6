import { decodeContent } from './content-encoding.ts';
import { type HeadSize, headerOf, type Response, usualHeaders, type WireRequest, withQuery } from './exchange.ts';
import type { ExtraHeader } from './options.ts';
import { MAX_BODY_BYTES } from './response-body.ts';

type Headers = Response['headers'];

/**
 * The headers of a request, as a flat list of names and values.
 *
 * @param forwarding headers for the proxy that reads the request; undefined without one
 */
export function requestHeaders(
  { credential, contentType, headers: own = usualHeaders, withoutUserAgent }: WireRequest,
  userAgent: string,
  extra: readonly ExtraHeader[],
  forwarding: Headers | undefined,
): string[] {
  const namesItself = own.some(([name]) => name.toLowerCase() === 'user-agent');
  const headers = namesItself || withoutUserAgent === true ? [] : ['user-agent', userAgent];
  for (const [name, value] of own) headers.push(name, value);
  for (const { name, value } of extra) headers.push(name, value);
  for (const [name, value] of credential.headers) {
    // A proxy does not pass this header on, so the service would not see it anyway.
    if (forwarding === undefined || name.toLowerCase() !== 'proxy-authorization') headers.push(name, value);
  }
  for (const [name, value] of forwarding ?? []) headers.push(name, value);
  if (contentType !== undefined) headers.push('content-type', contentType);
  return headers;
}

/** Who sends a request, and where to. */
export interface SentBy {
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly headers: readonly ExtraHeader[];
}

const VERSION = ' HTTP/1.1';
const LINE_END = '\r\n';

/** The size of a request's head as it is sent, with all headers: of the user, of the connection and of the body too. */
export function headSize(request: WireRequest, { baseUrl, userAgent, headers }: SentBy): HeadSize {
  const { method, body, chunked, path, credential } = request;
  const { host, pathname } = new URL(baseUrl);
  const framing = chunked === true ? ['transfer-encoding', 'chunked'] : ['content-length', `${body?.length}`];
  const sent = [
    ...['host', host, 'connection', 'keep-alive', ...(body === undefined ? [] : framing)],
    ...requestHeaders(request, userAgent, headers, undefined),
  ];
  const target = `${pathname.replace(/\/+$/, '')}${withQuery(path, credential.query)}`;
  const requestLine = `${method} ${target}${VERSION}${LINE_END}`.length;
  const fields = Array.from({ length: sent.length / 2 }, (_, at) => {
    return `${sent[2 * at]}: ${sent[2 * at + 1]}${LINE_END}`.length;
  });
  const total = fields.reduce((sum, length) => sum + length, requestLine + LINE_END.length);
  return { total, requestLine, longestField: Math.max(...fields), fields: fields.length };
}

/** Reads undici's raw headers: a flat list of names and values, each a string or bytes (Latin-1). */
export function headerPairs(raw: unknown): Headers {
  if (!Array.isArray(raw)) return [];
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([textOf(raw[at]), once(textOf(raw[at + 1] ?? ''))]);
  return pairs;
}

function textOf(part: unknown): string {
  if (Buffer.isBuffer(part)) return part.toString('latin1');
  return part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : String(part);
}

/** Values of this many characters or more take noticeable memory, and this many of them are remembered. */
const LONG_VALUE = 1_000;
const MOST_KNOWN = 50;
const known = new Map<string, string>();

/** A long value, as most responses of a service have the same ones, is kept in memory once. */
function once(value: string): string {
  if (value.length < LONG_VALUE) return value;
  if (known.size >= MOST_KNOWN) known.clear();
  const same = known.get(value) ?? value;
  known.set(value, same);
  return same;
}

/** The announced length of the body in bytes; undefined where it is missing or not a number. */
export function announcedLength(headers: Headers): number | undefined {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

/** The response of a status, headers and body as received: the body is decoded where that is possible. */
export function responseOf(status: number, headers: Headers, body: Uint8Array, milliseconds: number): Response {
  const decoded = decodeContent(body, headerOf({ headers }, 'content-encoding'), MAX_BODY_BYTES);
  const common = { kind: 'response', status, headers, milliseconds } as const;
  return typeof decoded === 'string'
    ? { ...common, body, encodingFault: decoded }
    : { ...common, body: decoded, encodingFault: undefined };
}
