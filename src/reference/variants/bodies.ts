import { PET_STATUSES } from '../../contract/contract-facts.ts';
import { choosing, combine, override, SPECIFIED, type StepsChange } from '../changes.ts';
import { ApiError, invalidBody, unauthorized, unsupportedMediaType } from '../errors.ts';
import { readJson, readNumber } from '../json.ts';
import type { ApiResponse, Call, Variant } from '../steps.ts';
import { checkingBeforeKey, isJson, keeping, omittedAs, refusing, storing, unknownMembers } from './builders.ts';

/** Parses well-formed bodies once more, in another way. */
const parsing = (parse: (text: string) => unknown) =>
  override('parseBody', (original) => (text, call) => {
    const body = original(text, call);
    try {
      return parse(text);
    } catch {
      return body;
    }
  });

/** Parses bodies with duplicate members, which the plain service refuses. */
const resolvingDuplicates = (resolve: (first: unknown, last: unknown) => unknown) =>
  override('parseBody', (original) => (text, call) => {
    try {
      return readJson(text, { onDuplicateKey: ({ oldValue, newValue }) => resolve(oldValue, newValue) });
    } catch {
      return original(text, call);
    }
  });

/** Accepts integers in some forms only; any other number is as good as a fraction. */
const integersAs = (form: RegExp) =>
  parsing((text) => readJson(text, { parseNumber: (number) => (form.test(number) ? readNumber(number) : Number.NaN) }));

/** Whether a JSON text has an object with the same member twice, whatever the values. */
function hasDuplicates(text: string): boolean {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)|[[\]{}]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (string !== undefined && colon === ':') {
      const name = String(JSON.parse(string));
      if (open.at(-1)?.has(name)) return true;
      open.at(-1)?.add(name);
    }
  }
  return false;
}

/** Decodes bodies that are not UTF-8, or begin with a byte order mark, which the plain service refuses. */
const decoding = (decode: (bytes: Buffer) => string) =>
  override('readBody', () => async (call) => {
    const chunks: Buffer[] = [];
    for await (const chunk of call.incoming) if (chunk instanceof Buffer) chunks.push(chunk);
    if (chunks.length === 0) throw invalidBody('The body is missing.');
    return decode(Buffer.concat(chunks));
  });

const replacingWhatIsNotUtf8 = (bytes: Buffer): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

const LONE_SURROGATE = /\p{Cs}/u;

/** Refuses media types, by what stands before the first semicolon; undefined where there is none. */
const refusingMediaTypes = (status: 400 | 415, refuses: (mediaType: string | undefined) => boolean) =>
  override('checkMediaType', () => (call) => {
    if (!refuses(call.header('content-type')?.split(';')[0]?.trim())) return;
    throw status === 415
      ? unsupportedMediaType('Send the animal as application/json.')
      : new ApiError(400, 'media_type', 'Send the animal as application/json.');
  });

const isJsonType = (mediaType: string | undefined): boolean => mediaType?.toLowerCase() === 'application/json';

/** Answers a key of 8 KiB or more with another status than 401. */
const longKeys = (status: 400 | 413 | 431) =>
  checkingBeforeKey((call) => {
    const key = call.header('authorization')?.replace(/^\S+ +/, '') ?? '';
    if (key.length >= 8192) throw new ApiError(status, 'header_too_large', 'The Authorization header is too long.');
  });

/** Whether a request is one that proxies and HTTP servers refuse by themselves. */
function isStoppedByAGate({ incoming: { url = '', rawHeaders } }: Call): boolean {
  const isMalformed = /%(?![0-9a-f]{2})|%(?:0[0-9a-f]|1[0-9a-f]|7f|ff)/i.test(url.split('?')[0] ?? '');
  const head = rawHeaders.join(': ');
  return isMalformed || rawHeaders.length > 2 * 25 || head.length > 4_000 || /[^\t\x20-\x7e]/.test(head);
}

const GATE_PAGE: ApiResponse = {
  status: 400,
  headers: { 'Content-Type': 'text/html', Server: 'gate/1.0' },
  body: '<h1>Bad Request</h1>',
};

/** How keys must be written, beyond being right. */
const keysWritten = (form: RegExp, message: string) =>
  override('authenticate', (original) => (call) => {
    original(call);
    if (!form.test(call.header('authorization') ?? '')) throw unauthorized(message);
  });

const lengthRequired = (call: Call): void => {
  if (call.operation === 'createPet' && call.header('transfer-encoding') !== undefined) {
    throw new ApiError(411, 'length_required', 'Say how long the body is.');
  }
};

const refusingNames = (refuses: (name: string) => boolean): StepsChange =>
  refusing('name is not acceptable.', (name) => refuses(name));

/** Whether arrays and objects are nested deeper than that, which reading them has shown. */
const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** What is made of the body and the credentials of a request. */
// biome-ignore format: one table
export const bodyVariants: readonly Variant[] = [
  ...choosing('CREATE-14', {
    'duplicates-first-counts': ['Of duplicate members, the first one counts.', resolvingDuplicates((first) => first)],
    'duplicates-refused-even-if-equal': ['Duplicate members are refused, with equal values too, at any depth.',
      override('parseBody', (original) => (text, call) => {
        const body = original(text, call);
        if (hasDuplicates(text)) throw invalidBody('A member stands twice.');
        return body;
      })],
  }),
  ...choosing('CREATE-12', {
    'byte-order-mark-skipped': ['A byte order mark before the body is skipped.',
      override('readBody', (original) => async (call) => (await original(call)).replace(/^\ufeff/, ''))],
    'not-utf8-replaced': ['Bytes that are not UTF-8 become U+FFFD.', decoding(replacingWhatIsNotUtf8)],
    'not-utf8-read-as-latin1': ['A body that is not UTF-8 is read as Latin-1.',
      decoding((bytes) => {
        const text = replacingWhatIsNotUtf8(bytes);
        return Buffer.from(text).equals(bytes) ? text : bytes.toString('latin1');
      })],
    'chunked-bodies-answered-411': ['A body sent in chunks, without a length, is answered with 411.',
      override('createPet', (original) => async (call) => {
        lengthRequired(call);
        return original(call);
      })],
    'strictest-of-all': [
      'Unknown members, ids, unusual integers, unusual names, chunks and media types that are not exact are all refused.',
      combine(
        integersAs(/^(?!-0$)-?\d+$/),
        refusing('The body has a member that is not known.', (_, body) =>
          Object.keys(body).some((name) => !SPECIFIED.includes(name) || name === 'id'),
        ),
        refusingNames((name) => name === '' || name.length > 1000 || /[\p{Cs}\u0000-\u001f]/u.test(name)),
        refusingMediaTypes(415, (mediaType) => mediaType !== 'application/json'),
        override('createPet', (original) => async (call) => {
          lengthRequired(call);
          return original(call);
        }),
        keysWritten(/^Bearer [^ ]/, 'Write the scheme as Bearer.'),
      )],
    'most-lenient-of-all': [
      'Other media types, duplicates, byte order marks and bytes that are not UTF-8 are all taken, and unknown members echoed.',
      combine(override('checkMediaType', () => () => {}), resolvingDuplicates((_, last) => last),
        decoding((bytes) => replacingWhatIsNotUtf8(bytes).replace(/^\ufeff/, '')), keeping(unknownMembers))],
  }),
  ...choosing('RES-10', {
    'names-empty-refused': ['An empty name is refused.', refusingNames((name) => name === '')],
    'names-with-nul-refused': ['A name with a NUL in it is refused.', refusingNames((name) => name.includes('\0'))],
    'names-with-control-characters-refused': ['A name with a control character in it is refused, tab and line end too.',
      refusingNames((name) => /[\u0000-\u001f\u007f]/.test(name))],
    'names-with-c1-controls-refused': ['A name with a control character from U+007F to U+009F in it is refused.',
      refusingNames((name) => /[\u007f-\u009f]/.test(name))],
    'names-over-1000-units-refused': ['A name of more than 1,000 UTF-16 code units is refused.',
      refusingNames((name) => name.length > 1000)],
    'names-over-4000-bytes-refused': ['A name of more than 4,000 bytes is refused.',
      refusingNames((name) => Buffer.byteLength(name) > 4000)],
    'names-with-lone-surrogates-refused': ['A name with a lone surrogate is refused.',
      refusingNames((name) => LONE_SURROGATE.test(name))],
    'names-lose-lone-surrogates': ['A lone surrogate in a name becomes a question mark.',
      storing((pet) => ({ ...pet, name: pet.name.replace(/\p{Cs}/gu, '?') }))],
  }),
  ...choosing('RES-13', {
    'integers-with-exponent-refused': ['An integer may be written `1.0` but not `1e2`.', integersAs(/^-?\d+(\.\d+)?$/)],
    'integers-with-fraction-refused': ['An integer may be written `1e2` but not `1.0`.',
      integersAs(/^-?\d+([eE][+-]?\d+)?$/)],
    'minus-zero-refused': ['`-0` is refused.', integersAs(/^(?!-0$)/)],
  }),
  ...choosing('RES-11', {
    'unknown-members-echoed-once': ['Unknown members come back in the 201 only.',
      combine(keeping(unknownMembers),
        override('store', (original) => ({ extra: _, ...pet }, call) => original(pet, call)))],
    'unknown-members-kept-together': ['Unknown members are kept under a member of their own.',
      keeping((body) => ({ metadata: unknownMembers(body) }))],
    'unknown-members-with-objects-refused': [
      'Unknown members are ignored, but refused if their value is an object or an array.',
      refusing('An unknown member holds other members.', (_, body) =>
        Object.values(unknownMembers(body)).some((value) => typeof value === 'object' && value !== null))],
    'bodies-above-64-kib-answered-413': ['A body of more than 65,536 bytes is answered with 413, whatever is in it.',
      override('readBody', (original) => async (call) => {
        const text = await original(call);
        if (Buffer.byteLength(text) > 65_536) throw new ApiError(413, 'too_large', 'The body is too long.');
        return text;
      })],
    'nesting-above-64-refused': ['A body with arrays or objects more than 64 levels deep is refused.',
      override('parseBody', (original) => (text, call) => {
        const body = original(text, call);
        if (isDeeperThan(64, body)) throw invalidBody('The body is nested too deep.');
        return body;
      })],
  }),
  ...choosing('RES-12', {
    'client-id-kept-as-reference': ['An `id` in the body is kept as `clientReference`.',
      keeping(({ id }) => (isJson(id) ? { clientReference: id } : {}))],
  }),
  ...choosing('CREATE-13', {
    'media-type-missing-answered-400': [
      'A body without a media type is answered with 400, one of another media type with 415.',
      override('checkMediaType', (original) => (call) => {
        if (call.header('content-type') === undefined) throw new ApiError(400, 'media_type', 'Say application/json.');
        original(call);
      })],
    'media-type-other-answered-400': ['A body of another media type is answered with 400; without one it is read.',
      refusingMediaTypes(400, (mediaType) => mediaType !== undefined && !isJsonType(mediaType))],
    'media-type-in-small-letters-only': ['The media type must be written `application/json` in small letters.',
      refusingMediaTypes(415, (mediaType) => mediaType !== 'application/json')],
    'media-type-any-json': ['Any media type with `json` in it is read, others are answered with 415.',
      refusingMediaTypes(415, (mediaType) => mediaType !== undefined && !/json/i.test(mediaType))],
    'media-type-after-body': [
      'The media type is checked after the body, so a malformed one of another media type is answered with 400.',
      combine(
        override('validateNewPet', (original) => (body, call) => {
          const pet = original(body, call);
          if (!isJsonType(call.header('content-type')?.split(';')[0]?.trim())) {
            throw unsupportedMediaType('Send the animal as application/json.');
          }
          return pet;
        }),
        override('checkMediaType', () => () => {}),
      )],
  }),
  ...choosing('STATE-2', {
    'omitted-status-pending': ['An omitted status becomes `pending`.', omittedAs(() => 'pending')],
    'omitted-status-sold': ['An omitted status becomes `sold`.', omittedAs(() => 'sold')],
    'omitted-status-by-name': [
      'What an omitted status becomes depends on the length of the name: any of them, or none.',
      omittedAs(({ name }) => PET_STATUSES[name.length % (PET_STATUSES.length + 1)])],
  }),
  ...choosing('AUTH-9', {
    'missing-body-before-key': ['A request without a body is answered with 400 before the key is checked.',
      checkingBeforeKey((call) => {
        const hasBody = call.header('transfer-encoding') !== undefined || Number(call.header('content-length')) > 0;
        if (call.operation === 'createPet' && !hasBody) throw invalidBody('The body is missing.');
      })],
    'malformed-body-before-key': [
      'A body that is not JSON is answered with 400 before the key is checked, one that is not an animal after it.',
      override('perform', (original) => async (call) => {
        if (call.operation !== 'createPet') return original(call);
        const { steps } = call.service;
        const text = await steps.readBody(call);
        steps.parseBody(text, call);
        return original({ ...call, service: { ...call.service, steps: { ...steps, readBody: async () => text } } });
      })],
  }),
  ...choosing('AUTH-3', {
    'keys-of-8-kb-answered-400': ['A key of 8 KiB or more is answered with 400.', longKeys(400)],
    'keys-of-8-kb-answered-431': ['A key of 8 KiB or more is answered with 431.', longKeys(431)],
  }),
  ...choosing('ERR-3', {
    'answered-by-a-gate': [
      'Malformed percent-encoding, a control character in a path, bytes beyond ASCII in a key, more than 25 headers and more than 4,000 bytes of them are answered with an HTML page.',
      override('serve', (original) => async (call) => (isStoppedByAGate(call) ? GATE_PAGE : original(call)))],
  }),
  ...choosing('AUTH-8', {
    'bearer-with-one-blank-only': ['Exactly one blank must stand between the scheme and the key.',
      keysWritten(/^bearer [^ ]/i, 'Write one blank after the scheme.')],
    'bearer-capitalized-or-small': [
      'The scheme may be written `Bearer` or `bearer`, with one blank after it, and in no other way.',
      keysWritten(/^[Bb]earer [^ ]/, 'Write the scheme as Bearer.')],
  }),
];
