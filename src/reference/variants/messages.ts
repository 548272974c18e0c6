import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isObject } from '../../contract/json-pointer.ts';
import {
  changeResponse,
  changeText,
  choosing,
  combine,
  everyResponse,
  isError,
  isSuccess,
  jsonResponse,
  override,
  type ResponseFilter,
  responsesOf,
  responsesWith,
} from '../changes.ts';
import { ApiError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Call, Operation, Variant } from '../steps.ts';
import {
  addingToAnimals,
  always,
  below,
  checkingBeforeKey,
  closing,
  delayed,
  limiting,
  readingFirst,
  sendByHand,
  sending,
  tooMany,
  withHeaders,
} from './builders.ts';

/** Writes the integers of every response, or of some operation, in another way. */
const writingIntegers = (write: (digits: string) => string, only?: Operation) =>
  override('writeJson', (original) => (value, call) => {
    const text = original(value, call);
    if (only !== undefined && call.operation !== only) return text;
    return text.replace(/"(?:[^"\\]|\\.)*"|-?\d+/g, (token) => (token.startsWith('"') ? token : write(token)));
  });

/** `9.223372036854775807E+18`: one digit before the point, and no zeros at the end. */
function scientific(integer: string): string {
  const [, sign = '', first = '0', others = ''] = /^(-?)(\d)(\d*)$/.exec(integer) ?? [];
  const fraction = others.replace(/0+$/, '');
  return `${sign}${first}${fraction === '' ? '' : `.${fraction}`}E+${others.length}`;
}

/** `1E+2` for 100, as a decimal without zeros at its end is written; other integers plainly. */
const withoutZeros = (integer: string): string =>
  integer.replace(/^(-?\d*[1-9])(0+)$/, (_, digits: string, zeros: string) => {
    const point = digits.replace(/^(-?\d)(\d+)$/, '$1.$2');
    return `${point}E+${zeros.length + digits.replace('-', '').length - 1}`;
  });

/** Writes every object with each of its members twice. */
const writingTwice = (which: (value: Json) => boolean) =>
  override('writeJson', (original) => {
    const write = (value: Json, call: Call): string => {
      if (Array.isArray(value)) return `[${value.map((entry: Json) => write(entry, call)).join(',')}]`;
      const text = original(value, call);
      return isObject(value) && which(value) ? `{${text.slice(1, -1)},${text.slice(1)}` : text;
    };
    return write;
  });

const describingErrors = (alter: (error: ApiError, call: Call) => Readonly<Record<string, Json>>) =>
  override('describeError', (original) => (error, call) => ({ ...original(error, call), ...alter(error, call) }));

const CODINGS: Readonly<Record<string, (body: string | Uint8Array) => Uint8Array>> = {
  br: brotliCompressSync,
  gzip: gzipSync,
  deflate: deflateSync,
};

/** Compresses bodies in the first of some codings that the request asks for by name. */
const compressing = (which: ResponseFilter, ...codings: readonly string[]) =>
  changeResponse(which, (response, call) => {
    const asked = (call.header('accept-encoding') ?? '')
      .split(',')
      .filter((coding) => !/;\s*q=0(\.0*)?\s*$/.test(coding))
      .map((coding) => coding.split(';')[0]?.trim().toLowerCase());
    const coding = codings.find((name) => asked.includes(name));
    const body = coding === undefined ? undefined : CODINGS[coding]?.(response.body);
    if (coding === undefined || body === undefined) return response;
    return { ...response, headers: { ...response.headers, 'Content-Encoding': coding, Vary: 'Accept-Encoding' }, body };
  });
const beforeSending = (act: (call: Call) => void) =>
  override('send', (original) => (response, call) => {
    act(call);
    return original(response, call);
  });

/** A body in small pieces, at most the given number. */
function* pieces(body: string | Uint8Array, size: number, most: number): Generator<Buffer> {
  const bytes = Buffer.from(body);
  const length = Math.max(size, Math.ceil(bytes.length / most));
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

const seconds = (milliseconds: number): string => String(Math.ceil(milliseconds / 1000));
/** A date as RFC 850 wrote it, which HTTP still allows: `Sunday, 06-Nov-94 08:49:37 GMT`. */
function rfc850(date: Date): string {
  const [, day = '', month = '', year = '', time = ''] = /^\w+, (\d+) (\w+) (\d+) (\S+)/.exec(date.toUTCString()) ?? [];
  const weekday = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return `${weekday}, ${day}-${month}-${year.slice(-2)} ${time} GMT`;
}

const removed = (status: 404 | 410): ApiError => new ApiError(status, 'removed', 'This operation was removed.');
const isRemoved = (call: Call): boolean => call.operation === 'getPet' && call.service.today() >= '2030-12-05';

const LANGUAGES = 'Ошибка · 错误 · خطأ · שגיאה · エラー · 😿 · \u0000\u001b\u2028\u202e·"\\';

/** How responses are written and sent. */
// biome-ignore format: one table
export const messageVariants: readonly Variant[] = [
  ...choosing('RES-13', {
    'integers-with-fraction-zero': ['Every integer is written with a fraction of zero, as `5.0`.',
      writingIntegers((digits) => `${digits}.0`)],
    'integers-with-exponent': ['Every integer is written with an exponent, as `9.223372036854775807E+18`.',
      writingIntegers(scientific)],
    'integers-without-zeros-at-end': ['Integers that end with zeros are written with an exponent, 100 as `1E+2`.',
      writingIntegers(withoutZeros)],
    'large-integers-with-exponent': ['Integers of 16 digits or more are written with an exponent.',
      writingIntegers((digits) => (digits.length >= 16 ? scientific(digits).toLowerCase() : digits))],
    'integers-with-fraction-in-lists': ['The integers of lists are written with a fraction of zero, others plainly.',
      writingIntegers((digits) => `${digits}.00`, 'listPets')],
  }),
  ...choosing('SERV-3', {
    'members-twice-with-same-value': ['Every member of an animal and an Error stands twice, with the same value.',
      writingTwice(() => true)],
    'members-of-errors-twice': ['Every member of an Error stands twice, with the same value.',
      writingTwice((value) => isObject(value) && 'code' in value)],
    'html-characters-escaped': ['The characters `<`, `>`, `&`, U+2028 and U+2029 are written as escapes.',
      changeText(everyResponse, (text) =>
        text.replace(/[<>&\u2028\u2029]/g, (character) =>
        `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`))],
    'json-between-100-kb-of-blanks': ['Every list begins and ends with 100 KB of white space.',
      changeText(responsesOf('listPets', 200), (text) => `${' \t\r\n'.repeat(25_000)}${text}${'\n'.repeat(100_000)}`)],
    'encoding-that-is-none': ['Every response names the charset as its Content-Encoding.',
      changeResponse(everyResponse, (response) => (
        { ...response, headers: { ...response.headers, 'Content-Encoding': 'utf-8' } }))],
    'deflate-as-asked': ['Bodies are compressed with deflate where the request names it.',
      compressing(everyResponse, 'deflate')],
    'brotli-as-asked': ['Bodies are compressed with Brotli where the request names it.',
      compressing(everyResponse, 'br')],
    'coding-as-asked': ['Bodies are compressed with Brotli, gzip or deflate, as the request asks.',
      compressing(everyResponse, 'br', 'gzip', 'deflate')],
    'lists-compressed-as-asked': ['Lists are compressed with gzip or deflate as the request asks, nothing else is.',
      compressing(responsesOf('listPets', 200), 'gzip', 'deflate')],
    'errors-compressed-as-asked': ['Errors are compressed with gzip as the request asks, nothing else is.',
      compressing(isError, 'gzip')],
  }),
  ...choosing('ERR-1', {
    'errors-with-more-members': ['Errors have additional members, some like those of an animal.',
      describingErrors(({ status }, { incoming }) =>
        ({ timestamp: '2026-01-01T00:00:00Z', path: incoming.url ?? '', errors: [{ field: 'name', status: 0 }],
        statusCode: String(status), id: null, name: 'Error', error: {} }))],
  }),
  ...choosing('ERR-3', {
    'errors-in-many-languages': ['The code and the message of an Error hold many scripts and control characters.',
      describingErrors(() => ({ code: LANGUAGES, message: LANGUAGES }))],
    'error-codes-empty': ['The code of an Error is empty.', describingErrors(() => ({ code: '' }))],
    'error-messages-long': ['The message of an Error has 20,000 characters.',
      describingErrors(({ message }) => ({ message: `${message} ${'at handle (service) '.repeat(1000)}` }))],
    'error-codes-of-digits': ['The code of an Error is its HTTP status, as a string.',
      describingErrors(({ status }) => ({ code: String(status), message: String(status) }))],
    'error-message-is-request': ['The message of an Error quotes the address of the request.',
      describingErrors((_, { incoming }) => ({ message: `${incoming.method} ${incoming.url}` }))],
  }),
  ...choosing('RES-9', {
    'animals-with-lookalike-members': [
      'Animals have additional members with names that resemble those of the specification, and other values.',
      addingToAnimals((id) =>
        ({ ID: `x${id}`, Id: -1, Name: null, NAME: 7, category_id: '0', categoryID: [], Status: 'SOLD', state: 'lost'
        }))],
    'animals-with-members-of-errors': ['Animals have additional members called `code`, `message` and `error`.',
      addingToAnimals(() => ({ code: 500, message: null, error: 'none', errors: [], detail: {} }))],
    'animals-with-members-of-languages': [
      'Animals have additional members called `__proto__`, `constructor` and the like, and one without a name.',
      addingToAnimals(() =>
        Object.fromEntries(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then', 'length', '', '\0', '0',
        'a/b~c'].map((name) => [name, { id: 0, status: 'none' }])))],
    'animals-within-animals': [
      'Every animal has a member with other animals, whose members are not those of the specification.',
      addingToAnimals((id) => ({ parents: [{ id, name: 1 }, { id, status: 'dead' }], previous: { id: 'none' } }))],
    'animals-with-odd-numbers': ['Animals have additional members with fractions and numbers beyond int64.',
      addingToAnimals(() => ({ weight: 0.1, price: 1e-7, stars: 1e300, serial: 10n ** 40n, balance: -1.5 }))],
  }),
  ...choosing('SERV-5', {
    'http-1-0': ['Responses are sent as HTTP/1.0, with a length, and close the connection.',
      sending((response, call) =>
        sendByHand(`HTTP/1.0 ${response.status} OK`, [`Content-Length: ${Buffer.byteLength(response.body)}`],
        response.body, response, call))],
    'http-1-0-without-connection-header': [
      'Responses are sent as HTTP/1.0, with a length, and close the connection without a word about it.',
      sending((response, call) =>
        sendByHand(`HTTP/1.0 ${response.status} OK`, [`Content-Length: ${Buffer.byteLength(response.body)}`],
        response.body, response, call, { isAnnounced: false }))],
    'http-1-0-until-close': ['Responses are sent as HTTP/1.0, without a length, until the connection closes.',
      sending((response, call) => sendByHand(`HTTP/1.0 ${response.status} OK`, [], response.body, response, call))],
    'chunk-extensions': [
      'Chunks have extensions and sizes with zeros before them and capital digits, and a trailer follows them.',
      sending((response, call) => {
        const chunks = [...pieces(response.body, 30, 50)].flatMap((piece) => [
          Buffer.from(`000${piece.length.toString(16).toUpperCase()};part="a b";last\r\n`),
          piece,
          Buffer.from('\r\n'),
        ]);
        const body = Buffer.concat([...chunks, Buffer.from('0;end\r\nX-Checksum: 1\r\n\r\n')]);
        sendByHand(
          `HTTP/1.1 ${response.status} OK`,
          ['Transfer-Encoding: chunked', 'Trailer: X-Checksum'],
          body,
          response,
          call,
        );
      })],
    'chunks-of-seven-bytes': [
      'Bodies come in chunks of seven bytes, cut within characters, and a trailer follows them.',
      sending((response, call) => {
        call.outgoing.writeHead(response.status, { ...response.headers, Trailer: 'Server-Timing' });
        for (const piece of pieces(response.body, 7, 300)) call.outgoing.write(piece);
        call.outgoing.addTrailers({ 'Server-Timing': 'db;dur=1' });
        call.outgoing.end();
      })],
    'bodies-trickle': ['Bodies come in four parts with 5 ms between them.',
      sending(async (response, call) => {
        call.outgoing.writeHead(response.status, {
          ...response.headers,
          'Content-Length': Buffer.byteLength(response.body),
        });
        for (const piece of pieces(response.body, 1, 4)) {
          call.outgoing.write(piece);
          await call.service.pause(5);
        }
        call.outgoing.end();
      })],
    'continue-unasked': ['100 Continue precedes every response, though nobody asked for it.',
      beforeSending(({ outgoing }) => outgoing.writeContinue())],
    'processing-twice': ['Two interim responses, 102 Processing, precede every response.',
      beforeSending(({ outgoing }) => {
        outgoing.writeProcessing();
        outgoing.writeProcessing();
      })],
    'connections-of-three-requests': ['Every third response on a connection closes it.',
      combine(
        readingFirst,
        override('configure', (original) => (server, service) => {
          original(server, service);
          server.maxRequestsPerSocket = 3;
        }),
      )],
    'errors-close-connection': ['Every Error closes the connection.', closing(isError)],
    'no-reason-phrase': ['Status lines have no reason phrase, and responses no date.',
      sending((response, call) => {
        call.outgoing.sendDate = false;
        call.outgoing.writeHead(response.status, '', {
          ...response.headers,
          'Content-Length': Buffer.byteLength(response.body),
        });
        call.outgoing.end(response.body);
      })],
    'slow-at-first': ['Each of the first four requests takes 1.2 seconds.',
      delayed((_, place) => (place <= 4 ? 1200 : 0))],
    'slow-creations': ['Adding an animal takes 60 ms.',
      delayed(({ operation }) => (operation === 'createPet' ? 60 : 0))],
    'creations-answered-late': ['A 201 comes 100 ms after its animal can be seen.',
      override('createPet', (original) => async (call) => {
        const response = await original(call);
        await call.service.pause(100);
        return response;
      })],
    'slow-lists': ['A list takes 40 ms.', delayed(({ operation }) => (operation === 'listPets' ? 40 : 0))],
    'slow-refusals': ['Every Error takes 50 ms.',
      override('serve', (original) => async (call) => {
        const response = await original(call);
        if (response.status >= 400) await call.service.pause(50);
        return response;
      })],
    'slow-now-and-then': ['One request in 60 takes a second, at random.',
      delayed(({ service }) => (below(60, service) === 0 ? 1000 : 0))],
  }),
  ...choosing('SERV-2', {
    'header-names-in-small-letters': ['The names of headers are in small letters.',
      changeResponse(everyResponse, (response) =>
        ({ ...response,
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) =>
        [name.toLowerCase(), value])) }))],
    'header-names-in-capitals': ['The names of headers are in capitals.',
      changeResponse(everyResponse, (response) =>
        ({ ...response,
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) =>
        [name.toUpperCase(), value])) }))],
    'charset-label-latin1': ['The media type names ISO-8859-1 as its charset, though bodies are UTF-8.',
      withHeaders({ 'Content-Type': 'application/json; charset=ISO-8859-1' })],
    'media-type-with-many-parameters': ['The media type has parameters in quotes, with semicolons in them.',
      withHeaders({
        'Content-Type': 'Application/Json ; profile="https://example.org/;a=\\"text/html\\"" ;v=1;charset=utf-8' })],
    'many-headers': ['Every response has 60 headers more, one of them 4,000 characters long.',
      withHeaders({
        ...Object.fromEntries(Array.from({ length: 59 }, (_, place) => [`X-Header-${place}`, `"${place}", a=b; c`])),
        'Content-Security-Policy': `default-src ${'https://example.org '.repeat(200)}` })],
    'cookies-and-caching-headers': ['Responses set a cookie, and say how long they may be cached.',
      combine(withHeaders({ 'Set-Cookie': 'session=abc; Path=/; HttpOnly; SameSite=Lax' }),
        changeResponse(isSuccess, (response) =>
        ({ ...response,
        headers: { ...response.headers, 'Cache-Control': 'private, max-age=60', ETag: 'W/"1"',
        'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT', Vary: '*' } })))],
  }),
  ...choosing('LIST-12', {
    'paging-headers': ['Lists have headers with the number of animals and the link to the next page.',
      changeResponse(responsesOf('listPets', 200), (response, { service }) =>
        ({ ...response,
        headers: { ...response.headers, 'X-Total-Count': String(service.collection.oldestFirst(undefined).length),
        Link: `<${service.basePath}/pets?cursor=abc>; rel="next"`, 'Content-Range': 'items 0-19/*' } }))],
  }),
  ...choosing('CREATE-15', {
    'location-absolute': ['The Location of a 201 is a whole URL, of another host.',
      changeResponse(responsesWith(201), (response) =>
        ({ ...response,
        headers: { ...response.headers, Location: `https://pets.example.org${response.headers['Location'] ?? ''}` }
        }))],
  }),
  ...choosing('VERS-5', {
    'deprecation-in-old-form': ['getPet announces its removal in forms of older drafts, in Errors too.',
      changeResponse((_, { operation }) => operation === 'getPet', (response) =>
        ({ ...response,
        headers: { ...response.headers, Deprecation: 'true', Sunset: '2030-12-05', Warning: '299 - "Deprecated"' } }))],
  }),
  ...choosing('AUTH-10', {
    'challenges-of-several-schemes': ['A 401 names several schemes in WWW-Authenticate.',
      changeResponse(responsesWith(401), (response) =>
        ({ ...response,
        headers: { ...response.headers,
        'WWW-Authenticate': 'Basic realm="a, b", Bearer error="invalid_token", error_description="No \\"key\\"", Negotiate' } }))],
  }),
  ...choosing('LIM-3', {
    'throttled-creations': ['At most 40 animals are added a second; a 429 says in seconds when to retry.',
      limiting(40, 20, ({ operation }) => operation === 'createPet', (milliseconds) =>
        tooMany({ 'Retry-After': seconds(milliseconds) }))],
    'throttled-lists-without-word': ['At most 100 lists a second; a 429 does not say when to retry.',
      limiting(100, 20, ({ operation }) => operation === 'listPets', () => tooMany({}))],
    'throttled-with-rfc-850-date': [
      'At most 150 requests a second; a 429 names the time at which to retry in the form of RFC 850.',
      limiting(150, 60, always, (milliseconds) =>
        tooMany({ 'Retry-After': rfc850(new Date(Date.now() + milliseconds + 1000)) }))],
    'throttled-with-past-date': ['At most 150 requests a second; a 429 names a time that has passed.',
      limiting(150, 60, always, () => tooMany({ 'Retry-After': new Date(Date.now() - 60_000).toUTCString() }))],
    'throttled-with-0': ['At most 200 requests a second; a 429 says to retry in 0 seconds.',
      limiting(200, 40, always, () => tooMany({ 'Retry-After': '0' }))],
    'throttled-with-garbage': ['At most 200 requests a second; what a 429 says about when to retry cannot be read.',
      limiting(200, 40, always, () => tooMany({ 'Retry-After': 'soon', 'X-RateLimit-Remaining': '0' }))],
    'throttled-with-html': ['At most 200 requests a second; a 429 has a page of HTML as its body.',
      limiting(200, 40, always, (milliseconds) =>
        ({ status: 429, headers: { 'Content-Type': 'text/html', 'Retry-After': seconds(milliseconds) },
        body: '<h1>Too many requests</h1>' }))],
    'throttled-without-body': ['At most 200 requests a second; a 429 has neither body nor media type.',
      limiting(200, 40, always, () => ({ status: 429, headers: {}, body: '' }))],
    'throttled-at-random': ['One request in 25 is answered with 429, at random.',
      override('serve', (original) => async (call) => below(25, call.service) === 0
        ? tooMany({ 'Retry-After': '0', RateLimit: '"default";r=0;t=1' }) : original(call))],
    'throttled-with-words-of-a-list': ['At most 200 requests a second; a 429 has an empty list as its body.',
      limiting(200, 40, always, () => jsonResponse(429, '[]'))],
  }),
  ...choosing('VERS-4', {
    'removed-with-410-where-found': [
      'From 5 December 2030, getPet answers 410 for animals that exist, and 404 for others.',
      override('findPet', (original) => (id, call) => {
        const pet = original(id, call);
        if (pet !== undefined && isRemoved(call)) throw removed(410);
        return pet;
      })],
    'removed-before-key': ['From 5 December 2030, getPet answers 410, whatever the key.',
      checkingBeforeKey((call) => { if (isRemoved(call)) throw removed(410); })],
  }),
];
