import type { Exchange, Response } from '../exchange.ts';

/** Most bytes of a body in evidence. */
const MAX_BYTES = 16 * 1024;
const MAX_HEADERS = 40;
const MAX_HEADER_LENGTH = 1_024;

/** The beginning of a body, which does not end inside a UTF-8 character. */
export function trimBody(body: Uint8Array): Uint8Array {
  if (body.length <= MAX_BYTES) return body;
  let end = MAX_BYTES;
  while (end > MAX_BYTES - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return body.subarray(0, end);
}

/** The first of many headers, and Content-Type in any place; the beginnings of long values. */
function trimHeaders(headers: Response['headers']): Response['headers'] {
  const isLong = headers.some(([, value]) => value.length > MAX_HEADER_LENGTH);
  if (headers.length <= MAX_HEADERS && !isLong) return headers;
  const isType = ([name]: readonly [string, string]): boolean => name.toLowerCase() === 'content-type';
  const types = headers.filter(isType).slice(0, 2);
  const others = headers.filter((header) => !isType(header)).slice(0, MAX_HEADERS);
  return [...types, ...others].map(([name, value]) => [trimText(name), trimText(value)] as const);
}

function trimText(text: string): string {
  if (text.length <= MAX_HEADER_LENGTH) return text;
  // A copy: a slice would keep the whole string in memory.
  return `${Buffer.from(text.slice(0, MAX_HEADER_LENGTH), 'latin1').toString('latin1')}…`;
}

/** An exchange whose response is bounded, so that it can be kept for the whole run. */
export function trimExchange(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer.kind !== 'response') return exchange;
  const headers = trimHeaders(answer.headers);
  const beginning = trimBody(answer.body);
  // A copy where the buffer is larger, often many times.
  const body = beginning.length === beginning.buffer.byteLength ? beginning : new Uint8Array(beginning);
  const fullSize = answer.body.length > body.length ? answer.body.length : undefined;
  return { ...exchange, answer: { ...answer, headers, body, fullSize } };
}
