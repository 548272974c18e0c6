import type { BodyEvidence } from '../model/result.ts';

/**
 * The beginning of a text: at most `limit` UTF-16 units, never half a surrogate pair; the whole of it where it fits.
 */
export function beginning(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}

/** One value in at most `limit` units, with an ellipsis where something was left out. */
export function excerptText(text: string, limit: number): string {
  return text.length <= limit ? text : `${beginning(text, limit)}…`;
}

/**
 * A body for a reader: its text, cut to `limit` units, with `… (N bytes)` where it is not whole. A body that is not
 * UTF-8 is shown in base64 and says so; an empty one is `(empty)`.
 */
export function excerptBody(body: BodyEvidence, limit: number): string {
  if (body.size === 0) return '(empty)';
  const whole = body.encoding === 'text' ? body.text : body.base64;
  const prefix = body.encoding === 'text' ? '' : '(not UTF-8; in base64) ';
  const left = whole.length > limit || body.cut;
  return `${prefix}${beginning(whole, limit)}${left ? `… (${count(body.size, 'byte')})` : ''}`;
}

/** A number and its noun: `1 animal`, `2 animals`; `plural` for nouns that take no plain `s`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? noun : plural}`;
}

/** A time for a reader: `840 ms`, `3.1 s`, `4 min 5 s`; `milliseconds` in, text out. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 99_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
