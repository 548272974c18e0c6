import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { isInt64 } from '../../contract/exact-integer.ts';
import { choosing, combine, errorResponse, override } from '../changes.ts';
import { isPetStatus, type NewPet } from '../collection.ts';
import { ApiError, invalidBody, unsupportedMediaType } from '../errors.ts';
import { isJson } from '../faults/conditions.ts';
import type { ApiResponse, Call, Variant } from '../steps.ts';
import { answeringBefore, asPage, withoutBody } from './builders.ts';

const isAdding = (call: Call): boolean => call.operation === 'createPet';

const hasOrigin = (call: Call): boolean => call.header('origin') !== undefined;

/** Whether a request accepts none of these media types. */
export const acceptsNone =
  (...types: readonly string[]) =>
  (call: Call): boolean => {
    const accepted = call
      .header('accept')
      ?.split(',')
      .map((range) => range.split(';')[0]?.trim().toLowerCase());
    return accepted?.some((range) => types.includes(range ?? '')) === false;
  };

const acceptsNoJson = acceptsNone('application/json', 'application/*', '*/*');

/** The path as it was sent, below that of all animals. */
const idAsSent = ({ incoming: { url = '' } }: Call): string => /^\/v1\/pets\/([^?]*)/.exec(url)?.[1] ?? '';

const inPath =
  (form: RegExp) =>
  (call: Call): boolean =>
    form.test(idAsSent(call));

/** Whether the last segments of a path are read as steps within it. */
const hasDotSegment = (call: Call): boolean => /(?:^|%2f)(?:\.|%2e){1,2}(?:%2f|$)/i.test(idAsSent(call));

const MOST_BYTES = 65_536;

/** Answers large bodies before they are looked at, read to their end. */
const tooLarge = (answer: (status: number) => ApiResponse) =>
  override('serve', (original) => async (call) => {
    if (!isAdding(call)) return original(call);
    const bytes = await bytesOf(call);
    return bytes.length > MOST_BYTES ? answer(413) : original(rereading(call, bytes));
  });

const isChunked = (call: Call): boolean => isAdding(call) && call.header('transfer-encoding') !== undefined;

async function bytesOf({ incoming }: Call): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (chunk instanceof Buffer) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same call, whose body is made of these bytes. */
const rereading = (call: Call, bytes: Buffer): Call => {
  const incoming = Object.create(call.incoming, {
    [Symbol.asyncIterator]: {
      value: async function* () {
        if (bytes.length > 0) yield bytes;
      },
    },
  });
  return { ...call, incoming };
};

/** Looks at the body of every createPet before the service does. */
const lookingAtBodies = (answer: (text: string, call: Call) => ApiResponse | undefined) =>
  override('createPet', (original) => async (call) => {
    const bytes = await bytesOf(call);
    return answer(bytes.toString(), call) ?? original(rereading(call, bytes));
  });

const mediaTypeOf = (call: Call): string => call.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

const FORM = 'application/x-www-form-urlencoded';

/** How a body looks that is in another format than JSON, by the media type of that. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  [FORM]: /^[\w%+.-]+=/,
  'application/xml': /^\s*</,
  'text/xml': /^\s*</,
  'multipart/form-data': /^--/,
  'application/yaml': /^\w+:/,
};

const isInAnotherFormat = (text: string, call: Call): boolean =>
  FORMATS[mediaTypeOf(call)]?.test(text) === true && !isJson(text);

/** The animal that a form describes. */
function petInForm(text: string): NewPet {
  const form = new URLSearchParams(text);
  const [name, categoryId, status] = ['name', 'categoryId', 'status'].map((member) => form.get(member));
  const category = /^-?\d{1,19}$/.test(categoryId ?? '') ? BigInt(categoryId ?? '') : undefined;
  const chosen = status ?? 'available';
  if (typeof name !== 'string' || category === undefined || !isInt64(category) || !isPetStatus(chosen)) {
    throw invalidBody('The form is not that of an animal.');
  }
  return { name, categoryId: category, status: chosen };
}

/** Reads forms as animals, and everything else as before. */
const readingForms = combine(
  override('checkMediaType', (original) => (call) => {
    if (mediaTypeOf(call) !== FORM) original(call);
  }),
  override('parseBody', (original) => (text, call) => (mediaTypeOf(call) === FORM ? text : original(text, call))),
  override(
    'validateNewPet',
    (original) => (body, call) =>
      mediaTypeOf(call) === FORM && typeof body === 'string' ? petInForm(body) : original(body, call),
  ),
);

const isCoded = (call: Call): boolean => isAdding(call) && call.header('content-encoding') !== undefined;

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  identity: (bytes) => bytes,
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Decodes bodies as their Content-Encoding says. */
const decodingBodies = combine(
  override(
    'checkMediaType',
    (original) => (call) =>
      original({ ...call, header: (name) => (name === 'content-encoding' ? undefined : call.header(name)) }),
  ),
  override('createPet', (original) => async (call) => {
    const codings = (call.header('content-encoding') ?? 'identity')
      .toLowerCase()
      .split(/\s*,\s*/)
      .toReversed();
    let bytes = await bytesOf(call);
    for (const coding of codings) {
      const decode = DECODERS[coding];
      if (decode === undefined) throw unsupportedMediaType('The coding of the body is not known.');
      try {
        bytes = decode(bytes);
      } catch {
        throw invalidBody('The body is not coded as it says.');
      }
    }
    return original(rereading(call, bytes));
  }),
);

/** Refuses a Content-Type of JSON that has this form. */
const refusingTypes = (status: 400 | 415, refuses: RegExp) =>
  override('checkMediaType', (original) => (call) => {
    original(call);
    if (!refuses.test(call.header('content-type') ?? '')) return;
    throw status === 415
      ? unsupportedMediaType('Send the animal as application/json.')
      : new ApiError(400, 'media_type', 'Send the animal as application/json.');
  });

/** What services, and what stands before them, refuse for how it is sent. */
// biome-ignore format: one table
export const gateVariants: readonly Variant[] = [
  ...choosing('CREATE-1', {
    'post-from-another-origin-answered-403': ['A createPet with an Origin is taken for forged and answered with 403.',
      override('createPet', (original) => async (call) => (hasOrigin(call) ? errorResponse(403) : original(call)))],
  }),
  ...choosing('GET-1', {
    'getpet-with-origin-answered-403': ['getPet answers 403 to a request with an Origin header.',
      override('getPet', (original) => (call) => (hasOrigin(call) ? errorResponse(403) : original(call)))],
  }),
  ...choosing('ERR-3', {
    'origins-answered-403-with-a-page': [
      'Every request with an Origin is answered with 403 and a page of HTML, before its key is checked.',
      answeringBefore(hasOrigin, () => asPage(403))],
    'origins-answered-403-without-a-body': [
      'Every request with an Origin is answered with 403 and no body, before its key is checked.',
      answeringBefore(hasOrigin, () => withoutBody(403))],
    'accept-without-json-answered-406': ['A request that accepts no JSON is answered with 406 and an Error.',
      answeringBefore(acceptsNoJson, () => errorResponse(406))],
    'accept-without-json-answered-406-with-a-page': [
      'A request that accepts no JSON is answered with 406 and a page of HTML.',
      answeringBefore(acceptsNoJson, () => asPage(406))],
  }),
  ...choosing('GET-5', {
    'characters-of-paths-answered-400-with-a-page': [
      'A `;`, `:` or `&` in an id is answered with 400 and a page of HTML, before it reaches the service.',
      answeringBefore(inPath(/[;:&]/), () => asPage(400))],
    'escapes-of-paths-answered-403-without-a-body': [
      'The escapes `%25`, `%3B`, `%23`, `%3F`, `%5C` and `%00` in an id are answered with 403 and no body.',
      answeringBefore(inPath(/%(?:25|3b|23|3f|5c|00)/i), () => withoutBody(403))],
    'escapes-of-paths-answered-421-with-a-page': [
      'The same escapes, and `;` and `:` in an id, are answered with 421 and a page of HTML.',
      answeringBefore(inPath(/[;:]|%(?:25|3b|23|3f|5c|00)/i), () => asPage(421))],
    'dot-segments-answered-403-with-a-page': [
      'An encoded dot segment in an id is answered with 403 and a page of HTML, before it reaches the service.',
      answeringBefore(hasDotSegment, () => asPage(403))],
    'paths-not-utf8-answered-400-with-a-page': [
      'An id whose escapes are not UTF-8 (`%FF`) is answered with 400 and a page of HTML.',
      answeringBefore((call) => call.petId !== undefined && !isUtf8(idAsSent(call)), () => asPage(400))],
  }),
  ...choosing('AUTH-3', {
    'large-heads-answered-431-without-a-body': [
      'More than 25 headers, or more than 4,000 bytes of them and the address, are answered with 431 and no body.',
      answeringBefore(({ incoming: { url = '', rawHeaders } }) =>
        rawHeaders.length > 2 * 25 || `${url}${rawHeaders.join(': ')}`.length > 4_000, () => withoutBody(431))],
    'long-addresses-answered-414-with-a-page': [
      'An address of more than 4,000 characters is answered with 414 and a page of HTML; headers may be as long.',
      answeringBefore(({ incoming: { url = '' } }) => url.length > 4_000, () => asPage(414))],
  }),
  ...choosing('RES-11', {
    'bodies-above-64-kib-answered-413-with-a-page': [
      'A body of more than 65,536 bytes is answered with 413 and a page of HTML, whatever its key.',
      tooLarge(asPage)],
    'bodies-above-64-kib-answered-413-without-a-body': [
      'A body of more than 65,536 bytes is answered with 413 and no body, whatever its key.',
      tooLarge(withoutBody)],
  }),
  ...choosing('CREATE-16', {
    'chunked-bodies-answered-411-with-a-page': [
      'A body sent in chunks is answered with 411 and a page of HTML, before its key is checked.',
      answeringBefore(isChunked, () => asPage(411))],
  }),
  ...choosing('CREATE-13', {
    'blank-before-semicolon-answered-415': ['A blank before the semicolon of a Content-Type is answered with 415.',
      refusingTypes(415, /\s;/)],
    'blank-before-semicolon-answered-400': ['A blank before the semicolon of a Content-Type is answered with 400.',
      refusingTypes(400, /\s;/)],
    'other-charsets-answered-415': ['JSON in another charset than UTF-8 is answered with 415.',
      refusingTypes(415, /charset=(?!"?utf-8)/i)],
    'forms-read': ['A form under its own media type is read as an animal.', readingForms],
    'other-formats-answered-415-with-a-page': [
      'A form, XML and YAML under their own media types are answered with 415 and a page of HTML.',
      lookingAtBodies((text, call) => (isInAnotherFormat(text, call) ? asPage(415) : undefined))],
    'other-formats-answered-400-without-a-body': [
      'A form, XML and YAML under their own media types are answered with 400 and no body.',
      lookingAtBodies((text, call) => (isInAnotherFormat(text, call) ? withoutBody(400) : undefined))],
    'coded-bodies-decoded': ['A body is decoded as its Content-Encoding says.', decodingBodies],
    'coded-bodies-answered-403-with-a-page': [
      'A Content-Encoding is answered with 403 and a page of HTML, before the key is checked.',
      answeringBefore(isCoded, () => asPage(403))],
    'coded-bodies-answered-422-without-a-body': [
      'A Content-Encoding is answered with 422 and no body.',
      override('createPet', (original) => async (call) => (isCoded(call) ? withoutBody(422) : original(call)))],
    'content-encoding-ignored': ['The Content-Encoding of a body is ignored.',
      override('checkMediaType', (original) => (call) =>
        original({ ...call, header: (name) => (name === 'content-encoding' ? undefined : call.header(name)) }))],
  }),
];

/** Whether the escapes of a text are those of UTF-8. */
function isUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
