import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import {
  changeResponse,
  changeText,
  combine,
  errorResponse,
  everyResponse,
  isError,
  isSuccess,
  jsonResponse,
  override,
  type ResponseFilter,
  responsesOf,
  responsesWith,
  variant,
} from '../changes.ts';
import { ApiError } from '../errors.ts';
import { isObject, type Json } from '../json.ts';
import type { ApiResponse, Call, Operation, Steps, Variant } from '../steps.ts';
import {
  addingToAnimals,
  below,
  checkingBeforeKey,
  closing,
  readingFirst,
  sendByHand,
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

type Send = Steps['send'];
const sending = (put: Send) => override('send', () => put);
const beforeSending = (act: (call: Call) => void) =>
  override('send', (original) => (response, call) => {
    act(call);
    return original(response, call);
  });

/** A body in small pieces, at most so many. */
function* pieces(body: string | Uint8Array, size: number, most: number): Generator<Buffer> {
  const bytes = Buffer.from(body);
  const length = Math.max(size, Math.ceil(bytes.length / most));
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}

/** Delays some requests before they are looked at. */
const delayed = (milliseconds: (call: Call, place: number) => number) => (steps: Steps) => {
  let place = 0;
  return override('serve', (original) => async (call) => {
    place += 1;
    await call.service.pause(milliseconds(call, place));
    return original(call);
  })(steps);
};

/** Answers 429 to some requests, at most so many a second on average. */
const limiting =
  (
    perSecond: number,
    atOnce: number,
    applies: (call: Call) => boolean,
    refuse: (milliseconds: number) => ApiResponse,
  ) =>
  (steps: Steps): Steps => {
    let left = atOnce;
    let since = performance.now();
    return override('serve', (original) => async (call) => {
      if (!applies(call)) return original(call);
      const time = performance.now();
      left = Math.min(atOnce, left + ((time - since) * perSecond) / 1000);
      since = time;
      if (left < 1) return refuse(((1 - left) * 1000) / perSecond);
      left -= 1;
      return original(call);
    })(steps);
  };

const tooMany = (headers: Readonly<Record<string, string>>): ApiResponse => {
  const response = errorResponse(429);
  return { ...response, headers: { ...response.headers, ...headers } };
};
const seconds = (milliseconds: number): string => String(Math.ceil(milliseconds / 1000));
const always = (): boolean => true;

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
export const messageVariants: readonly Variant[] = [
  variant(
    'integers-with-fraction-zero',
    'RES-13',
    'Every integer is written with a fraction of zero, as `5.0`.',
    writingIntegers((digits) => `${digits}.0`),
  ),
  variant(
    'integers-with-exponent',
    'RES-13',
    'Every integer is written with an exponent, as `9.223372036854775807E+18`.',
    writingIntegers(scientific),
  ),
  variant(
    'integers-without-zeros-at-end',
    'RES-13',
    'Integers that end with zeros are written with an exponent, 100 as `1E+2`.',
    writingIntegers(withoutZeros),
  ),
  variant(
    'large-integers-with-exponent',
    'RES-13',
    'Integers of 16 digits or more are written with an exponent.',
    writingIntegers((digits) => (digits.length >= 16 ? scientific(digits).toLowerCase() : digits)),
  ),
  variant(
    'integers-with-fraction-in-lists',
    'RES-13',
    'The integers of lists are written with a fraction of zero, others plainly.',
    writingIntegers((digits) => `${digits}.00`, 'listPets'),
  ),
  variant(
    'members-twice-with-same-value',
    'SERV-3',
    'Every member of an animal and an Error stands twice, with the same value.',
    writingTwice(() => true),
  ),
  variant(
    'members-of-errors-twice',
    'SERV-3',
    'Every member of an Error stands twice, with the same value.',
    writingTwice((value) => isObject(value) && 'code' in value),
  ),
  variant(
    'html-characters-escaped',
    'SERV-3',
    'The characters `<`, `>`, `&`, U+2028 and U+2029 are written as escapes.',
    changeText(everyResponse, (text) =>
      text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
  ),
  variant(
    'json-between-100-kb-of-blanks',
    'SERV-3',
    'Every list begins and ends with 100 KB of white space.',
    changeText(responsesOf('listPets', 200), (text) => `${' \t\r\n'.repeat(25_000)}${text}${'\n'.repeat(100_000)}`),
  ),

  variant(
    'errors-with-more-members',
    'ERR-1',
    'Errors have additional members, some like those of an animal.',
    describingErrors(({ status }, { incoming }) => ({
      timestamp: '2026-01-01T00:00:00Z',
      path: incoming.url ?? '',
      errors: [{ field: 'name', status: 0 }],
      statusCode: String(status),
      id: null,
      name: 'Error',
      error: {},
    })),
  ),
  variant(
    'errors-in-many-languages',
    'ERR-3',
    'The code and the message of an Error hold many scripts and control characters.',
    describingErrors(() => ({ code: LANGUAGES, message: LANGUAGES })),
  ),
  variant(
    'error-codes-empty',
    'ERR-3',
    'The code of an Error is empty.',
    describingErrors(() => ({ code: '' })),
  ),
  variant(
    'error-messages-long',
    'ERR-3',
    'The message of an Error has 20,000 characters.',
    describingErrors(({ message }) => ({ message: `${message} ${'at handle (service) '.repeat(1000)}` })),
  ),
  variant(
    'error-codes-of-digits',
    'ERR-3',
    'The code of an Error is its HTTP status, as a string.',
    describingErrors(({ status }) => ({ code: String(status), message: String(status) })),
  ),
  variant(
    'error-message-is-request',
    'ERR-3',
    'The message of an Error quotes the address of the request.',
    describingErrors((_, { incoming }) => ({ message: `${incoming.method} ${incoming.url}` })),
  ),
  variant(
    'animals-with-lookalike-members',
    'RES-9',
    'Animals have additional members with names that resemble those of the specification, and other values.',
    addingToAnimals((id) => ({
      ID: `x${id}`,
      Id: -1,
      Name: null,
      NAME: 7,
      category_id: '0',
      categoryID: [],
      Status: 'SOLD',
      state: 'lost',
    })),
  ),
  variant(
    'animals-with-members-of-errors',
    'RES-9',
    'Animals have additional members called `code`, `message` and `error`.',
    addingToAnimals(() => ({ code: 500, message: null, error: 'none', errors: [], detail: {} })),
  ),
  variant(
    'animals-with-members-of-languages',
    'RES-9',
    'Animals have additional members called `__proto__`, `constructor` and the like, and one without a name.',
    addingToAnimals(() =>
      Object.fromEntries(
        ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then', 'length', '', '\0', '0', 'a/b~c'].map(
          (name) => [name, { id: 0, status: 'none' }],
        ),
      ),
    ),
  ),
  variant(
    'animals-within-animals',
    'RES-9',
    'Every animal has a member with other animals, whose members are not those of the specification.',
    addingToAnimals((id) => ({
      parents: [
        { id, name: 1 },
        { id, status: 'dead' },
      ],
      previous: { id: 'none' },
    })),
  ),
  variant(
    'animals-with-odd-numbers',
    'RES-9',
    'Animals have additional members with fractions and numbers beyond int64.',
    addingToAnimals(() => ({ weight: 0.1, price: 1e-7, stars: 1e300, serial: 10n ** 40n, balance: -1.5 })),
  ),

  variant(
    'deflate-as-asked',
    'SERV-3',
    'Bodies are compressed with deflate where the request names it.',
    compressing(everyResponse, 'deflate'),
  ),
  variant(
    'brotli-as-asked',
    'SERV-3',
    'Bodies are compressed with Brotli where the request names it.',
    compressing(everyResponse, 'br'),
  ),
  variant(
    'coding-as-asked',
    'SERV-3',
    'Bodies are compressed with Brotli, gzip or deflate, as the request asks.',
    compressing(everyResponse, 'br', 'gzip', 'deflate'),
  ),
  variant(
    'lists-compressed-as-asked',
    'SERV-3',
    'Lists are compressed with gzip or deflate as the request asks, nothing else is.',
    compressing(responsesOf('listPets', 200), 'gzip', 'deflate'),
  ),
  variant(
    'errors-compressed-as-asked',
    'SERV-3',
    'Errors are compressed with gzip as the request asks, nothing else is.',
    compressing(isError, 'gzip'),
  ),

  variant(
    'http-1-0',
    'SERV-5',
    'Responses are sent as HTTP/1.0, with a length, and close the connection.',
    sending((response, call) =>
      sendByHand(
        `HTTP/1.0 ${response.status} OK`,
        [`Content-Length: ${Buffer.byteLength(response.body)}`],
        response.body,
        response,
        call,
      ),
    ),
  ),
  variant(
    'http-1-0-until-close',
    'SERV-5',
    'Responses are sent as HTTP/1.0, without a length, until the connection closes.',
    sending((response, call) => sendByHand(`HTTP/1.0 ${response.status} OK`, [], response.body, response, call)),
  ),
  variant(
    'chunk-extensions',
    'SERV-5',
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
    }),
  ),
  variant(
    'chunks-of-seven-bytes',
    'SERV-5',
    'Bodies come in chunks of seven bytes, cut within characters, and a trailer follows them.',
    sending((response, call) => {
      call.outgoing.writeHead(response.status, { ...response.headers, Trailer: 'Server-Timing' });
      for (const piece of pieces(response.body, 7, 300)) call.outgoing.write(piece);
      call.outgoing.addTrailers({ 'Server-Timing': 'db;dur=1' });
      call.outgoing.end();
    }),
  ),
  variant(
    'bodies-trickle',
    'SERV-5',
    'Bodies come in four parts with 5 ms between them.',
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
    }),
  ),
  variant(
    'continue-unasked',
    'SERV-5',
    '100 Continue precedes every response, though nobody asked for it.',
    beforeSending(({ outgoing }) => outgoing.writeContinue()),
  ),
  variant(
    'processing-twice',
    'SERV-5',
    'Two interim responses, 102 Processing, precede every response.',
    beforeSending(({ outgoing }) => {
      outgoing.writeProcessing();
      outgoing.writeProcessing();
    }),
  ),
  variant(
    'connections-of-three-requests',
    'SERV-5',
    'Every third response on a connection closes it.',
    combine(
      readingFirst,
      override('configure', (original) => (server, service) => {
        original(server, service);
        server.maxRequestsPerSocket = 3;
      }),
    ),
  ),
  variant(
    'idle-connections-closed-at-5-ms',
    'SERV-5',
    'An idle connection is closed after 5 ms.',
    override('configure', (original) => (server, service) => {
      original(server, service);
      server.keepAliveTimeout = 5;
    }),
  ),
  variant('errors-close-connection', 'SERV-5', 'Every Error closes the connection.', closing(isError)),
  variant(
    'no-reason-phrase',
    'SERV-5',
    'Status lines have no reason phrase, and responses no date.',
    sending((response, call) => {
      call.outgoing.sendDate = false;
      call.outgoing.writeHead(response.status, '', {
        ...response.headers,
        'Content-Length': Buffer.byteLength(response.body),
      });
      call.outgoing.end(response.body);
    }),
  ),
  variant(
    'header-names-in-small-letters',
    'SERV-2',
    'The names of headers are in small letters.',
    changeResponse(everyResponse, (response) => ({
      ...response,
      headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value])),
    })),
  ),
  variant(
    'header-names-in-capitals',
    'SERV-2',
    'The names of headers are in capitals.',
    changeResponse(everyResponse, (response) => ({
      ...response,
      headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toUpperCase(), value])),
    })),
  ),
  variant(
    'charset-label-latin1',
    'SERV-2',
    'The media type names ISO-8859-1 as its charset, though bodies are UTF-8.',
    withHeaders({ 'Content-Type': 'application/json; charset=ISO-8859-1' }),
  ),
  variant(
    'media-type-with-many-parameters',
    'SERV-2',
    'The media type has parameters in quotes, with semicolons in them.',
    withHeaders({
      'Content-Type': 'Application/Json ; profile="https://example.org/;a=\\"text/html\\"" ;v=1;charset=utf-8',
    }),
  ),
  variant(
    'many-headers',
    'SERV-2',
    'Every response has 60 headers more, one of them 4,000 characters long.',
    withHeaders({
      ...Object.fromEntries(Array.from({ length: 59 }, (_, place) => [`X-Header-${place}`, `"${place}", a=b; c`])),
      'Content-Security-Policy': `default-src ${'https://example.org '.repeat(200)}`,
    }),
  ),
  variant(
    'cookies-and-caching-headers',
    'SERV-2',
    'Responses set a cookie, and say how long they may be cached.',
    combine(
      withHeaders({ 'Set-Cookie': 'session=abc; Path=/; HttpOnly; SameSite=Lax' }),
      changeResponse(isSuccess, (response) => ({
        ...response,
        headers: {
          ...response.headers,
          'Cache-Control': 'private, max-age=60',
          ETag: 'W/"1"',
          'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
          Vary: '*',
        },
      })),
    ),
  ),
  variant(
    'paging-headers',
    'LIST-12',
    'Lists tell in headers how many animals there are and where the next page is.',
    changeResponse(responsesOf('listPets', 200), (response, { service }) => ({
      ...response,
      headers: {
        ...response.headers,
        'X-Total-Count': String(service.collection.oldestFirst(undefined).length),
        Link: `<${service.basePath}/pets?cursor=abc>; rel="next"`,
        'Content-Range': 'items 0-19/*',
      },
    })),
  ),
  variant(
    'location-absolute',
    'CREATE-15',
    'The Location of a 201 is a whole URL, of another host.',
    changeResponse(responsesWith(201), (response) => ({
      ...response,
      headers: { ...response.headers, Location: `https://pets.example.org${response.headers['Location'] ?? ''}` },
    })),
  ),
  variant(
    'deprecation-in-old-form',
    'VERS-5',
    'getPet announces its removal in forms of older drafts, in Errors too.',
    changeResponse(
      (_, { operation }) => operation === 'getPet',
      (response) => ({
        ...response,
        headers: { ...response.headers, Deprecation: 'true', Sunset: '2030-12-05', Warning: '299 - "Deprecated"' },
      }),
    ),
  ),
  variant(
    'challenges-of-several-schemes',
    'AUTH-10',
    'A 401 names several schemes in WWW-Authenticate.',
    changeResponse(responsesWith(401), (response) => ({
      ...response,
      headers: {
        ...response.headers,
        'WWW-Authenticate':
          'Basic realm="a, b", Bearer error="invalid_token", error_description="No \\"key\\"", Negotiate',
      },
    })),
  ),

  variant(
    'throttled-creations',
    'LIM-3',
    'At most 40 animals are added a second; a 429 says in seconds when to retry.',
    limiting(
      40,
      20,
      ({ operation }) => operation === 'createPet',
      (milliseconds) => tooMany({ 'Retry-After': seconds(milliseconds) }),
    ),
  ),
  variant(
    'throttled-lists-without-word',
    'LIM-3',
    'At most 100 lists a second; a 429 does not say when to retry.',
    limiting(
      100,
      20,
      ({ operation }) => operation === 'listPets',
      () => tooMany({}),
    ),
  ),
  variant(
    'throttled-with-rfc-850-date',
    'LIM-3',
    'At most 150 requests a second; a 429 names the time at which to retry in the form of RFC 850.',
    limiting(150, 60, always, (milliseconds) =>
      tooMany({ 'Retry-After': rfc850(new Date(Date.now() + milliseconds + 1000)) }),
    ),
  ),
  variant(
    'throttled-with-past-date',
    'LIM-3',
    'At most 150 requests a second; a 429 names a time that has passed.',
    limiting(150, 60, always, () => tooMany({ 'Retry-After': new Date(Date.now() - 60_000).toUTCString() })),
  ),
  variant(
    'throttled-with-0',
    'LIM-3',
    'At most 200 requests a second; a 429 says to retry in 0 seconds.',
    limiting(200, 40, always, () => tooMany({ 'Retry-After': '0' })),
  ),
  variant(
    'throttled-with-garbage',
    'LIM-3',
    'At most 200 requests a second; what a 429 says about when to retry cannot be read.',
    limiting(200, 40, always, () => tooMany({ 'Retry-After': 'soon', 'X-RateLimit-Remaining': '0' })),
  ),
  variant(
    'throttled-with-html',
    'LIM-3',
    'At most 200 requests a second; a 429 has a page of HTML as its body.',
    limiting(200, 40, always, (milliseconds) => ({
      status: 429,
      headers: { 'Content-Type': 'text/html', 'Retry-After': seconds(milliseconds) },
      body: '<h1>Too many requests</h1>',
    })),
  ),
  variant(
    'throttled-without-body',
    'LIM-3',
    'At most 200 requests a second; a 429 has neither body nor media type.',
    limiting(200, 40, always, () => ({ status: 429, headers: {}, body: '' })),
  ),
  variant(
    'throttled-at-random',
    'LIM-3',
    'One request in 25 is answered with 429, at random.',
    override(
      'serve',
      (original) => async (call) =>
        below(25, call.service) === 0
          ? tooMany({ 'Retry-After': '0', RateLimit: '"default";r=0;t=1' })
          : original(call),
    ),
  ),
  variant(
    'throttled-with-words-of-a-list',
    'LIM-3',
    'At most 200 requests a second; a 429 has an empty list as its body.',
    limiting(200, 40, always, () => jsonResponse(429, '[]')),
  ),

  variant(
    'slow-at-first',
    'SERV-5',
    'Each of the first four requests takes 1.2 seconds.',
    delayed((_, place) => (place <= 4 ? 1200 : 0)),
  ),
  variant(
    'slow-creations',
    'SERV-5',
    'Adding an animal takes 60 ms.',
    delayed(({ operation }) => (operation === 'createPet' ? 60 : 0)),
  ),
  variant(
    'slow-lists',
    'SERV-5',
    'A list takes 40 ms.',
    delayed(({ operation }) => (operation === 'listPets' ? 40 : 0)),
  ),
  variant(
    'slow-refusals',
    'SERV-5',
    'Every Error takes 50 ms.',
    override('serve', (original) => async (call) => {
      const response = await original(call);
      if (response.status >= 400) await call.service.pause(50);
      return response;
    }),
  ),
  variant(
    'slow-now-and-then',
    'SERV-5',
    'One request in 60 takes a second, at random.',
    delayed(({ service }) => (below(60, service) === 0 ? 1000 : 0)),
  ),

  variant(
    'removed-with-410-where-found',
    'VERS-4',
    'From 5 December 2030, getPet answers 410 for animals that exist, and 404 for others.',
    override('findPet', (original) => (id, call) => {
      const pet = original(id, call);
      if (pet !== undefined && isRemoved(call)) throw removed(410);
      return pet;
    }),
  ),
  variant(
    'removed-before-key',
    'VERS-4',
    'From 5 December 2030, getPet answers 410, whatever the key.',
    checkingBeforeKey((call) => {
      if (isRemoved(call)) throw removed(410);
    }),
  ),
];
