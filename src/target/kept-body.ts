import type { Exchange } from './exchange.ts';

/** Most bytes of a body that a proof keeps. */
export const KEPT_BYTES = 16 * 1024;

/** The beginning of a body, at most so long, that does not end inside a UTF-8 character. */
export function beginningOf(body: Uint8Array): Uint8Array {
  if (body.length <= KEPT_BYTES) return body;
  let end = KEPT_BYTES;
  while (end > KEPT_BYTES - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return body.subarray(0, end);
}

/** An exchange that can be kept for the whole run: of a large response body only the beginning. */
export function kept(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer.kind !== 'response' || answer.body.length <= KEPT_BYTES) return exchange;
  // A copy: the beginning of a large buffer would keep all of it in memory.
  const body = Uint8Array.from(beginningOf(answer.body));
  return { ...exchange, answer: { ...answer, body, fullSize: answer.body.length } };
}
