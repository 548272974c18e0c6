import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bearerToken } from '../authentication.ts';
import {
  changeResponse,
  changeText,
  combine,
  errorResponse,
  everyNth,
  fault,
  isError,
  isSuccess,
  onEveryNth,
  override,
  type ResponseFilter,
  responsesOf,
  responsesWith,
  textOf,
  without,
} from '../changes.ts';
import type { ApiError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { ApiResponse, Call, Fault, Operation, Steps } from '../steps.ts';
import {
  authorization,
  breakOff,
  changingEveryNth,
  crash,
  created,
  describingErrors,
  encoded,
  fetched,
  hang,
  isKeyless,
  labelled,
  lateBy,
  listed,
  overlapping,
  readingLimit,
  reset,
  type Send,
  sending,
} from './builders.ts';

/** The responses to some requests, if they pass a filter. */
const where =
  (which: ResponseFilter, matches: (call: Call) => boolean): ResponseFilter =>
  (response, call) =>
    which(response, call) && matches(call);

const badRequest = responsesOf('createPet', 400);
const notFound = responsesOf('getPet', 404);
const unauthorized = responsesWith(401);

const accepts = (pattern: RegExp) => (call: Call) => pattern.test(call.header('accept') ?? '');
const wantsHtml = accepts(/text\/html/);
const codings = (call: Call): string => call.header('accept-encoding') ?? '';
const isChunked = (call: Call): boolean => call.header('transfer-encoding') !== undefined;
const keyLength = (call: Call): number => bearerToken(call)?.length ?? 0;
/** In milliseconds. */
const SECOND = 1000;
const isInt64Text = (text: string): boolean => /^-?\d{1,18}$/.test(text);

/** Fails on some requests before anything is read of them. */
const crashingOn = (matches: (call: Call) => boolean) =>
  override('authenticate', (original) => (call) => (matches(call) ? crash('unexpected request') : original(call)));

/** Fails on some ids, with a valid key. */
const crashingOnId = (matches: (petId: string, call: Call) => boolean) =>
  override(
    'readPetId',
    (original) => (call) => (matches(call.petId ?? '', call) ? crash('unexpected id') : original(call)),
  );

/** Describes the Errors of one operation and status wrongly, or only some of them. */
const describingErrorsOf = (
  operation: Operation,
  status: number,
  alter: (members: JsonObject, error: ApiError) => JsonObject,
  which: (error: ApiError, call: Call) => boolean = () => true,
) =>
  describingErrors((members, error, call) =>
    call.operation === operation && error.status === status && which(error, call) ? alter(members, error) : members,
  );

/** Answers some requests with an Error instead of what the operation would give. */
const answering = (operation: Operation, matches: (call: Call) => boolean, respond: () => ApiResponse) =>
  override(
    'serve',
    (original) => async (call) => (call.operation === operation && matches(call) ? respond() : original(call)),
  );

const redirected = (status: number, Location: string): ApiResponse => ({
  ...errorResponse(status),
  headers: { 'Content-Type': 'application/json', Location },
});

const withBody = (which: ResponseFilter, change: (body: Buffer, call: Call) => Buffer) =>
  changeResponse(which, (response, call) => ({ ...response, body: change(Buffer.from(response.body), call) }));

/** Compresses some responses, and labels them. */
const compressed = (which: ResponseFilter, coding: string, compress: (body: Buffer) => Buffer) =>
  changeResponse(which, (response) => ({
    ...response,
    headers: { ...response.headers, 'Content-Encoding': coding },
    body: compress(Buffer.from(response.body)),
  }));

/** Handles the requests of a connection by their number on it, from 1. */
const byPlaceOnConnection = (which: (place: number) => boolean, send: Send) => (steps: Steps) => {
  const places = new WeakMap<object, number>();
  return sending((_, { incoming }) => {
    const place = (places.get(incoming.socket) ?? 0) + 1;
    places.set(incoming.socket, place);
    return which(place);
  }, send)(steps);
};

/** The general rules in the corners: one header, one spelling, one status, one connection, late, rarely or in a crowd. */
export const responseFaults: readonly Fault[] = [
  fault(
    'one-of-two-added-at-once-lost',
    'SERV-1',
    'Of animals added at the same moment, all but the last are lost.',
    (steps) =>
      overlapping(
        ({ operation }) => operation === 'createPet',
        (underWay) =>
          override('store', (original) => (pet, call) => {
            if (underWay() === 1) original(pet, call);
          }),
      )(steps),
  ),
  fault(
    'oldest-dropped-after-90',
    'SERV-1',
    'Each animal beyond the 90th that is added drops the first one that was.',
    (steps) => {
      const kept: bigint[] = [];
      return override('store', (original) => (pet, call) => {
        original(pet, call);
        kept.push(pet.id);
        const first = kept.length > 90 ? kept.shift() : undefined;
        if (first !== undefined) call.service.collection.remove(first);
      })(steps);
    },
  ),
  fault(
    'chunked-animal-not-kept',
    'SERV-1',
    'An animal whose body is sent in chunks is answered with 201 but not stored.',
    override('store', (original) => (pet, call) => {
      if (!isChunked(call)) original(pet, call);
    }),
  ),
  fault(
    'one-in-50-animals-not-kept',
    'SERV-1',
    'One animal in 50 is answered with 201 but not stored.',
    onEveryNth(50, (isDue) =>
      override('store', (original) => (pet, call) => {
        if (!isDue()) original(pet, call);
      }),
    ),
  ),

  fault(
    'created-without-accept-as-text',
    'SERV-2',
    'A 201 is sent as text/plain when the request has no Accept header.',
    labelled(
      where(created, (call) => call.header('accept') === undefined),
      'text/plain',
    ),
  ),
  fault(
    'browser-gets-text-html',
    'SERV-2',
    'When a request accepts HTML, the JSON of an animal is sent as text/html.',
    labelled(where(fetched, wantsHtml), 'text/html; charset=utf-8'),
  ),
  fault(
    'long-list-as-ndjson',
    'SERV-2',
    'A list of more than 50 animals is labelled application/x-ndjson.',
    labelled(
      (response, call) => listed(response, call) && textOf(response).split('"categoryId"').length > 51,
      'application/x-ndjson',
    ),
  ),
  fault(
    '404-with-two-media-types',
    'SERV-2',
    'The media type of a 404 stands twice in its header: application/json, application/json.',
    labelled(notFound, 'application/json, application/json'),
  ),
  fault(
    'lists-as-text-late',
    'SERV-2',
    'From the 400th request on lists are sent as text/plain.',
    lateBy(400, (isLate) => labelled(where(listed, isLate), 'text/plain')),
  ),
  fault(
    'one-in-100-getpets-without-media-type',
    'SERV-2',
    'One animal in 100 that is fetched has no Content-Type.',
    onEveryNth(100, (isDue) => labelled(where(fetched, isDue), undefined)),
  ),

  fault(
    'length-counted-in-characters',
    'SERV-3',
    'The length of an animal is announced in characters, so a body beyond ASCII is cut there.',
    withBody(fetched, (body) => body.subarray(0, body.toString('utf8').length)),
  ),
  fault(
    'apostrophe-escaped',
    'SERV-3',
    'getPet escapes an apostrophe with a backslash, which JSON does not allow.',
    changeText(fetched, (text) => text.replaceAll("'", "\\'")),
  ),
  fault(
    'control-characters-unescaped',
    'SERV-3',
    'Lists hold tabs and line ends within strings as they are, without an escape.',
    changeText(listed, (text) =>
      text.replaceAll(
        /(?<!\\)((?:\\\\)*)\\([tnr])/g,
        (_, before: string, letter: string) => before + { t: '\t', n: '\n', r: '\r' }[letter],
      ),
    ),
  ),
  fault(
    'notice-before-404',
    'SERV-3',
    'The JSON of a 404 is preceded by a notice of the interpreter.',
    changeText(notFound, (text) => `Notice: Undefined index: pet in /srv/pets.php\n${text}`),
  ),
  fault(
    'two-bodies-in-400',
    'SERV-3',
    'A 400 has the Error twice, one after the other.',
    changeText(badRequest, (text) => text + text),
  ),
  fault(
    'browser-list-with-guard',
    'SERV-3',
    "When a request has an Origin header, a list begins with `)]}',` to keep scripts out.",
    changeText(
      where(listed, (call) => call.header('origin') !== undefined),
      (text) => `)]}',\n${text}`,
    ),
  ),
  fault(
    '404-in-utf-16',
    'SERV-3',
    'A 404 is sent in UTF-16, and labelled so.',
    combine(
      encoded(notFound, (text) => Buffer.from(text, 'utf16le')),
      labelled(notFound, 'application/json; charset=utf-16le'),
    ),
  ),
  fault(
    'weight-of-gzip-unread',
    'SERV-3',
    'An animal is compressed with gzip wherever the word stands in Accept-Encoding, in `gzip;q=0` too.',
    compressed(
      where(fetched, (call) => codings(call).includes('gzip')),
      'gzip',
      gzipSync,
    ),
  ),
  fault(
    'brotli-instead-of-gzip',
    'SERV-3',
    'A request that accepts gzip but not br gets an animal in br.',
    compressed(
      where(fetched, (call) => /gzip/.test(codings(call)) && !/\bbr\b|\*/.test(codings(call))),
      'br',
      brotliCompressSync,
    ),
  ),
  fault(
    'coded-page-given-to-all',
    'SERV-3',
    'For a second after a list was sent with gzip, whoever asks for the same URL gets it so.',
    (steps) => {
      const codedAt = new Map<string | undefined, number>();
      const isCoded = (call: Call): boolean => {
        const now = performance.now();
        const { url } = call.incoming;
        if (/gzip(?!;q=0)/.test(codings(call))) codedAt.set(url, now);
        return now - (codedAt.get(url) ?? -SECOND) < SECOND;
      };
      return compressed(where(listed, isCoded), 'gzip', gzipSync)(steps);
    },
  ),
  fault(
    'gzip-cut',
    'SERV-3',
    'To a request that accepts gzip, a list is sent without the last bytes of its compressed stream.',
    compressed(
      where(listed, (call) => /gzip/.test(codings(call))),
      'gzip',
      (body) => gzipSync(body).subarray(0, -10),
    ),
  ),
  fault(
    'gzip-unlabelled',
    'SERV-3',
    'To a request that accepts gzip, an animal is sent compressed without saying so.',
    withBody(
      where(fetched, (call) => /gzip/.test(codings(call))),
      (body) => gzipSync(body),
    ),
  ),
  fault(
    'created-with-two-ids',
    'SERV-3',
    'A 201 has the member `id` twice, with different values.',
    changeText(created, (text) => text.replace(/^\{/, '{"id":0,')),
  ),
  fault(
    'bodies-at-once-cut',
    'SERV-3',
    'Of several responses at once, one is cut to the length of the one before it.',
    (steps) => {
      let before = 0;
      return overlapping(
        () => true,
        (underWay) =>
          withBody(isSuccess, (body) => {
            const length = underWay() > 1 ? before : body.length;
            before = body.length;
            return body.subarray(0, length);
          }),
      )(steps);
    },
  ),

  fault(
    'no-accept-makes-500',
    'SERV-4',
    'getPet fails on a request without an Accept header.',
    crashingOn((call) => call.operation === 'getPet' && call.header('accept') === undefined),
  ),
  fault(
    'browser-accept-makes-500',
    'SERV-4',
    'An Error for a request that accepts HTML fails, because its template is missing.',
    changeResponse(where(isError, wantsHtml), () => errorResponse(500)),
  ),
  fault(
    'key-of-8000-makes-502',
    'SERV-4',
    'A key of 8,000 characters or more is answered with 502 by the proxy in front.',
    changeResponse(
      (_, call) => keyLength(call) >= 8000,
      () => errorResponse(502),
    ),
  ),
  fault(
    'three-words-in-authorization-make-500',
    'SERV-4',
    'An Authorization header of three words makes the service fail.',
    crashingOn((call) => /^\S+ \S+ \S/.test(authorization(call))),
  ),
  fault(
    'basic-not-base64-makes-500',
    'SERV-4',
    'The scheme Basic with something after it that is not a user and a password in Base64 makes the service fail.',
    crashingOn((call) => {
      const given = /^basic +(.*)$/i.exec(authorization(call))?.[1];
      return given !== undefined && !Buffer.from(given, 'base64').toString('utf8').includes(':');
    }),
  ),
  fault(
    'chunked-body-makes-500',
    'SERV-4',
    'A body in chunks makes the service fail.',
    crashingOn((call) => call.operation === 'createPet' && isChunked(call)),
  ),
  fault(
    'seven-at-once-make-503',
    'SERV-4',
    'There are six connections to the database: of more requests at once, some are answered with 503.',
    overlapping(
      () => true,
      (underWay) =>
        changeResponse(
          () => underWay() > 6,
          () => errorResponse(503),
        ),
    ),
  ),
  fault(
    'one-in-100-fetches-answers-500',
    'SERV-4',
    'One animal in 100 that is fetched is answered with 500.',
    changingEveryNth(100, fetched, () => errorResponse(500)),
  ),
  fault('refusals-late-make-500', 'SERV-4', 'After 40 refused keys each further one is answered with 500.', (steps) => {
    let refusals = 0;
    return changeResponse(unauthorized, (response) => {
      refusals += 1;
      return refusals > 40 ? errorResponse(500) : response;
    })(steps);
  }),
  fault(
    'int64-minimum-makes-500',
    'SERV-4',
    'The least int64 as the id makes the service fail, because its negative is none.',
    crashingOnId((id) => id === '-9223372036854775808'),
  ),
  fault(
    'petid-above-240-characters-makes-500',
    'SERV-4',
    'A petId of more than 240 characters is too long for a key of the cache and makes the service fail.',
    crashingOnId((id) => id.length > 240),
  ),
  fault(
    'id-above-int32-makes-500',
    'SERV-4',
    'An id that does not fit into 32 bits makes the service fail.',
    crashingOnId((id) => isInt64Text(id) && BigInt(id) !== BigInt.asIntN(32, BigInt(id))),
  ),
  fault(
    'limit-of-1000-digits-makes-500',
    'SERV-4',
    'A limit of 1,000 digits or more makes the service fail.',
    readingLimit((text) => (/^\d{1000,}$/.test(text ?? '') ? crash('unexpected length') : undefined)),
  ),
  fault(
    'id-minus-one-makes-500',
    'SERV-4',
    'A negative id makes the service fail.',
    crashingOnId((id) => /^-\d{1,9}$/.test(id)),
  ),
  fault(
    'id-fraction-makes-500',
    'SERV-4',
    'An id with a fraction makes the service fail, also when that is zero.',
    crashingOnId((id) => /^-?\d+\.\d+$/.test(id)),
  ),
  fault(
    'id-malformed-encoding-makes-500',
    'SERV-4',
    'A percent sign in an id without two hexadecimal digits after it makes the service fail.',
    crashingOnId((_, { incoming }) => /%(?![\da-f]{2})/i.test(incoming.url ?? '')),
  ),

  fault(
    '60th-request-on-connection-hangs',
    'SERV-5',
    'The 60th request on a connection is never answered.',
    byPlaceOnConnection((place) => place === 60, hang),
  ),
  fault(
    'chunked-body-hangs',
    'SERV-5',
    'A body in chunks is waited for without end.',
    sending((_, call) => call.operation === 'createPet' && isChunked(call), hang),
  ),
  fault(
    'request-after-refused-body-hangs',
    'SERV-5',
    'After a createPet that is refused with 401, the next request on the connection is never answered.',
    (steps) => {
      const stuck = new WeakSet<object>();
      return combine(
        sending((_, { incoming }) => stuck.has(incoming.socket), hang),
        override('send', (original) => async (response, call) => {
          await original(response, call);
          if (call.operation === 'createPet' && response.status === 401) stuck.add(call.incoming.socket);
        }),
      )(steps);
    },
  ),
  fault(
    'very-long-key-resets',
    'SERV-5',
    'A key of 2,048 characters or more resets the connection.',
    sending((_, call) => keyLength(call) >= 2048, reset),
  ),
  fault('404-broken-off', 'SERV-5', 'The connection is closed in the middle of a 404.', sending(notFound, breakOff)),
  fault('one-in-100-fetches-resets', 'SERV-5', 'One animal in 100 that is fetched resets the connection.', (steps) => {
    const isDue = everyNth(100);
    return sending((response, call) => fetched(response, call) && isDue(), reset)(steps);
  }),

  fault(
    'getpet-without-user-agent-answered-403',
    'GET-1',
    'getPet answers 403 to a request without a User-Agent.',
    changeResponse(
      where(fetched, (call) => call.header('user-agent') === undefined),
      () => errorResponse(403),
    ),
  ),
  fault(
    'getpet-with-two-media-types-answered-406',
    'GET-1',
    'getPet compares Accept with `application/json` and `*/*` only, and answers anything else with 406.',
    changeResponse(
      where(fetched, (call) => !['application/json', '*/*'].includes(call.header('accept') ?? '*/*')),
      () => errorResponse(406),
    ),
  ),

  fault(
    'invalid-key-error-lacks-message',
    'ERR-1',
    'The Error for an invalid key has no `message`; the one for a missing key has.',
    describingErrors((members, { status }, call) =>
      status === 401 && !isKeyless(call) ? without(members, 'message') : members,
    ),
  ),
  fault(
    'very-long-key-error-without-members',
    'ERR-1',
    'The Error for a key of 512 characters or more is an empty object.',
    describingErrors((members, { status }, call) => (status === 401 && keyLength(call) >= 512 ? {} : members)),
  ),
  fault(
    'getpet-404-status-lost',
    'ERR-1',
    'The 404 of an int64 that no animal has lacks `status`.',
    describingErrorsOf(
      'getPet',
      404,
      (members) => without(members, 'status'),
      (_, { petId = '' }) => isInt64Text(petId),
    ),
  ),
  fault(
    'wrong-type-error-message-a-list',
    'ERR-1',
    'The `message` of the 400 for a member of the wrong type is a list.',
    describingErrorsOf(
      'createPet',
      400,
      (members, { message }) => ({ ...members, message: [message] }),
      ({ message }) => /required and is/.test(message),
    ),
  ),
  fault(
    'missing-body-error-in-a-list',
    'ERR-1',
    'The Error for a missing body is the only item of a list.',
    changeText(
      (response, call) => badRequest(response, call) && textOf(response).includes('missing'),
      (text) => `[${text}]`,
    ),
  ),
  fault(
    'browser-gets-error-page',
    'ERR-1',
    'A request that accepts HTML and has no valid key gets an HTML page with its 401.',
    changeResponse(where(unauthorized, wantsHtml), (response) => ({
      ...response,
      headers: { 'Content-Type': 'text/html' },
      body: '<!doctype html><title>401</title>',
    })),
  ),
  fault(
    'errors-lack-code-late',
    'ERR-1',
    'From the 400th request on Errors have no `code`.',
    lateBy(400, (isLate) => describingErrors((members) => (isLate() ? without(members, 'code') : members))),
  ),
  fault(
    'one-in-50-errors-lacks-message',
    'ERR-1',
    'One Error in 50 has no `message`.',
    onEveryNth(50, (isDue) => describingErrors((members) => (isDue() ? without(members, 'message') : members))),
  ),

  fault(
    'invalid-key-error-says-403',
    'ERR-2',
    'The Error for an invalid key has the `status` 403, though the response has 401.',
    describingErrors((members, { status }, call) =>
      status === 401 && !isKeyless(call) ? { ...members, status: 403 } : members,
    ),
  ),
  fault(
    'id-not-int64-error-says-400',
    'ERR-2',
    'The 404 for an id that is not an int64 has the `status` 400.',
    describingErrorsOf(
      'getPet',
      404,
      (members) => ({ ...members, status: 400 }),
      (_, { petId = '' }) => !/^-?\d+$/.test(petId),
    ),
  ),
  fault(
    'malformed-json-error-says-422',
    'ERR-2',
    'The 400 for malformed JSON has the `status` 422.',
    describingErrorsOf(
      'createPet',
      400,
      (members) => ({ ...members, status: 422 }),
      ({ message }) => message.includes('well-formed'),
    ),
  ),
  fault(
    'media-type-error-says-400',
    'ERR-2',
    'The 415 has the `status` 400.',
    describingErrorsOf('createPet', 415, (members) => ({ ...members, status: 400 })),
  ),
  fault(
    'limit-error-says-422',
    'ERR-2',
    'The 400 for a `limit` has the `status` 422.',
    describingErrorsOf(
      'listPets',
      400,
      (members) => ({ ...members, status: 422 }),
      (_, call) => call.query.has('limit'),
    ),
  ),
  fault(
    'backslash-of-an-id-unescaped-in-the-error',
    'SERV-3',
    'The message of a 404 repeats the id with a backslash as it is.',
    changeResponse(notFound, (response, call) => {
      const text = decodeURIComponent(call.petId ?? '');
      if (!text.includes('\\')) return response;
      return {
        ...response,
        body: `{"code":"not_found","message":"no animal ${text.replaceAll('"', '')}","status":404}`,
      };
    }),
  ),
  fault(
    'one-in-50-errors-says-0',
    'ERR-2',
    'One Error in 50 has the `status` 0.',
    onEveryNth(50, (isDue) => describingErrors((members) => (isDue() ? { ...members, status: 0 } : members))),
  ),
  fault(
    'errors-at-once-mixed-up',
    'ERR-2',
    'Of two errors at once, both have the `status` of the later one.',
    (steps) => {
      let shared = 0;
      return override('serve', (original) => async (call) => {
        const response = await original(call);
        if (response.status < 400) return response;
        shared = response.status;
        await call.service.pause(8);
        return { ...response, body: textOf(response).replace(/"status":\d+/, `"status":${shared}`) };
      })(steps);
    },
  ),

  fault(
    'filtered-list-sent-to-v2',
    'VERS-1',
    'listPets with a `status` is redirected to /v2.',
    answering(
      'listPets',
      (call) => call.query.has('status'),
      () => redirected(307, '/v2/pets'),
    ),
  ),
  fault(
    'one-in-50-getpets-sent-to-v2',
    'VERS-1',
    'One getPet in 50 is redirected to /v2.',
    onEveryNth(50, (isDue) =>
      changeResponse(where(fetched, isDue), (_, { petId }) => redirected(307, `/v2/pets/${petId}`)),
    ),
  ),

  fault(
    'getpet-brown-outs',
    'VERS-3',
    'To announce the removal, getPet answers one request in 25 with 410.',
    changingEveryNth(25, fetched, () => errorResponse(410)),
  ),
  fault(
    'getpet-sent-to-its-replacement',
    'VERS-3',
    'getPet is redirected to listPets with the `status` of the animal.',
    changeResponse(fetched, (response) =>
      redirected(301, `/v1/pets?status=${/"status":"(\w+)"/.exec(textOf(response))?.[1]}`),
    ),
  ),
  fault(
    'getpet-of-sold-answered-410',
    'VERS-3',
    'getPet is removed for sold animals: it answers 410.',
    changeResponse(
      (response, call) => fetched(response, call) && textOf(response).includes('"status":"sold"'),
      () => errorResponse(410),
    ),
  ),

  fault(
    'get-with-content-type-refused',
    'LIST-5',
    'A GET with the Content-Type application/json is answered with 400, for its empty body.',
    changeResponse(
      (response, call) =>
        isSuccess(response, call) && call.operation !== 'createPet' && call.header('content-type') !== undefined,
      () => errorResponse(400),
    ),
  ),
  fault(
    'post-from-another-origin-answered-403',
    'CREATE-1',
    'A createPet with an Origin is taken for forged and answered with 403.',
    override(
      'createPet',
      (original) => async (call) => (call.header('origin') === undefined ? original(call) : errorResponse(403)),
    ),
  ),
  fault(
    'method-override-of-a-post-obeyed',
    'CREATE-1',
    'A createPet with `X-HTTP-Method-Override: GET` is answered with the list, and nothing is added.',
    (steps) => ({
      ...steps,
      createPet: async (call) =>
        call.header('x-http-method-override') === 'GET' ? steps.listPets(call) : steps.createPet(call),
    }),
  ),
  fault(
    'method-override-of-a-get-obeyed',
    'GET-1',
    'A getPet with `X-HTTP-Method-Override: DELETE` is answered with 405.',
    changeResponse(
      where(fetched, (call) => call.header('x-http-method-override') === 'DELETE'),
      () => errorResponse(405),
    ),
  ),
  fault(
    'prefer-minimal-obeyed',
    'SERV-3',
    '`Prefer: return=minimal` gives a 201 without a body.',
    changeResponse(
      (response, call) => created(response, call) && /return=minimal/.test(call.header('prefer') ?? ''),
      (response) => ({ ...response, body: '' }),
    ),
  ),
  fault(
    'crawler-answered-403',
    'CREATE-1',
    'A crawler, told by its User-Agent, is answered with 403.',
    changeResponse(
      (response, call) => isSuccess(response, call) && /bot/i.test(call.header('user-agent') ?? ''),
      () => errorResponse(403),
    ),
  ),
  fault(
    'b3-header-makes-500',
    'SERV-4',
    'A request with the tracing header `b3` makes the service fail.',
    crashingOn((call) => call.header('b3') !== undefined),
  ),
];
