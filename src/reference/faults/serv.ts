import { brotliCompressSync, gzipSync } from 'node:zlib';
import { INT64_MIN } from '../../contract/exact-integer.ts';
import { isObject } from '../../contract/json-pointer.ts';
import {
  breaking,
  breakingLater,
  changeResponse,
  changeText,
  combine,
  errorResponse,
  everyNth,
  everyResponse,
  isError,
  isSuccess,
  onEveryNth,
  override,
  type ResponseFilter,
  responsesWith,
  textOf,
} from '../changes.ts';
import type { NewPet, Pet } from '../collection.ts';
import type { ApiResponse, Call, Fault, Steps } from '../steps.ts';
import {
  authorization,
  badRequest,
  both,
  created,
  decode,
  defects,
  fetched,
  has,
  hasKnownStatus,
  hasLimit,
  hasUnknownStatus,
  heldIn,
  insideStrings,
  isChunked,
  isForJson,
  isGet,
  isJson,
  keyFrom,
  keyOf,
  lacks,
  listed,
  MALFORMED,
  newest,
  notFound,
  oldest,
  on,
  onLimit,
  onStatus,
  rawParameter,
  rawQuery,
  sends,
  sizeOf,
  skipUnknown,
  twice,
  unauthorized,
  urlOf,
  type When,
  wantsHtml,
  where,
} from './conditions.ts';
import {
  answering,
  answeringLists,
  changingEveryNth,
  encoded,
  keeping,
  knowingOthers,
  lateBy,
  leavingOutAdded,
  listingOnly,
  onDuplicates,
  onStored,
  overlapping,
  readingKeylessBodies,
  refusingTexts,
  respondingToGets,
  selecting,
  showing,
  startingWith,
  storing,
} from './effects.ts';

const ofGets: ResponseFilter = (_, call) => isGet(call);

/** Answers some createPets as usual, but does not store their animals. */
const notStoring = (when: When) =>
  override('store', (original) => (pet, call) => {
    if (!when(call)) original(pet, call);
  });

/** Fails as a bug in the service does. */
const crash = (what: string): never => {
  throw new TypeError(what);
};

/** Fails on a body before it is parsed. */
const crashingOnBody = (matches: (text: string) => boolean) =>
  override(
    'parseBody',
    (original) => (text, call) => (matches(text) ? crash('unexpected body') : original(text, call)),
  );

/** Fails on a valid animal. */
const crashingOnPet = (matches: (pet: NewPet, body: unknown) => boolean) =>
  override('validateNewPet', (original) => (body, call) => {
    const pet = original(body, call);
    return matches(pet, body) ? crash('unexpected value') : pet;
  });

const crashingOnName = (matches: RegExp) => crashingOnPet(({ name }) => matches.test(name));

/** Fails on a body after it was parsed. */
const crashingOnParsed = (matches: (body: unknown, text: string, call: Call) => boolean) =>
  override('parseBody', (original) => (text, call) => {
    const body = original(text, call);
    return matches(body, text, call) ? crash('unexpected member') : body;
  });

/** Sends responses with another media type, or with none. */
const labelled = (which: ResponseFilter, mediaType: string | undefined) =>
  changeResponse(which, (response) => {
    const { 'Content-Type': _, ...headers } = response.headers;
    return { ...response, headers: mediaType === undefined ? headers : { ...headers, 'Content-Type': mediaType } };
  });

type Send = (response: ApiResponse, call: Call) => Promise<void> | void;

/** Puts some responses on the wire in another way. */
const sending = (which: ResponseFilter, send: Send) =>
  override(
    'send',
    (original) => (response, call) => (which(response, call) ? send(response, call) : original(response, call)),
  );

/** The same, by the place of a request on its connection, from 1. */
const sendingByPlace =
  (which: (place: number, response: ApiResponse, call: Call) => boolean, send: Send) => (steps: Steps) => {
    const places = new WeakMap<object, number>();
    return sending((response, call) => {
      const { socket } = call.incoming;
      const place = (places.get(socket) ?? 0) + 1;
      places.set(socket, place);
      return which(place, response, call);
    }, send)(steps);
  };

/** Never responds. */
const hang: Send = () => {};

/** Resets the connection without a response. */
const reset: Send = (_, { incoming }) => {
  incoming.socket.resetAndDestroy();
};

/** Sends the headers of a response, and announces a length if one is given. */
const writeHead = ({ status, headers }: ApiResponse, { outgoing }: Call, length?: number) =>
  outgoing.writeHead(status, length === undefined ? headers : { ...headers, 'Content-Length': length });

const lengthOf = ({ body }: ApiResponse): number => Buffer.byteLength(body);

/** Announces the whole body and closes in the middle of it. */
const breakOff: Send = (response, call) => {
  const body = Buffer.from(response.body);
  const half = body.subarray(0, Math.floor(body.length / 2));
  writeHead(response, call, body.length).write(half, () => call.incoming.socket.destroy());
};

/** Writes the bytes of a response by hand and closes. */
function raw(statusLine: string, response: ApiResponse, framing: string, call: Call, text = textOf(response)): void {
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
  call.incoming.socket.end([statusLine, ...headers, framing, '', text].join('\r\n'));
}

const withoutStrings = (text: string): string => insideStrings(text, () => '""');

/** How many brackets and braces are never closed. */
const unclosedIn = (text: string): number =>
  withoutStrings(text).replace(/[^[{]/g, '').length - withoutStrings(text).replace(/[^\]}]/g, '').length;

const crashingOnMediaType = (form: RegExp, when: When = () => true) =>
  override(
    'checkMediaType',
    (original) => (call) => (both(sends('content-type', form), when)(call) ? crash('media type') : original(call)),
  );

const failingOn = (when: When) => answeringLists(when, errorResponse(500));

/** Fails on some requests before anything is read of them. */
const crashingOn = (matches: (call: Call) => boolean) =>
  override('authenticate', (original) => (call) => (matches(call) ? crash('unexpected request') : original(call)));

/** Fails on some ids, with a valid key. */
const crashingOnId = (matches: (petId: string, call: Call) => boolean) =>
  override(
    'readPetId',
    (original) => (call) => (matches(call.petId ?? '', call) ? crash('unexpected id') : original(call)),
  );

const withBody = (which: ResponseFilter, change: (body: Buffer, call: Call) => Buffer) =>
  changeResponse(which, (response, call) => ({ ...response, body: change(Buffer.from(response.body), call) }));

const wantsLatin1 = sends('accept-charset', /iso-8859-1/i);

/** Sends some responses in ISO-8859-1, where all of their text fits into it. */
const inLatin1 = (which: ResponseFilter) =>
  encoded(
    (response, call) => which(response, call) && !/[^\0-\u00ff]/.test(textOf(response)),
    (text) => Buffer.from(text, 'latin1'),
  );

/** Compresses some responses, and labels them. */
const compressed = (which: ResponseFilter, coding: string, compress: (body: Buffer) => Buffer) =>
  changeResponse(which, (response) => ({
    ...response,
    headers: { ...response.headers, 'Content-Encoding': coding },
    body: compress(Buffer.from(response.body)),
  }));

/** CESU-8, which is not UTF-8: a character beyond U+FFFF as two surrogates of three bytes each. */
function surrogatesApart(text: string): Buffer {
  const bytes = Array.from(text, (character) => {
    if (character.length === 1) return Buffer.from(character);
    const units = [character.charCodeAt(0), character.charCodeAt(1)];
    return Buffer.from(
      units.flatMap((unit) => [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]),
    );
  });
  return Buffer.concat(bytes);
}

/** Closes the connection without a response. */
const hangUp: Send = (_, { incoming }) => {
  incoming.socket.end();
};

/** Closes before the last chunk. */
const breakOffChunks: Send = (response, call) => {
  writeHead(response, call).write(response.body, () => call.incoming.socket.destroy());
};

/** Sends all but the last chunk. */
const withoutLastChunk: Send = (response, call) => {
  writeHead(response, call).write(response.body);
};

/** Announces more bytes than it sends, and waits. */
const announceMore: Send = (response, call) => {
  writeHead(response, call, lengthOf(response) + 10).write(response.body);
};

/** Announces fewer bytes than it sends; the rest would be the beginning of the next response. */
const announceLess: Send = (response, call) =>
  raw('HTTP/1.1 200 OK', response, `Content-Length: ${lengthOf(response) - 5}`, call);

/** Sends one byte a second. */
const drip: Send = async (response, call) => {
  writeHead(response, call, lengthOf(response));
  for (const byte of Buffer.from(response.body)) {
    if (call.outgoing.destroyed) return;
    call.outgoing.write(Buffer.of(byte));
    await call.service.pause(1000);
  }
  call.outgoing.end();
};

/** Sends endless white space after the JSON. */
const flood: Send = async (response, call) => {
  const blank = Buffer.alloc(16 * 1024, ' ');
  writeHead(response, call).write(response.body);
  while (!call.outgoing.destroyed) {
    call.outgoing.write(blank);
    await call.service.pause(2);
  }
};

/** General rules for every operation (part 1). */
// biome-ignore format: one table
export const serviceFaults: readonly Fault[] = [
  ...breaking('SERV-1', {
    'every-12th-added-not-listed': ['Every 12th animal that is added is in no list, though getPet finds it.',
      leavingOutAdded(() => everyNth(12))],
    'names-like-those-of-tests-not-listed': [
      'Animals whose names begin with "test", in any letter case, are taken for test data and are in no list.',
      listingOnly(({ name }) => !/^test/i.test(name))],
    'equal-animals-listed-once': [
      'Of several animals with the same name, category and status, a list shows only the newest, as if by `DISTINCT`.',
      selecting((pets) => {
        const keys = pets.map(({ name, categoryId, status }) => `${categoryId} ${status} ${name}`);
        return pets.filter((_, at) => keys.indexOf(keys[at] ?? '') === at);
      })],
    'names-that-differ-by-case-listed-once': [
      'Of animals whose names differ by letter case only, a list shows only the newest.',
      selecting((pets) => {
        const spelled = new Map(pets.toReversed().map(({ name }) => [name.toLowerCase(), name]));
        return pets.filter(({ name }) => spelled.get(name.toLowerCase()) === name);
      })],
    'added-at-once-listed-once': ['Of animals that are added at the same moment, only one gets into the lists.',
      (steps) => {
        let underWay = 0;
        const late = new WeakSet<object>();
        return combine(
          override('createPet', (original) => async (call) => {
            if (underWay > 0) late.add(call.incoming);
            underWay += 1;
            await call.service.pause(2);
            return original(call).finally(() => {
              underWay -= 1;
            });
          }),
          leavingOutAdded(() => (_, { incoming }) => late.has(incoming)),
        )(steps);
      }],
    'list-as-the-connection-first-saw-it': [
      'On each connection, lists hold only the animals that were there at the first list on it.',
      (steps) => {
        const seen = new WeakMap<object, ReadonlySet<bigint>>();
        return listingOnly(({ id }, { incoming: { socket }, service }) => {
          const first = seen.get(socket) ?? new Set(service.collection.oldestFirst(undefined).map((pet) => pet.id));
          seen.set(socket, first);
          return first.has(id);
        })(steps);
      }],
    'page-kept-by-its-url': [
      'A page is kept for ten minutes by the letters of its URL, so that only a URL never used before shows new animals.',
      keeping(600_000, urlOf)],
    'newest-left-out-of-some-pages': [
      'A page with a `limit` from 30 to 99 leaves out the newest animal, until another is added.',
      showing((pets, { limit }, { service }) =>
        limit < 30 || limit > 99 ? pets : pets.filter((pet) => pet !== newest(service)))],
    'others-unlisted-once-one-was-added': [
      'Once an animal was added, animals that were there at the start are in no list, though getPet finds them.',
      knowingOthers((isOther) =>
        listingOnly((pet, { service }) => !isOther(pet) || service.collection.oldestFirst(undefined).every(isOther)))],
    'page-that-is-just-full-loses-its-last': [
      'Where just as many animals match as `limit` says, the page lacks its last: it is taken for the one beyond the page.',
      showing((pets, { limit, status }, { service }) =>
        limit > 1 && sizeOf(service, status) === limit ? pets.slice(0, -1) : pets)],
    'first-animal-of-all-never-listed': [
      'No list shows the animal that was there first: its cursor begins behind it. getPet finds it.',
      knowingOthers((isOther) => listingOnly((pet, { service }) => !isOther(pet) || oldest(service) !== pet))],
    'old-animals-listed-by-status-alone': [
      'A list without `status` leaves out an animal that was there at the start; filtered lists show it.',
      knowingOthers((isOther) =>
        showing((pets, { status }, { service }) => {
          const left = service.collection.oldestFirst(undefined).find(isOther);
          return status === undefined ? pets.filter((pet) => pet !== left) : pets;
        }),
      )],
    'one-of-two-added-at-once-lost': ['Of animals added at the same moment, all but the last are lost.',
      overlapping(on('createPet'), (underWay) => notStoring(() => underWay() !== 1))],
    'oldest-dropped-after-90': ['Each animal beyond the 90th that is added drops the first one that was.',
      (steps) => {
        const kept: bigint[] = [];
        return onStored(({ id }, { service }) => {
          const first = kept.push(id) > 90 ? kept.shift() : undefined;
          if (first !== undefined) service.collection.remove(first);
        })(steps);
      }],
    'chunked-animal-not-kept': ['An animal whose body is sent in chunks is answered with 201 but not stored.',
      notStoring(isChunked)],
    'one-in-50-animals-not-kept': ['One animal in 50 is answered with 201 but not stored.',
      onEveryNth(50, (isDue) => notStoring(isDue))],
    'created-not-kept': ['An animal is answered with 201 but not stored.', notStoring(() => true)],
    'adding-renames-the-one-before': ['Adding an animal gives its name to the one added before it.',
      (steps) => {
        let before: Pet | undefined;
        return override('store', (original) => (pet, call) => {
          if (before !== undefined) call.service.collection.add({ ...before, name: pet.name });
          before = pet;
          original(pet, call);
        })(steps);
      }],
  }),
  ...breakingLater('SERV-1', 3_000, {
    'sold-unlisted-after-1500-ms': ['A sold animal is in no list from 1.5 s after it was added; getPet finds it.',
      (steps) => {
        const left = new Set<bigint>();
        return combine(
          onStored(({ id, status }, { service: { pause } }) => {
            if (status === 'sold') void pause(1500).then(() => left.add(id));
          }),
          listingOnly(({ id }) => !left.has(id)),
        )(steps);
      }],
  }),
  ...breaking('SERV-2', {
    'created-without-accept-as-text': ['A 201 is sent as text/plain when the request has no Accept header.',
      labelled(where(created, lacks('accept')), 'text/plain')],
    'browser-gets-text-html': ['When a request accepts HTML, the JSON of an animal is sent as text/html.',
      labelled(where(fetched, wantsHtml), 'text/html; charset=utf-8')],
    'list-in-xml-where-preferred': ['Where XML is preferred, a list is sent as XML.',
      changeResponse(where(listed, sends('accept', /^application\/xml/)), (response) => ({
        ...response,
        headers: { ...response.headers, 'Content-Type': 'application/xml' },
        body: '<pets/>',
      }))],
    'list-for-a-browser-as-html': ['When a request accepts HTML, a list is put on a page of HTML.',
      changeResponse(where(listed, wantsHtml), (response) => ({
        ...response,
        headers: { ...response.headers, 'Content-Type': 'text/html' },
        body: `<pre>${textOf(response)}</pre>`,
      }))],
    'long-list-as-ndjson': ['A list of more than 50 animals is labelled application/x-ndjson.',
      labelled((response, call) =>
        listed(response, call) && textOf(response).split('"categoryId"').length > 51, 'application/x-ndjson')],
    '404-with-two-media-types': [
      'The media type of a 404 stands twice in its header: application/json, application/json.',
      labelled(notFound, 'application/json, application/json')],
    'lists-as-text-late': ['From the 400th request on lists are sent as text/plain.',
      lateBy(400, (isLate) => labelled(where(listed, isLate), 'text/plain'))],
    'one-in-100-getpets-without-media-type': ['One animal in 100 that is fetched has no Content-Type.',
      onEveryNth(100, (isDue) => labelled(where(fetched, isDue), undefined))],
    'errors-as-problem-json': ['Errors are sent as application/problem+json.',
      labelled(isError, 'application/problem+json')],
    '401-without-media-type': ['A 401 has no Content-Type.', labelled(responsesWith(401), undefined)],
    'one-in-40-as-text-plain': ['One response in 40 is sent as text/plain.',
      onEveryNth(40, (isDue) => labelled(where(isSuccess, isDue), 'text/plain'))],
  }),
  ...breaking('SERV-3', {
    'overflow-in-unknown-members-echoed-as-infinity': [
      'Unknown members come back, and a number beyond every double as Infinity; one of over 1,000 digits is refused.',
      combine(
        refusingTexts((text) => /\d{1001}/.test(text)),
        storing((pet, body) => {
          const overflown = Object.entries(Object(body)).filter(([, value]) => value === Number.POSITIVE_INFINITY);
          return { ...pet, extra: Object.fromEntries(overflown.map(([name]) => [name, '\u221e'])) };
        }),
        override('writeJson', (original) => (value, call) => original(value, call).replaceAll('"\u221e"', 'Infinity')),
      )],
    'animal-in-latin-1-where-it-fits': ['An animal whose text fits into ISO-8859-1 is sent in that, unlabelled.',
      inLatin1((response, call) => created(response, call) || fetched(response, call))],
    'page-in-latin-1-where-it-fits': ['A page whose whole text fits into ISO-8859-1 is sent in that, unlabelled.',
      inLatin1(listed)],
    'page-of-sold-in-latin-1-where-it-fits': [
      'A page of sold animals whose whole text fits into ISO-8859-1 is sent in that, unlabelled.',
      inLatin1(where(listed, onStatus(/^sold$/)))],
    'short-page-in-latin-1-where-it-fits': [
      'A page of at most three animals whose text fits into ISO-8859-1 is sent in that, unlabelled.',
      inLatin1((response, call) => listed(response, call) && textOf(response).split('"categoryId"').length <= 4)],
    'long-page-in-latin-1-where-it-fits': [
      'A page of more than 20 animals whose text fits into ISO-8859-1 is sent in that, unlabelled.',
      inLatin1((response, call) => listed(response, call) && textOf(response).split('"categoryId"').length > 21)],
    'charset-of-accept-charset-used': ['Where Accept-Charset asks for ISO-8859-1, a list is sent in that, and labelled so.',
      combine(encoded(where(listed, wantsLatin1), (text) => Buffer.from(text, 'latin1')),
        labelled(where(listed, wantsLatin1), 'application/json; charset=iso-8859-1'))],
    'length-counted-in-characters': [
      'The length of an animal is announced in characters, so a body beyond ASCII is cut there.',
      withBody(fetched, (body) => body.subarray(0, body.toString('utf8').length))],
    'control-characters-escaped-as-in-c': [
      'A 201 writes U+0007 as `\\a` and U+000B as `\\v`, escapes that C has and JSON has not.',
      changeText(created, (text) => text.replace(/\\u0007/g, '\\a').replace(/\\u000b/gi, '\\v'))],
    'control-characters-unescaped': ['Lists hold tabs and line ends within strings as they are, without an escape.',
      changeText(listed, (text) =>
        text.replaceAll(/(?<!\\)((?:\\\\)*)\\([tnr])/g, (_, before: string, letter: string) =>
        before + { t: '\t', n: '\n', r: '\r' }[letter]))],
    'two-bodies-in-400': ['A 400 has the Error twice, one after the other.',
      changeText(badRequest, (text) => text + text)],
    'browser-list-with-guard': ["When a request has an Origin header, a list begins with `)]}',` to keep scripts out.",
      changeText(where(listed, sends('origin')), (text) => `)]}',\n${text}`)],
    '404-in-utf-16': ['A 404 is sent in UTF-16, and labelled so.',
      combine(encoded(notFound, (text) => Buffer.from(text, 'utf16le')),
        labelled(notFound, 'application/json; charset=utf-16le'))],
    'brotli-instead-of-gzip': ['A request that accepts gzip but not br gets an animal in br.',
      compressed(where(fetched, sends('accept-encoding', /^(?!.*(?:\bbr\b|\*)).*gzip/)), 'br', brotliCompressSync)],
    'coded-page-given-to-all': [
      'For a second after a list was sent with gzip, every request for the same URL gets it with gzip.',
      (steps) => {
        const codedAt = new Map<string, number>();
        const isCoded: When = (call) => {
          if (sends('accept-encoding', /gzip/)(call)) codedAt.set(urlOf(call), performance.now());
          return performance.now() - (codedAt.get(urlOf(call)) ?? -1000) < 1000;
        };
        return compressed(where(listed, isCoded), 'gzip', gzipSync)(steps);
      }],
    'gzip-cut': ['To a request that accepts gzip, a list is sent without the last bytes of its compressed stream.',
      compressed(where(listed, sends('accept-encoding', /gzip/)), 'gzip', (body) => gzipSync(body).subarray(0, -10))],
    'gzip-unlabelled': ['To a request that accepts gzip, an animal is sent compressed without saying so.',
      withBody(where(fetched, sends('accept-encoding', /gzip/)), (body) => gzipSync(body))],
    'bodies-at-once-cut': ['Of several responses at once, one is cut to the length of the one before it.',
      (steps) => {
        let before = 0;
        return overlapping(() => true, (underWay) => withBody(isSuccess, (body) => {
          const length = underWay() > 1 ? before : body.length;
          before = body.length;
          return body.subarray(0, length);
        }))(steps);
      }],
    'quotes-of-an-id-unescaped-in-the-error': ['The message of a 404 repeats the id with quotes as it is.',
      changeResponse(notFound, (response, call) => {
        const text = decode(call.petId ?? '') ?? '';
        if (!text.includes('"')) return response;
        return {
          ...response,
          body: `{"code":"not_found","message":"no animal ${text.replaceAll('\\', '')}","status":404}`,
        };
      })],
    'error-says-status-twice': ['The 404 has the member `status` twice, first with 0.',
      changeText(notFound, (text) => text.replace(/^\{/, '{"status":0,'))],
    'prefer-minimal-obeyed': ['`Prefer: return=minimal` gives a 201 without a body.',
      changeResponse(where(created, sends('prefer', /return=minimal/)), (response) => ({ ...response, body: '' }))],
    'quotes-in-names-unescaped': ['Quotes in names are not escaped.',
      changeText(isSuccess, (text) => text.replace(/(?<!\\)((?:\\\\)*)\\"/g, '$1"'))],
    'json-after-byte-order-mark': ['Every body begins with a byte order mark.',
      changeText(everyResponse, (text) => `\ufeff${text}`)],
    'list-cut-where-the-connection-closes': [
      'A list is cut off after 2,000 bytes where the request asks for the connection to be closed.',
      changeText(where(listed, sends('connection', /^close$/)), (text) => text.slice(0, 2000))],
    'surrogates-encoded-apart': ['Characters beyond U+FFFF are sent as two surrogates of three bytes each.',
      encoded(isSuccess, surrogatesApart)],
    'length-too-small': ['getPet announces five bytes fewer than it sends.', sending(fetched, announceLess)],
    'one-in-40-json-cut': ['One body in 40 lacks its last character.',
      changingEveryNth(40, isSuccess, (response) => ({ ...response, body: textOf(response).slice(0, -1) }))],
  }),
  ...breaking('SERV-4', {
    'digits-that-are-no-numbers-make-500': [
      'A `limit` or an id with a superscript digit, which is a digit but no number, makes the service fail.',
      crashingOn((call) => /%c2%b[239]/i.test(urlOf(call)))],
    'key-as-long-beyond-ascii-makes-500': [
      'A key with as many characters as the right one, of which one is beyond ASCII, makes the service fail.',
      crashingOn((call) => keyOf(call).length === call.service.token.length && /[\u0080-\u00ff]/.test(keyOf(call)))],
    'keyless-malformed-body-makes-500': ['A body that is not JSON makes the service fail where there is no key.',
      readingKeylessBodies((body) => { if (body === undefined) crash('unexpected body'); })],
    'null-body-makes-500': ['A body of null makes the service fail.', crashingOnParsed((body) => body === null)],
    'two-defects-make-500': ['A body with two defects at once makes the service fail.',
      crashingOnParsed((body) => defects(body) > 1)],
    'empty-member-name-makes-500': ['A member whose name is empty makes the service fail.',
      crashingOnParsed((body) => has(body, ''))],
    'thousand-members-make-500': ['A body with more than 999 members makes the service fail.',
      crashingOnParsed((body) => isObject(body) && Object.keys(body).length > 999)],
    'body-of-a-megabyte-makes-500': ['A body of more than 1,000,000 bytes makes the service fail.',
      crashingOnParsed((_, text) => Buffer.byteLength(text) > 1_000_000)],
    'deep-array-for-a-string-makes-500': [
      'A `name` that is an array more than 5,000 levels deep makes the service fail, which quotes it in its answer.',
      crashingOnBody((text) => /"name"\s*:\s*\[{5001}/.test(text))],
    'long-string-for-a-number-makes-500': [
      'A `categoryId` that is a string of more than 65,535 characters makes the service fail.',
      crashingOnParsed((body) => (heldIn(body, 'categoryId') ?? '').length > 65_535)],
    'unclosed-nesting-makes-500': ['More than 5,000 brackets that are never closed make the service fail.',
      crashingOnBody((text) => unclosedIn(text) > 5000)],
    'thousands-of-digits-make-500': ['A number of more than 4,300 digits makes the service fail.',
      crashingOnBody((text) => /\d{4301}/.test(withoutStrings(text)))],
    'lone-surrogate-escape-makes-500': ['An escape of half a surrogate pair makes the service fail.',
      crashingOnBody((text) => /(?<!\\)(?:\\\\)*\\ud[89ab][\da-f]{2}(?!\\ud[c-f])/i.test(text))],
    'lone-surrogate-stored-breaks-lists': [
      'A name with half a surrogate pair is stored and then answered with 500; no list is answered from then on.',
      (steps) => {
        let isBroken = false;
        return combine(
          onStored(({ name }) => {
            if (!/\p{Cs}/u.test(name)) return;
            isBroken = true;
            crash('unpaired surrogate');
          }),
          answeringLists(() => isBroken, errorResponse(500)),
        )(steps);
      }],
    'malformed-unknown-member-makes-500': [
      'Malformed JSON in a member that a NewPet does not have makes the service fail, as it is only read when stored.',
      crashingOnBody((text) => !isJson(text) && isJson(skipUnknown(text)))],
    'duplicate-member-makes-500': [
      'A body in which a member stands twice, with different values, makes the service fail.',
      onDuplicates(() => crash('duplicate member'))],
    'malformed-chunked-body-makes-500': ['A malformed body that is sent in chunks makes the service fail.',
      override('parseBody', (original) => (text, call) =>
        (isChunked(call) && !isJson(text) ? crash('no length') : original(text, call)))],
    'malformed-of-other-media-type-makes-500': ['A malformed body of another media type makes the service fail.',
      override('createPet', (original) => async (call) => {
        const { steps } = call.service;
        const isOther = call.header('content-type') !== undefined && !isForJson(call);
        if (isOther && !isJson(await steps.readBody(call).catch(() => ''))) return crash('no reader');
        return original(call);
      })],
    'no-body-as-multipart-without-boundary-makes-500': [
      'A form in parts without a boundary makes the service fail, where there is no body.',
      crashingOnMediaType(/^multipart\/form-data$/,
        both(lacks('transfer-encoding'), (call) => !Number(call.header('content-length') ?? 0)))],
    'form-in-an-unknown-charset-makes-500': ['A form in a charset that nobody knows makes the service fail.',
      crashingOnMediaType(/urlencoded.*charset=(?!"?utf-?8)/i)],
    'petid-like-builtin-makes-500': [
      'A petId that every object knows, such as "constructor" or "toString", makes the service fail.',
      crashingOnId((id) => id in {})],
    'id-least-int32-makes-500': [
      'The least int32 as an id, of which there is no positive counterpart, makes the service fail.',
      crashingOnId((id) => id === '-2147483648')],
    'empty-collection-makes-500': [
      'A `limit` makes the service fail while there is no animal at all; the store starts empty.',
      combine(startingWith(0),
        answeringLists((call) => hasLimit(call) && sizeOf(call.service) === 0, errorResponse(500)))],
    'list-above-8-kib-answered-502': ['A list of more than 8 KiB is answered with 502.',
      answering(502, (response, call) => listed(response, call) && Buffer.byteLength(response.body) > 8192)],
    'list-after-a-refused-body-makes-500': [
      'The first list on the same connection after a refused body makes the service fail, as in an aborted transaction.',
      (steps) => {
        const aborted = new WeakSet<object>();
        return combine(
          override('createPet', (original) => async (call) => {
            aborted.add(call.incoming.socket);
            const response = await original(call);
            aborted.delete(call.incoming.socket);
            return response;
          }),
          answeringLists(({ incoming }) => aborted.delete(incoming.socket), errorResponse(500)),
        )(steps);
      }],
    'limit-twice-makes-500': ['A `limit` that is given twice makes the service fail.', failingOn(twice('limit'))],
    'status-line-end-makes-500': [
      'The status filter is written to a header, so a line end in it makes the service fail.',
      failingOn(onStatus(/[\r\n]/))],
    'status-prototype-makes-500': ['The status filter `__proto__` makes the service fail.',
      failingOn(onStatus(/^__proto__$/))],
    'malformed-percent-makes-500': ['Malformed percent-encoding in the status filter (`%ZZ`) makes the service fail.',
      failingOn(rawParameter('status', MALFORMED))],
    'percent-not-utf8-makes-500': ['Percent-encoded bytes that are not UTF-8 (`%FF`) in a query make the service fail.',
      failingOn((call) => rawQuery(call).some(([, value]) => !MALFORMED.test(value) && decode(value) === undefined))],
    'two-invalid-parameters-make-500': [
      'A `limit` out of range together with a status outside the enumeration makes the service fail.',
      failingOn(both(onLimit(/^(?!(?:[1-9]\d?|100)$)/), hasUnknownStatus))],
    'limit-least-integer-makes-500': [
      'The least int32 or int64 as the `limit`, of which there is no positive counterpart, makes the service fail.',
      failingOn(onLimit(/^(?:-2147483648|-9223372036854775808)$/))],
    'limit-above-int32-beside-status-makes-500': [
      'A `limit` that does not fit into 32 bits makes the service fail where a status is given, too.',
      failingOn(both(onLimit(/^(?:2147483648|[3-9]\d{9}|[1-9]\d{10,})$/), hasKnownStatus))],
    'limit-greatest-uint32-makes-500': ['The `limit` 4294967295 makes the service fail.',
      failingOn(onLimit(/^4294967295$/))],
    'browser-accept-makes-500': ['An Error for a request that accepts HTML fails, because its template is missing.',
      answering(500, where(isError, wantsHtml))],
    'key-of-8000-makes-502': ['A key of 8,000 characters or more is answered with 502 by the proxy in front.',
      answering(502, where(everyResponse, keyFrom(8000)))],
    'basic-not-base64-makes-500': [
      'The scheme Basic with something after it that is not a user and a password in Base64 makes the service fail.',
      crashingOn((call) => {
        const given = /^basic +(.*)$/i.exec(authorization(call))?.[1];
        return given !== undefined && !Buffer.from(given, 'base64').toString('utf8').includes(':');
      })],
    'seven-at-once-make-503': [
      'There are six connections to the database: of more requests at once, some are answered with 503.',
      overlapping(() => true, (underWay) => answering(503, () => underWay() > 6))],
    'one-in-100-fetches-answers-500': ['One animal in 100 that is fetched is answered with 500.',
      changingEveryNth(100, fetched, () => errorResponse(500))],
    'refusals-late-make-500': ['After 40 refused keys each further one is answered with 500.',
      (steps) => {
        let refusals = 0;
        return answering(500, where(unauthorized, () => {
          refusals += 1;
          return refusals > 40;
        }))(steps);
      }],
    'petid-above-240-characters-makes-500': [
      'A petId of more than 240 characters is too long for a key of the cache and makes the service fail.',
      crashingOnId((id) => id.length > 240)],
    'limit-of-1000-digits-makes-500': ['A limit of 1,000 digits or more makes the service fail.',
      failingOn(onLimit(/^\d{1000,}$/))],
    'id-malformed-encoding-makes-500': [
      'A percent sign in an id without two hexadecimal digits after it makes the service fail.',
      crashingOnId((_, { incoming }) => /%(?![\da-f]{2})/i.test(incoming.url ?? ''))],
    'id-not-a-number-makes-500': [
      'The words `NaN` and `Infinity` and numbers of more than 308 digits as the id make the service fail.',
      crashingOnId((id) => /^-?(nan|infinity|\d{309,})$/i.test(id))],
    'b3-header-makes-500': ['A request with the tracing header `b3` makes the service fail.', crashingOn(sends('b3'))],
    'omitted-status-answered-500': ['A body without a status makes the service fail.',
      crashingOnPet((_, body) => !has(body, 'status'))],
    'not-utf8-makes-500': ['A body that is not UTF-8 makes the service fail.',
      override('readBody', (original) => (call) => original(call).catch((error: unknown) => {
        if (error instanceof Error && error.message.includes('UTF-8')) crash('not UTF-8');
        throw error;
      }))],
    'mislabelled-coding-makes-500': ['A body that is not coded as its Content-Encoding says makes the service fail.',
      override('checkMediaType', (original) => (call) =>
        (sends('content-encoding', /gzip|deflate|br/)(call) ? crash('incorrect header check') : original(call)))],
    'two-creations-at-once-make-503': ['Of two animals added at the same time, one is answered with 503.',
      (steps) => {
        let underWay = 0;
        return override('createPet', (original) => async (call) => {
          if (underWay > 0) return errorResponse(503);
          underWay += 1;
          await call.service.pause(2);
          return original(call).finally(() => {
              underWay -= 1;
            });
        })(steps);
      }],
    'one-in-20-creations-answers-500': ['One creation in 20 is answered with 500, though the animal is added.',
      changingEveryNth(20, created, () => errorResponse(500))],
    'gets-answered-500': ['Every GET is answered with 500.', respondingToGets(() => errorResponse(500))],
    'backslash-at-end-of-name-makes-500': ['A backslash at the end of a name makes the service fail.',
      crashingOnName(/\\$/)],
    'builtin-name-makes-500': ['The names `__proto__`, `constructor` and `hasOwnProperty` make the service fail.',
      crashingOnName(/^(?:__proto__|constructor|hasOwnProperty|prototype|toString)$/)],
    'name-above-2704-bytes-makes-500': [
      'A name of more than 2,704 bytes is too large for the index and makes the service fail.',
      crashingOnPet(({ name }) => Buffer.byteLength(name) > 2704)],
    'category-minimum-makes-500': [
      'The smallest int64 as `categoryId` makes the service fail, as it has no absolute value.',
      crashingOnPet(({ categoryId }) => categoryId === INT64_MIN)],
  }),
  ...breaking('SERV-5', {
    '60th-request-on-connection-hangs': ['The 60th request on a connection is never answered.',
      sendingByPlace((place) => place === 60, hang)],
    'reused-connection-hangs-up': [
      'Every request on a connection but the first one closes it without a response.',
      sendingByPlace((place) => place > 1, hangUp)],
    'getpet-on-reused-connection-hangs-up': [
      'getPet closes the connection without a response, unless its request is the first one there.',
      sendingByPlace((place, response, call) => place > 1 && fetched(response, call), hangUp)],
    'two-creations-at-once-hang': ['When two animals are added at the same moment, neither createPet is ever answered.',
      (steps) => {
        let first: Call | undefined;
        const locked = new WeakSet<Call>();
        return override('createPet', (original) => async (call) => {
          if (first === undefined) first = call;
          else {
            locked.add(first).add(call);
            first = undefined;
          }
          await call.service.pause(2);
          if (locked.has(call)) return new Promise<never>(() => {});
          first = undefined;
          return original(call);
        })(steps);
      }],
    'chunked-body-hangs': ['A body in chunks is waited for without end.',
      sending((_, call) => call.operation === 'createPet' && isChunked(call), hang)],
    'request-after-refused-body-hangs': [
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
      }],
    'very-long-key-resets': ['A key of 2,048 characters or more resets the connection.',
      sending(where(everyResponse, keyFrom(2048)), reset)],
    'long-list-without-last-chunk': ['A list of more than 4,000 bytes is sent in chunks, of which the last is missing.',
      sending((response, call) => listed(response, call) && lengthOf(response) > 4000, withoutLastChunk)],
    'one-in-100-resets': ['One request in 100 resets the connection.',
      onEveryNth(100, (isDue) => sending(isDue, reset))],
    'one-in-100-fetches-resets': ['One animal in 100 that is fetched resets the connection.',
      onEveryNth(100, (isDue) => sending(where(fetched, isDue), reset))],
    'gets-hang': ['No GET is ever answered.', sending(ofGets, hang)],
    'gets-reset': ['The connection of every GET is reset.', sending(ofGets, reset)],
    'getpet-hangs-up': ['getPet closes the connection without a response.', sending(fetched, hangUp)],
    'list-broken-off': ['The connection is closed in the middle of a list.', sending(listed, breakOff)],
    'list-of-limit-1-broken-off': ['The connection is closed in the middle of a list with `limit=1`.',
      sending(where(listed, onLimit(/^1$/)), breakOff)],
    'chunks-broken-off': ['The last chunk of a list is missing.', sending(listed, breakOffChunks)],
    'length-too-large': ['getPet announces ten more bytes than it sends.', sending(fetched, announceMore)],
    'list-drips': ['A list is sent one byte a second.', sending(listed, drip)],
    'list-without-end': ['A list is followed by endless white space.', sending(listed, flood)],
    'status-line-garbage': ['A list begins with an invalid status line.',
      sending(listed, (response, call) => raw('PETS 1.0 OK', response, `Content-Length: ${lengthOf(response)}`, call))],
    'headers-only': ['After the headers of a list nothing is sent.',
      sending(listed, (response, call) => { writeHead(response, call, lengthOf(response)).flushHeaders(); })],
    'chunk-size-garbage': ['A chunk size is not a number.',
      sending(listed, (response, call) =>
        raw('HTTP/1.1 200 OK', response, 'Transfer-Encoding: chunked', call,
        `size\r\n${textOf(response)}\r\n0\r\n\r\n`))],
    'one-in-50-hangs': ['One request in 50 is never answered.',
      onEveryNth(50, (isDue) => sending(where(isSuccess, isDue), hang))],
  }),
];
