import { isUtf8 } from 'node:buffer';
import { scanJson, spanAt } from '../contract/json-scanner.ts';
import { defectIn } from '../reading/body-defects.ts';
import type { Exchange } from '../reading/exchange.ts';
import { shownTexts } from '../reading/fill.ts';
import { cutAround } from '../text.ts';
import type { BodyEvidence, ExchangeEvidence } from './result.ts';

/** The most of a body that a report shows (bytes, or UTF-16 units around what is wrong). */
const MOST_SHOWN = 8_000;
/** In a longer body (bytes), nothing is marked. */
const LONGEST_SCANNED = 1_000_000;
/** Longer commands do not fit into one argument of a shell (128 KiB on Linux), nor on a page. */
const LONGEST_CURL = 8_000;

/** How evidence shows the target, without secrets. */
export interface Shown {
  /** The base URL without the base path, such as `https://host:8443`. */
  readonly origin: string;
  readonly basePath: string;
  /** Names of headers that the user adds; their values are secrets. */
  readonly secretHeaders: readonly string[];
  /** Options without which curl does not reach the target, such as `--insecure`. */
  readonly curlOptions: readonly string[];
}

/**
 * An exchange for reports. The request is printed from its texts, so that it contains no key.
 *
 * @param wrong a JSON pointer to what is wrong in the body of the response
 */
export function evidenceOf(exchange: Exchange, shown: Shown, wrong?: string): ExchangeEvidence {
  const { number, call, request, reading, outcome, sentAt, answeredAt } = exchange;
  const { target, headers, body } = shownTexts(exchange.call, exchange.names);
  const curl = curlLine(exchange, shown);
  return {
    number,
    operation: call.operation,
    request: {
      method: call.method,
      target: shown.basePath + target,
      headers,
      ...(body !== undefined && { body: bodyOf(body, defectIn(request.body, reading.body)?.at) }),
    },
    answer:
      outcome.kind === 'answer'
        ? {
            status: outcome.status,
            headers: outcome.headers.map(withoutCookie),
            body: bodyOf(outcome.body, placeOf(outcome.body, wrong)),
          }
        : { failure: outcome.code, sentence: outcome.sentence },
    sentAt: new Date(performance.timeOrigin + sentAt).toISOString(),
    milliseconds: Math.round((answeredAt - sentAt) * 10) / 10,
    ...(curl.length <= LONGEST_CURL && { curl }),
  };
}

type Place = { readonly from: number; readonly to: number };

/** Where the value at a JSON pointer stands in a body. */
function placeOf(bytes: Uint8Array, pointer: string | undefined): Place | undefined {
  if (pointer === undefined || bytes.length > LONGEST_SCANNED || !isUtf8(bytes)) return undefined;
  const spans = scanJson(Buffer.from(bytes).toString('utf8'));
  return typeof spans === 'number' ? undefined : spanAt(spans, pointer);
}

/** @param wrong where in its text something is wrong, in UTF-16 units */
function bodyOf(bytes: Uint8Array, wrong: Place | undefined): BodyEvidence {
  if (wrong !== undefined && isUtf8(bytes)) return bodyAround(bytes, wrong);
  const cut = bytes.length > MOST_SHOWN;
  const beginning = cut ? wholeCharacters(bytes) : bytes;
  const common = { bytes: bytes.length, cut };
  return isUtf8(beginning)
    ? { encoding: 'text', text: Buffer.from(beginning).toString('utf8'), ...common }
    : { encoding: 'base64', text: Buffer.from(beginning).toString('base64'), ...common };
}

/** The beginning of a text, cut between two characters. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  let end = MOST_SHOWN;
  while (end > MOST_SHOWN - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** A body with what is wrong in it, and as much before and after it as a report shows. */
function bodyAround(bytes: Uint8Array, { from, to }: Place): BodyEvidence {
  const whole = Buffer.from(bytes).toString('utf8');
  const { text, start } = cutAround(whole, { from, to }, MOST_SHOWN);
  return {
    encoding: 'text',
    text,
    bytes: bytes.length,
    cut: text.length < whole.length,
    ...(start > 0 && { before: Buffer.byteLength(whole.slice(0, start)) }),
    wrong: { from: from - start, to: Math.min(to - start, text.length) },
  };
}

/** A cookie may give access: its value is not shown. */
const withoutCookie = ([name, value]: readonly [string, string]): readonly [string, string] =>
  name.toLowerCase() === 'set-cookie' ? [name, value.replace(/=[^;]*/, '=…')] : [name, value];

/** A bash line that sends the same request again. It contains no secret: the key is read from a variable. */
function curlLine(exchange: Exchange, shown: Shown): string {
  const { call } = exchange;
  const { target, headers, body } = shownTexts(exchange.call, exchange.names);
  const parts = ['curl -i --path-as-is --globoff', ...shown.curlOptions];
  if (call.method !== 'GET') parts.push(`-X ${call.method}`);
  // curl leaves out a header without a value unless it ends in a semicolon.
  for (const [name, value] of headers) parts.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  for (const name of ['Accept', 'User-Agent', 'Content-Type']) {
    const isSent = headers.some(([own]) => own.toLowerCase() === name.toLowerCase());
    if (!isSent && (name !== 'Content-Type' || body !== undefined)) parts.push(`-H '${name}:'`);
  }
  for (const name of shown.secretHeaders) parts.push(`-H "${name}: $${headerVariable(name)}"`);
  if (body !== undefined) parts.push(...bodyArguments(body, call.chunkBytes !== undefined));
  return [...parts, quoted(`${shown.origin}${shown.basePath}${target}`)].join(' ');
}

function bodyArguments(body: Uint8Array, inChunks: boolean): readonly string[] {
  const text = isUtf8(body) && !body.includes(0) ? Buffer.from(body).toString('utf8') : undefined;
  const written =
    text === undefined ? `@<(printf %s ${quoted(Buffer.from(body).toString('base64'))} | base64 -d)` : quoted(text);
  const isFile = text?.startsWith('@') === true;
  return [
    ...(inChunks ? ["-H 'Transfer-Encoding: chunked'"] : []),
    // Otherwise curl asks for permission before it sends a long body.
    ...(body.length > 1_024 ? ["-H 'Expect:'"] : []),
    `--data-binary ${isFile ? `@<(printf %s ${quoted(text)})` : written}`,
  ];
}

/** The key, and a letter or digit that is repeated so often that nobody wants to read it. */
const NOT_LITERAL = /\$KEY\b(?::(?<form>[a-z0-9-]+))?|(?<sign>[\p{L}\p{N}])\k<sign>{99,}/gu;

/** A text as one word of bash, in which the key, its near misses, and what is repeated, are made when the line runs. */
function quoted(text: string): string {
  const parts: string[] = [];
  let end = 0;
  const literal = (piece: string): void => {
    if (piece !== '') parts.push(literalOf(piece));
  };
  for (const { 0: whole, index, groups: { form, sign } = {} } of text.matchAll(NOT_LITERAL)) {
    literal(text.slice(end, index));
    if (sign !== undefined) parts.push(`"$(printf '${sign}%.0s' {1..${whole.length / sign.length}})"`);
    else parts.push(form === undefined ? '"$PETSTORE_API_KEY"' : `"$(npx petstore-conformance key '${form}')"`);
    end = index + whole.length;
  }
  literal(text.slice(end));
  return parts.length === 0 ? "''" : parts.join('');
}

/** A text as bash reads it literally; control characters are escaped. */
function literalOf(text: string): string {
  if (!/[\x00-\x1f\x7f]/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(/[\x00-\x1f\x7f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `$'${escaped}'`;
}

/** `PETSTORE_HEADER_X_TEAM`, the variable that stands for the value of the header X-Team. */
export const headerVariable = (name: string): string =>
  `PETSTORE_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
