import { gzipSync } from 'node:zlib';
import { stringify } from 'lossless-json';
import { changeResponse, choosing, everyResponse, override } from '../changes.ts';
import type { Json } from '../json.ts';
import type { ApiResponse, Call, Steps, Variant } from '../steps.ts';
import { below, closing, delayed, sendByHand, sending, withHeaders } from './builders.ts';

/** Sends a body in several chunks. */
const sendChunks = (response: ApiResponse, call: Call): void => {
  const body = Buffer.from(response.body);
  const middle = Math.floor(body.length / 2);
  call.outgoing.writeHead(response.status, { ...response.headers });
  call.outgoing.write(body.subarray(0, middle));
  setImmediate(() => {
    call.outgoing.end(body.subarray(middle));
  });
};

const compressed = (accepts: (codings: string | undefined) => boolean) =>
  changeResponse(
    (_, call) => accepts(call.header('accept-encoding')),
    (response) => ({
      ...response,
      headers: { ...response.headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' },
      body: gzipSync(response.body),
    }),
  );

/** Writes JSON over several lines, with every escape that JSON allows where none is needed. */
const writeSpaciously = (value: Json): string =>
  (stringify(value, null, '\t') ?? '').replace(/"(?:[^"\\]|\\.)*"|[[{:,\n]/g, (token) =>
    token.startsWith('"') ? escapeToAscii(token) : (SPACED[token] ?? token),
  );
const SPACED: Readonly<Record<string, string>> = { '[': '[ ', '{': '{ ', ':': ' :', ',': ' ,', '\n': '\r\n' };

/** A JSON string in ASCII: `\u00e9` for é, `\/` for a slash. */
const escapeToAscii = (string: string): string =>
  string.replaceAll('/', '\\/').replace(/[^\u0000-\u007e]/g, (unit) => `\\u${hex(unit)}`);

/** A JSON string with an escape for every character. */
const escapeEverything = (text: string): string =>
  `"${text.replace(/[\s\S]/g, (unit) => `\\u${hex(unit).toUpperCase()}`)}"`;

/** The four hexadecimal digits of a UTF-16 code unit. */
const hex = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0');

type RetryAfter = (milliseconds: number) => Readonly<Record<string, string>>;

/** At most the given number of requests a second, and 60 at once. */
const throttled = (perSecond: number, retryAfter: RetryAfter) => (steps: Steps) => {
  const perMillisecond = perSecond / 1000;
  let left = 60;
  let since = performance.now();
  return override('serve', (original) => async (call) => {
    const time = performance.now();
    left = Math.min(60, left + (time - since) * perMillisecond);
    since = time;
    if (left < 1) {
      const headers = retryAfter((1 - left) / perMillisecond);
      const { steps: own } = call.service;
      return own.respond(429, { code: 'too_many_requests', message: 'Slow down.', status: 429 }, headers, call);
    }
    left -= 1;
    return original(call);
  })(steps);
};

/** One request at a time, each taking so long. */
const serial = (milliseconds: number) => (steps: Steps) => {
  let before: Promise<unknown> = Promise.resolve();
  return override('serve', (original) => (call) => {
    const response = before.then(() => call.service.pause(milliseconds)).then(() => original(call));
    before = response;
    return response;
  })(steps);
};

// biome-ignore format: one table
export const transportVariants: readonly Variant[] = [
  ...choosing('SERV-2', {
    'charset-named': ['The media type names its charset.',
      withHeaders({ 'Content-Type': 'application/json; charset=utf-8' })],
    'media-type-in-capitals': ['The media type is written in capitals, with several parameters.',
      withHeaders({ 'Content-Type': 'APPLICATION/JSON;Charset="UTF-8" ; profile=pets' })],
  }),
  ...choosing('SERV-5', {
    'chunked': ['Bodies come in chunks, without a length.', sending(sendChunks)],
    'until-close': ['A body ends when the connection closes, as in HTTP/1.0.',
      sending((response, call) => sendByHand(`HTTP/1.1 ${response.status} Done`, [], response.body, response, call))],
    'connection-closed': ['Every response closes its connection.', closing(everyResponse)],
    'early-hints': ['103 Early Hints precede every response.',
      override('send', (original) => async (response, call) => {
        await new Promise<void>((resolve) => {
          call.outgoing.writeEarlyHints({ link: '</schema>; rel=preload; as=fetch' }, resolve);
        });
        await original(response, call);
      })],
    'slow': ['Every response takes 80 ms.', delayed(() => 80)],
    'slow-by-150-ms': ['Every response takes 150 ms.', delayed(() => 150)],
    'slow-by-20-to-300-ms': ['Every response takes 20 to 300 ms at random.',
      delayed(({ service }) => 20 + below(281, service))],
    'uneven': ['Every response takes up to 40 ms at random, so responses overtake one another.',
      override('serve', (original) => async (call) => {
        await call.service.pause(call.service.random() * 40);
        return original(call);
      })],
    'serial': ['Requests are served one at a time, each in 5 ms.', serial(5)],
  }),
  ...choosing('SERV-3', {
    'gzip-unless-declined': ['Bodies are compressed unless the client declines it.',
      compressed((codings) => codings === undefined || /(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(codings))],
    'json-spacious': ['JSON is written over several lines, in ASCII.',
      override('writeJson', () => (value) => `\r\n ${writeSpaciously(value)}\n\n`)],
    'json-escaped-to-the-last': ['Every character of every string is written as an escape.',
      override('writeJson', (original) => (value, call) =>
        original(value, call).replace(/"(?:[^"\\]|\\.)*"/g, (string) => escapeEverything(JSON.parse(string))))],
  }),
  ...choosing('LIM-3', {
    'throttled-seconds': ['At most 150 requests a second; a 429 says in seconds when to retry.',
      throttled(150, (milliseconds) => ({ 'Retry-After': String(Math.ceil(milliseconds / 1000)) }))],
    'throttled-to-50-date': ['At most 50 requests a second; a 429 names the time at which to retry.',
      throttled(50, (milliseconds) => ({ 'Retry-After': new Date(Date.now() + milliseconds + 1_000).toUTCString() }))],
    'throttled-without-word': ['At most 150 requests a second; a 429 does not say when to retry.',
      throttled(150, () => ({}))],
  }),
];
