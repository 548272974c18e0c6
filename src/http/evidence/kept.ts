import type { Exchange, Response } from '../exchange.ts';

/** Most bytes of a body that a proof keeps. */
export const KEPT_BYTES = 16 * 1024;

/** The beginning of a body, at most so long, that does not end inside a UTF-8 character. */
export function beginningOf(body: Uint8Array): Uint8Array {
  if (body.length <= KEPT_BYTES) return body;
  let end = KEPT_BYTES;
  while (end > KEPT_BYTES - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return body.subarray(0, end);
}

const HEADERS_KEPT = 40;
const LONGEST_HEADER = 1_024;

type Headers = Response['headers'];

/** Of very many headers the first, and Content-Type wherever it stands; of a very long value the beginning. */
function keptHeaders(headers: Headers): Headers {
  const isLong = headers.some(([, value]) => value.length > LONGEST_HEADER);
  if (headers.length <= HEADERS_KEPT && !isLong) return headers;
  const types = headers.filter(([name]) => name.toLowerCase() === 'content-type').slice(0, 2);
  const others = headers.filter(([name]) => name.toLowerCase() !== 'content-type').slice(0, HEADERS_KEPT);
  return [...types, ...others].map(([name, value]) => [cut(name), cut(value)] as const);
}

function cut(text: string): string {
  if (text.length <= LONGEST_HEADER) return text;
  // A copy: a slice would keep all of the string that it is a slice of.
  return `${Buffer.from(text.slice(0, LONGEST_HEADER), 'latin1').toString('latin1')}…`;
}

/** An exchange that can be kept for the whole run: of a large response only the beginning. */
export function kept(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer.kind !== 'response') return exchange;
  const headers = keptHeaders(answer.headers);
  // A copy: the buffer of a body is often many times as large.
  const body = Uint8Array.from(beginningOf(answer.body));
  const size = answer.body.length;
  return { ...exchange, answer: { ...answer, headers, body, ...(size > body.length ? { fullSize: size } : {}) } };
}
