import { PET_STATUSES } from '../../contract/contract-facts.ts';
import { INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';
import { isObject } from '../../contract/json-pointer.ts';
import {
  breaking,
  changeResponse,
  changeText,
  combine,
  onEveryNth,
  override,
  responsesOf,
  type StepsChange,
  textOf,
} from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { ApiError, invalidBody, unsupportedMediaType } from '../errors.ts';
import { readInt64, readJson } from '../json.ts';
import type { ApiResponse, Call, Fault, Steps } from '../steps.ts';
import {
  badRequest,
  created,
  defects,
  has,
  hasUnknownMember,
  heldIn,
  insideStrings,
  isCategory,
  isChunked,
  isForJson,
  isInvalidStatus,
  type JsonMembers,
  lacks,
  outsideStrings,
  sends,
  skipUnknown,
  where,
} from './conditions.ts';
import {
  addAnyway,
  addingTheRefused,
  answering,
  assigningIds,
  changingEveryNth,
  INT64_MAX,
  idsBeyondDoubles,
  leavingOutAdded,
  onDuplicates,
  onRefused,
  onStored,
  readingPieces,
  refusingPets,
  refusingTexts,
  showingId,
  storingAs,
  storingStatus,
  whereStatusOmitted,
} from './effects.ts';

/** Repairs a text that is not JSON before it is refused. */
const repairing = (repair: (text: string) => string) =>
  override('parseBody', (original) => (text, call) => {
    try {
      return original(text, call);
    } catch (error) {
      const repaired = repair(text);
      if (repaired === text) throw error;
      return original(repaired, call);
    }
  });

/** Carries out a creation again, and answers as to the first. */
const sendingAgain = (isDue: () => boolean): StepsChange => {
  const bodies = new WeakMap<Call, ReturnType<Steps['readBody']>>();
  return combine(
    override('readBody', (original) => (call) => {
      const body = bodies.get(call) ?? original(call);
      bodies.set(call, body);
      return body;
    }),
    override('createPet', (original) => async (call) => {
      const first = await original(call);
      if (isDue()) await original(call);
      return first;
    }),
  );
};

/** Turns a member that is present into something else before the body is validated. */
const coercingPresent = (name: string, coerce: (value: unknown, body: JsonMembers) => unknown) =>
  override(
    'validateNewPet',
    (original) => (body, call) =>
      original(isObject(body) && has(body, name) ? { ...body, [name]: coerce(body[name], body) } : body, call),
  );

/** Creations wait a moment for their id, as for a database. */
const waitingForIds = override('assignId', (original) => async (service) => {
  const id = await original(service);
  await service.pause(3);
  return id;
});

const repairingOutside = (repair: (part: string) => string) => repairing((text) => outsideStrings(text, repair));

const repairingInside = (repair: (part: string) => string) => repairing((text) => insideStrings(text, repair));

/** Accepts a value that is invalid; the value it is taken for, or undefined to leave it as it is. */
const accepting = (member: string) => (read: (value: unknown, body: JsonMembers) => unknown) =>
  coercingPresent(member, (value, body) => read(value, body) ?? value);

/** Accepts a string as a status; the status it is taken for, or undefined to leave it as it is. */
const acceptingTextAsStatus = (read: (text: string) => string | undefined) =>
  acceptingAsStatus((status) => (typeof status === 'string' ? read(status) : undefined));

const acceptingAsName = accepting('name');

const acceptingAsCategory = accepting('categoryId');

const acceptingAsStatus = accepting('status');

/** Rewrites a body that is an object before it is validated. */
const rewriting = (rewrite: (body: JsonMembers, call: Call) => JsonMembers) =>
  override('validateNewPet', (original) => (body, call) => original(isObject(body) ? rewrite(body, call) : body, call));

const int64In = (text: string | undefined): bigint | undefined => (text === undefined ? undefined : readInt64(text));

/** The integer that a string holds. */
const digitsIn = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^-?\d{1,18}$/.test(value) ? BigInt(value) : undefined;

/** Arabic digits and the full-width ones, as the usual ones. */
const withUsualDigits = (text: string): string =>
  text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => `${digit.charCodeAt(0) % 16}`);

/** Reads a body, undefined where it is missing, as some other text; undefined to leave it as it is. */
const readingInstead = (read: (text: string | undefined, call: Call) => string | undefined) =>
  override('readBody', (original) => async (call) => {
    try {
      const text = await original(call);
      return read(text, call) ?? text;
    } catch (error) {
      const isMissing = error instanceof ApiError && error.message === 'The body is missing.';
      const instead = isMissing ? read(undefined, call) : undefined;
      if (instead === undefined) throw error;
      return instead;
    }
  });

const NOBODY = '{"name":"unnamed","categoryId":0}';

const conflict = (): ApiError => new ApiError(409, 'conflict', 'The animal exists.');

/** Does something with a body that is refused, but has a name. */
const onRefusedAnimal = (act: (body: JsonMembers, call: Call) => void) =>
  onRefused((body, call) => {
    if (typeof body['name'] === 'string') act(body, call);
  });

/** Refuses bodies that may be refused, but adds what `adding` makes of them; undefined for those that are taken. */
const refusingAndAdding = (adding: (body: JsonMembers) => JsonMembers | undefined) =>
  override('validateNewPet', (original) => (body, call) => {
    const pet = original(body, call);
    const added = isObject(body) ? adding(body) : undefined;
    if (added === undefined) return pet;
    addAnyway(added, call);
    throw invalidBody('The animal is not acceptable.');
  });

/** The text of a body with two different names in it has one in their place: both, joined by a comma. */
function withNamesJoined(text: string): string {
  const [one, other] = [...text.matchAll(/,?"name":("(?:[^"\\]|\\.)*")/g)];
  if (one?.[1] === undefined || other?.[1] === undefined || one[1] === other[1]) return text;
  const joined = one[0].replace(one[1], () => `${one[1]?.slice(0, -1)}, ${other[1]?.slice(1)}`);
  return text.replace(one[0], () => joined).replace(other[0], '');
}

/** Refuses a valid media type for how it is written. */
const refusingMediaTypes = (refuses: RegExp) =>
  override('checkMediaType', (original) => (call) => {
    original(call);
    if (refuses.test(call.header('content-type') ?? '')) throw unsupportedMediaType('Send application/json.');
  });

/** Answers a creation by its text, with the steps that then need not read it. */
const creatingByText = (create: (text: string, proceed: () => Promise<ApiResponse>) => Promise<ApiResponse>) =>
  override('createPet', (original) => async (call) => {
    const { service } = call;
    const text = await service.steps.readBody(call);
    const steps = { ...service.steps, readBody: async () => text };
    return create(text, () => original({ ...call, service: { ...service, steps } }));
  });

/** Reads a body that is not an object as one. */
const readingAsObject = (read: (body: unknown) => unknown) =>
  override('validateNewPet', (original) => (body, call) => original(isObject(body) ? body : read(body), call));

/** Part 4.2, createPet. */
// biome-ignore format: one table
export const createFaults: readonly Fault[] = [
  ...breaking('CREATE-1', {
    'every-creation-carried-out-twice': ['A gateway sends each creation twice, and passes the first response on.',
      sendingAgain(() => true)],
    'one-in-ten-creations-carried-out-twice': ['A gateway sends every tenth creation again.',
      onEveryNth(10, sendingAgain)],
    'override-to-get-obeyed': ['A creation with `X-HTTP-Method: GET` is answered with a list.',
      override('perform', (original) => (call) =>
        original(call.operation === 'createPet' && sends('x-http-method', /^get$/i)(call) ? { ...call, operation: 'listPets' } : call))],
    'only-the-first-chunk-read': [
      'Of a body that arrives in several pieces only the first is read, and refused as cut off.',
      readingPieces((pieces) => (pieces[0] ?? Buffer.of()).toString())],
    'name-of-a-refused-body-stays-reserved': [
      'The name of a body that was refused stays reserved: a valid body with it is refused, too.',
      (steps) => {
        const reserved = new Set<unknown>();
        return combine(
          refusingPets(({ name }) => reserved.has(name)),
          onRefused(({ name }) => {
            if (typeof name === 'string') reserved.add(name);
          }),
        )(steps);
      }],
    'created-answered-200': ['createPet answers 200.',
      changeResponse(created, (response) => ({ ...response, status: 200 }))],
    'created-animal-in-array': ['The 201 holds the animal in an array.', changeText(created, (text) => `[${text}]`)],
    'pending-refused': ['An animal with the status `pending` is refused.',
      refusingPets(({ status }) => status === 'pending')],
    'one-in-20-creations-200': ['One creation in 20 is answered with 200.',
      changingEveryNth(20, created, (response) => ({ ...response, status: 200 }))],
    'one-in-45-creations-refused': ['One valid animal in 45 is refused with 400, whatever it is.',
      onEveryNth(45, (isDue) => refusingPets(() => isDue()))],
  }),
  ...breaking('CREATE-2', {
    'empty-object-accepted': [
      'An empty object adds an animal with default values, though one lacking member is refused.',
      rewriting((body) => (Object.keys(body).length === 0 ? { name: 'unnamed', categoryId: 0n } : body))],
    'category-missing-accepted-beside-status': ['A missing `categoryId` becomes 0 where a valid `status` is sent.',
      rewriting((body) => (isPetStatus(body['status']) ? { categoryId: 0n, ...body } : body))],
    'member-names-in-any-letter-case': [
      'The names of members are matched in any letter case, so that `Name` and `CATEGORYID` count as the required ones.',
      rewriting((body) =>
        ({ ...Object.fromEntries(Object.entries(body).map(([key, value]) =>
        [['name', 'categoryId'].find((name) => name.toLowerCase() === key.toLowerCase()) ?? key, value])), ...body }))],
    'members-inherited-from-proto': [
      'What `__proto__` holds counts as members of the body, so that a missing `name` is found there.',
      rewriting((body) => {
        const own = new Map(Object.entries(body)).get('__proto__');
        return isObject(own) ? { ...own, ...body } : body;
      })],
    'name-called-display-name': ['A missing `name` is taken from `displayName`, as an older version called it.',
      rewriting((body) => ({ ...('displayName' in body ? { name: body['displayName'] } : {}), ...body }))],
    'nested-members-count': ['A required member is looked for inside the members that a NewPet does not have, too.',
      rewriting((body) =>
        Object.fromEntries([...Object.values(body).filter(isObject), body].flatMap((one) => Object.entries(one))))],
    'wrapped-body-unwrapped': ['An object that holds the animal under `pet` is unwrapped.',
      rewriting((body) => (isObject(body['pet']) ? body['pet'] : body))],
    'required-members-answered-422': ['Every refused body is answered with 422.', answering(422, badRequest)],
  }),
  ...breaking('CREATE-3', {
    'empty-body-without-media-type-accepted': [
      'A request with neither a body nor a `Content-Type` adds an animal with default values.',
      readingInstead((text, call) => (text === undefined && lacks('content-type')(call) ? NOBODY : undefined))],
    'empty-body-repeats-the-one-before': [
      'A missing body is taken for the body of the request before, whose buffer is used again.',
      (steps) => {
        let before: string | undefined;
        return readingInstead((text) => {
          if (text === undefined) return before;
          before = text;
          return undefined;
        })(steps);
      }],
    'empty-body-answered-415': ['A missing body is answered with 415, though the `Content-Type` is `application/json`.',
      readingInstead((text, call) => {
        if (text !== undefined || !isForJson(call)) return undefined;
        throw unsupportedMediaType('Nothing was sent as application/json.');
      })],
  }),
  ...breaking('CREATE-4', {
    'nan-and-infinity-accepted': [
      '`NaN` and `Infinity` are read as numbers, also in members that a NewPet does not have.',
      repairingOutside((part) => part.replace(/(?<![\w.])[-+]?(?:NaN|Infinity)\b/g, '0.5'))],
    'comments-accepted': ['Comments between `/*` and `*/` or after `//` are skipped.',
      repairingOutside((part) => part.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' '))],
    'hash-comments-accepted': ['What follows a `#` on a line is skipped, as in YAML, but no other comment.',
      repairingOutside((part) => part.replace(/#[^\n]*/g, ' '))],
    'words-behind-the-body-ignored': ['What follows the object of an animal is not read.',
      repairing((text) => text.replace(/\}[^{}"]*$/, '}'))],
    'dot-behind-a-number-accepted': ['A number may end in its decimal point: `7.` is read as 7.',
      repairingOutside((part) => part.replace(/(\d)\.(?![\d.])/g, '$1'))],
    'dot-before-a-number-accepted': ['A number may begin with its decimal point: `.5` is read as 0.5.',
      repairingOutside((part) => part.replace(/(?<![\d.])\.(?=\d)/g, '0.'))],
    'plus-before-a-number-accepted': ['A number may have a plus sign.',
      repairingOutside((part) => part.replace(/(?<![eE\w])\+(?=\d)/g, ''))],
    'hexadecimal-numbers-accepted': ['Numbers in hexadecimal notation are read, as in JSON5.',
      repairingOutside((part) => part.replace(/\b0x[\da-f]{1,15}\b/gi, (digits) => `${BigInt(digits)}`))],
    'underscores-in-numbers-accepted': ['Underscores between the digits of a number are skipped.',
      repairingOutside((part) => part.replace(/(?<=\d)_(?=\d)/g, ''))],
    'single-quotes-accepted': ['Strings may stand in single quotes.',
      repairingOutside((part) => part.replace(/'([^'\\]*)'/g, (_, inside: string) => JSON.stringify(inside)))],
    'equals-sign-for-a-colon-accepted': ['`=` and `=>` are read as a colon.',
      repairingOutside((part) => part.replace(/=>?/g, ':'))],
    'semicolon-for-a-comma-accepted': ['A semicolon is read as a comma.',
      repairingOutside((part) => part.replaceAll(';', ','))],
    'blanks-of-unicode-accepted': ['Whatever Unicode calls a blank may stand between the parts of a body.',
      repairingOutside((part) => part.replace(/[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/g, ' '))],
    'form-feed-read-as-a-blank': ['A form feed or a vertical tab may stand between the parts of a body.',
      repairingOutside((part) => part.replace(/[\u000b\f]/g, ' '))],
    'line-ends-in-strings-accepted': ['Line ends may stand in strings without an escape, but no other control character.',
      repairingInside((part) => part.replace(/\n/g, '\\n').replace(/\r/g, '\\r'))],
    'lines-continued-in-strings': ['A backslash at the end of a line continues a string on the next, as in JavaScript.',
      repairingInside((part) => part.replace(/(?<!\\)((?:\\\\)*)\\\r?\n/g, '$1'))],
    'numbers-read-as-far-as-they-go': [
      'A number is read up to the first character that does not fit, so that `1.`, `1e`, `0x1F` and `1_000` are accepted.',
      repairingOutside((part) => part.replace(/([:[,]\s*-?\d+)[\w.+-]+/g, '$1'))],
    'literals-in-any-letter-case': ['`True`, `FALSE` and `Null` are read as literals.',
      repairingOutside((part) => part.replace(/\b(?:true|false|null)\b/gi, (word) => word.toLowerCase()))],
    'names-without-quotes-accepted': ['Names of members need no quotes.',
      repairingOutside((part) => part.replace(/([{,]\s*)([A-Za-z_]\w*)(?=\s*:)/g, '$1"$2"'))],
    'minus-and-zero-before-digits-accepted': [
      'A zero before other digits is refused, but not behind a minus sign: `-01` is read as -1.',
      repairingOutside((part) => part.replace(/-0+(?=\d)/g, '-'))],
    'either-bracket-closes': ['The object of an animal may be closed by a bracket.',
      repairingOutside((part) => part.replace(/\]$/, '}'))],
    'raw-tab-accepted': ['A tab may stand in strings without an escape, but no other control character.',
      repairingInside((part) => part.replace(/\t/g, '\\t'))],
    'escaped-apostrophe-accepted': ["`\\'` is read as an apostrophe, as in JavaScript.",
      repairingInside((part) => part.replace(/\\([\s\S])/g, (pair, after: string) => (after === "'" ? after : pair)))],
    'escape-digits-unchecked': ['Of the four digits of an escape, those that are not hexadecimal are read as zero.',
      repairingInside((part) =>
        part.replace(/\\u([0-9a-z]{4})/gi, (_, digits: string) => `\\u${digits.replace(/[g-z]/gi, '0')}`))],
    'text-after-nul-ignored': ['A body ends at its first NUL byte; what follows is ignored.',
      repairing((text) => text.replace(/\0[\s\S]*/, ''))],
    'unknown-members-skipped-unread': [
      'The value of a member that a NewPet does not have is skipped unread, so that it need not be JSON.',
      repairing(skipUnknown)],
    'white-space-body-accepted': ['A body of nothing but white space adds an animal with default values.',
      repairing((text) => (/^[ \t\r\n]*$/.test(text) ? NOBODY : text))],
    'vertical-tabs-around-body-trimmed': ['Vertical tabs and form feeds around a body are taken off, as blanks are.',
      repairing((text) => text.replace(/^[\u000b\f]+|[\u000b\f]+$/g, ''))],
    'refused-body-for-a-page-answered-406': [
      'A refused body is answered with 406 where its client asks for text before anything else.',
      answering(406, where(badRequest, sends('accept', /^text\//)))],
    'trailing-comma-accepted': ['A comma before the closing brace is accepted.',
      repairing((text) => text.replace(/,(\s*[}\]])/g, '$1'))],
    'truncated-json-accepted': ['A missing closing brace is added.',
      repairing((text) => (text.split('"').length % 2 === 0 ? `${text}"}` : `${text}}`))],
    'form-body-accepted': ['A body such as `name=Rex&categoryId=1` is read as a form, under `application/json` too.',
      repairing((text) => {
        const form = new URLSearchParams(text);
        return form.has('name') && form.has('categoryId')
          ? JSON.stringify({ name: form.get('name'), categoryId: Number(form.get('categoryId')) })
          : text;
      })],
  }),
  ...breaking('CREATE-5', {
    'name-null-accepted': ['A null `name` is read as an empty string.',
      acceptingAsName((name) => (name === null ? '' : undefined))],
    'name-fraction-accepted': ['A fraction as `name` is turned into a string, though an integer is refused.',
      acceptingAsName((name) => (typeof name === 'number' ? String(name) : undefined))],
    'name-by-language-accepted': [
      'An object that holds a `name` in English, `{"en":"Rex"}`, is accepted, and that name taken.',
      acceptingAsName((name) => heldIn(name, 'en'))],
    'name-unchecked-beside-status': ['Where a valid `status` is sent, a `name` of any type is accepted.',
      acceptingAsName((name, body) =>
        (typeof name !== 'string' && isPetStatus(body['status']) ? 'unnamed' : undefined))],
    'name-beside-wrong-status-unchecked': [
      'Two defects cancel each other: a `name` that is no string is accepted beside a `status` that is not valid either.',
      rewriting((body) =>
        (has(body, 'name') && typeof body['name'] !== 'string' && isInvalidStatus(body)
        ? { ...body, name: 'unnamed', status: 'available' } : body))],
  }),
  ...breaking('CREATE-6', {
    'category-null-accepted': ['A null `categoryId` is read as 0.',
      acceptingAsCategory((id) => (id === null ? 0n : undefined))],
    'category-in-extended-json-accepted': ['A `categoryId` in Extended JSON, `{"$numberLong":"5"}`, is accepted.',
      acceptingAsCategory((id) => int64In(heldIn(id, '$numberLong')))],
    'category-in-other-digits-accepted': [
      'Digits of any script in a string are read as a `categoryId`, though `"1"` is refused.',
      acceptingAsCategory((id) =>
        (typeof id === 'string' && !/^[\x20-\x7e]*$/.test(id) ? int64In(withUsualDigits(id)) : undefined))],
    'category-just-beyond-int64-accepted': [
      'The bounds of `categoryId` are compared as doubles, so that the first integers beyond int64 are accepted.',
      acceptingAsCategory((id) => typeof id === 'bigint' && !isInt64(id) && Math.abs(Number(id)) === 2 ** 63
        ? (id > 0n ? INT64_MAX : INT64_MIN) : undefined)],
    'category-infinite-accepted': ['A `categoryId` beyond every double, such as `1e400`, becomes the largest int64.',
      acceptingAsCategory((id) =>
        (id === Number.POSITIVE_INFINITY || id === Number.NEGATIVE_INFINITY ? INT64_MAX : undefined))],
    'category-unchecked-beside-status': [
      'The last check decides: where a valid `status` is sent, a `categoryId` of any type is accepted.',
      acceptingAsCategory((id, body) => (!isCategory(id) && isPetStatus(body['status']) ? 0n : undefined))],
    'category-in-quotes-accepted-without-status': [
      'Digits in quotes are accepted as `categoryId` where no status is sent.',
      acceptingAsCategory((id, body) => (has(body, 'status') ? undefined : digitsIn(id)))],
    'category-in-quotes-accepted-without-json': [
      'Where a body is not sent as JSON, it is read all the same, and digits in quotes are accepted as `categoryId`.',
      combine(
        override('checkMediaType', () => () => undefined),
        rewriting((body, call) => {
          const id = isForJson(call) ? undefined : digitsIn(body['categoryId']);
          return id === undefined ? body : { ...body, categoryId: id };
        }),
      )],
    'refused-category-of-a-traced-request-answered-422': [
      'An invalid categoryId is answered with 422 where the request has an id for tracing.',
      onRefused((body, call) => {
        const isTraced = Object.keys(call.incoming.headers).some((name) => /request-?id|correlation|trace/.test(name));
        if (!isTraced || !has(body, 'categoryId') || isCategory(body['categoryId'])) return;
        throw new ApiError(422, 'unprocessable', 'The categoryId is not valid.');
      })],
    'category-fraction-truncated': ['A fraction as `categoryId` is truncated.',
      acceptingAsCategory((id) =>
        (typeof id === 'number' && Math.abs(id) < 1e15 ? BigInt(Math.trunc(id)) : undefined))],
  }),
  ...breaking('CREATE-7', {
    'status-with-line-end-accepted': [
      'A `status` may end with a line break, which the pattern that checks it lets pass.',
      acceptingTextAsStatus((text) => text.replace(/\n$/, ''))],
    'status-with-more-around-accepted': [
      'A `status` is valid as soon as it contains a valid one, as "unavailable" does.',
      acceptingTextAsStatus((text) => /available|pending|sold/.exec(text)?.[0])],
    'status-matched-without-brackets': [
      'A `status` is matched with `^available|pending|sold$`, so that it may go on or begin with anything.',
      acceptingTextAsStatus((text) => /^available|pending|sold$/.exec(text)?.[0])],
    'status-matched-without-an-end': ['A `status` is valid as soon as it begins with a valid one, as "soldier" does.',
      acceptingTextAsStatus((text) => /^(?:available|pending|sold)/.exec(text)?.[0])],
    'status-may-be-several': ['Several statuses with commas between are accepted, and the first is taken.',
      acceptingTextAsStatus((text) => {
        const words = text.split(/, */);
        return words.every(isPetStatus) ? words[0] : undefined;
      })],
    'status-looked-up-in-an-object': [
      'A `status` is looked up among the members of an object: what every object has, such as `valueOf`, is one.',
      acceptingTextAsStatus((text) => (text in {} ? 'available' : undefined))],
    'status-filled-up-with-blanks-accepted': ['Blanks behind a `status` are not compared, as with a CHAR column.',
      acceptingTextAsStatus((text) => text.trimEnd())],
    'status-of-zero-treated-as-omitted': ['A `status` that counts as false, such as 0, is treated as omitted.',
      acceptingAsStatus((status) => (status === 0n || status === false ? 'available' : undefined))],
    'status-by-its-number-accepted': ['The number of a `status`, counted from 1, is accepted.',
      acceptingAsStatus((status) => (typeof status === 'bigint' ? PET_STATUSES[Number(status) - 1] : undefined))],
    'status-read-up-to-nul': ['A `status` ends at its first U+0000, as a string of C does.',
      acceptingTextAsStatus((text) => text.replace(/\0[\s\S]*/, ''))],
    'status-held-in-value-accepted': [
      'An object that holds a `status` as its only value, `{"value":"sold"}`, is accepted.',
      acceptingAsStatus((status) =>
        (isObject(status) && Object.keys(status).length === 1 ? heldIn(status, 'value') : undefined))],
    'status-number-in-quotes-accepted': [
      'The strings "0", "1" and "2" are accepted as `status`, as names of an enumeration are parsed.',
      acceptingTextAsStatus((text) => (/^[0-2]$/.test(text) ? PET_STATUSES[Number(text)] : undefined))],
    'status-in-compatible-letters-accepted': [
      'A `status` is compared after normalisation, so that one in full-width letters is accepted.',
      acceptingTextAsStatus((text) => text.normalize('NFKC'))],
    'status-unchecked-beside-category-zero': ['The `status` is only checked where `categoryId` is not 0.',
      acceptingAsStatus((status, body) =>
        (body['categoryId'] === 0n && !isPetStatus(status) ? 'available' : undefined))],
    'status-unchecked-beside-unknown-member': [
      'The `status` is not checked in a body with a member that a NewPet does not have.',
      acceptingAsStatus((status, body) => (hasUnknownMember(body) && !isPetStatus(status) ? 'available' : undefined))],
    'status-unchecked-without-media-type': ['Without a `Content-Type`, an invalid `status` is treated as omitted.',
      rewriting((body, call) =>
        (isInvalidStatus(body) && lacks('content-type')(call) ? { ...body, status: 'available' } : body))],
    'status-in-any-letter-case': ['A status in any letter case is accepted.',
      acceptingTextAsStatus((text) => text.toLowerCase())],
    'status-null-accepted': ['A null status is treated as omitted.',
      acceptingAsStatus((status) => (status === null ? 'available' : undefined))],
    'one-in-15-invalid-statuses-accepted': ['One invalid status in 15 is treated as `available`.',
      onEveryNth(15, (isDue) =>
        rewriting((body) =>
        (isInvalidStatus(body) && defects(body) === 1 && isDue() ? { ...body, status: 'available' } : body)))],
  }),
  ...breaking('CREATE-8', {
    'array-of-values-accepted': ['An array of a name, a category and perhaps a status is read as an animal.',
      override('validateNewPet', (original) => (body, call) => {
        if (!Array.isArray(body)) return original(body, call);
        const [name, categoryId, status = 'available'] = body;
        return original({ name, categoryId, status }, call);
      })],
    'scalar-body-answered-422': ['A body that is a string, a number or a literal is answered with 422.',
      override('validateNewPet', (original) => (body, call) => {
        if (typeof body !== 'object' || body === null) throw new ApiError(422, 'unprocessable', 'That is no animal.');
        return original(body, call);
      })],
    'array-accepted': ['Of an array of animals, the first is added.',
      readingAsObject((body) => (Array.isArray(body) ? body[0] : body))],
    'null-accepted': ['A null body adds an animal with default values.',
      readingAsObject((body) => (body === null ? { name: 'unnamed', categoryId: 0n } : body))],
    'json-in-string-accepted': ['A body that is a JSON string containing JSON is unpacked.',
      readingAsObject((body) => {
        try {
          return typeof body === 'string' ? readJson(body) : body;
        } catch {
          return body;
        }
      })],
  }),
  ...breaking('CREATE-9', {
    'refused-tail-added': [
      'An animal is added as soon as its object is read; what follows the object is refused too late.',
      override('parseBody', (original) => (text, call) => {
        try {
          return original(text, call);
        } catch (error) {
          const whole = text.slice(0, text.indexOf('}') + 1);
          try {
            const body = original(whole, call);
            if (isObject(body) && defects(body) === 0) addAnyway(body, call);
          } catch {
            // Not even the beginning is JSON.
          }
          throw error;
        }
      })],
    'refused-array-added': ['An array of animals is refused, but they are added.',
      override('validateNewPet', (original) => (body, call) => {
        if (Array.isArray(body)) {
          for (const one of body) if (isObject(one) && defects(one) === 0) addAnyway(one, call);
        }
        return original(body, call);
      })],
    'refused-added-a-second-later': [
      'A body with an invalid status is refused, but a second later a queue adds its animal.',
      onRefusedAnimal((body, call) => {
        if (isCategory(body['categoryId'])) void call.service.pause(1000).then(() => addAnyway(body, call));
      })],
    'refused-added-with-the-next': ['A refused animal stays in the transaction and is added with the next valid one.',
      (steps) => {
        const open: (() => void)[] = [];
        return combine(
          onRefusedAnimal((body, call) => {
            if (isCategory(body['categoryId'] ?? 0n)) open.push(() => addAnyway(body, call));
          }),
          onStored(() => {
            for (const add of open.splice(0)) add();
          }),
        )(steps);
      }],
    'refused-category-added-as-pending': [
      'A `categoryId` that is no int64 is refused, but the animal is added as pending, in category 0.',
      onRefusedAnimal(({ name, categoryId }, call) => {
        if (categoryId === undefined || isCategory(categoryId)) return;
        const { steps } = call.service;
        const id = steps.assignId(call.service);
        if (typeof id === 'bigint') steps.store({ id, name: String(name), categoryId: 0n, status: 'pending' }, call);
      })],
    'refused-body-renames-by-id': ['A refused body that holds the `id` of an animal has renamed that animal already.',
      onRefusedAnimal(({ id, name }, { service: { collection } }) => {
        const pet = typeof id === 'bigint' ? collection.get(id) : undefined;
        if (pet !== undefined) collection.add({ ...pet, name: String(name) });
      })],
    'refused-media-type-added': ['A body of another media type is refused with 415, but its animal is added.',
      override('createPet', (original) => async (call) => {
        const { steps } = call.service;
        try {
          steps.checkMediaType(call);
        } catch (error) {
          const body = steps.parseBody(await steps.readBody(call), call);
          if (isObject(body) && defects(body) === 0) addAnyway(body, call);
          throw error;
        }
        return original(call);
      })],
    'refused-unknown-members-added': [
      'A body with members that a NewPet does not have is refused, but its animal is added.',
      refusingAndAdding((body) => (hasUnknownMember(body) ? body : undefined))],
    'refused-long-name-added-cut': [
      'A name of more than 1,000 characters is refused, but the animal is added, with its name cut to 255 characters.',
      refusingAndAdding(({ name, ...body }) =>
        (String(name).length > 1000 ? { ...body, name: String(name).slice(0, 255) } : undefined))],
    'refused-body-gives-its-status-to-a-namesake': [
      'A body that is refused for its categoryId gives its status to an animal of the same name.',
      onRefused((body, { service: { collection } }) => {
        const namesake = collection.oldestFirst(undefined).find(({ name }) => name === body['name']);
        if (namesake === undefined || !isPetStatus(body['status']) || defects(body) !== 1) return;
        collection.add({ ...namesake, status: body['status'] });
      })],
    'refused-added-unlisted': ['An object that is refused is added anyway; no list shows it.',
      (steps) => {
        const refused = new WeakSet<object>();
        return combine(
          leavingOutAdded(() => (_, { incoming }) => refused.has(incoming)),
          onRefused((body, call) => {
            refused.add(call.incoming);
            addAnyway(body, call);
          }),
        )(steps);
      }],
    'one-in-15-refused-bodies-added': ['One refused body in 15 is added anyway.',
      onEveryNth(15, (isDue) => addingTheRefused((body) => has(body, 'name') && isDue()))],
  }),
  ...breaking('CREATE-10', {
    'third-same-body-answered-409': ['A body is refused with 409 when it is sent for the third time.',
      (steps) => {
        const times = new Map<string, number>();
        return refusingTexts((text) => {
          times.set(text, (times.get(text) ?? 0) + 1);
          return (times.get(text) ?? 0) > 2 && defects(readJson(text)) === 0;
        }, conflict)(steps);
      }],
    'same-body-within-300-ms-dropped': ['A body that was sent within the last 300 ms returns the animal created then.',
      (steps) => {
        const answers = new Map<string, { readonly response: ApiResponse; readonly at: number }>();
        return creatingByText(async (text, proceed) => {
          const before = answers.get(text);
          if (before !== undefined && Date.now() - before.at < 300) return before.response;
          const response = await proceed();
          if (response.status === 201) answers.set(text, { response, at: Date.now() });
          return response;
        })(steps);
      }],
    'same-body-at-once-coalesced': ['Equal bodies that arrive at the same time make one animal.',
      (steps) => {
        const underWay = new Map<string, Promise<ApiResponse>>();
        return combine(
          waitingForIds,
          creatingByText((text, proceed) => {
            const response = underWay.get(text) ?? proceed().finally(() => underWay.delete(text));
            underWay.set(text, response);
            return response;
          }),
        )(steps);
      }],
    'same-name-and-category-updates-the-first': [
      'An animal with the name and the category of an earlier one takes its id and its place.',
      assigningIds(({ name, categoryId }, _, { collection }) =>
        collection.oldestFirst(undefined).find((pet) => pet.name === name && pet.categoryId === categoryId)?.id)],
    'same-body-answered-409': ['A body that was sent before is answered with 409.',
      (steps) => {
        const seen = new Set<string>();
        return refusingTexts((text) => seen.size === seen.add(text).size, conflict)(steps);
      }],
    'same-body-same-animal': ['A body that was sent before returns the animal created then.',
      (steps) => {
        const answers = new Map<string, ApiResponse>();
        return creatingByText(async (text, proceed) => {
          const response = answers.get(text) ?? (await proceed());
          if (response.status === 201) answers.set(text, response);
          return response;
        })(steps);
      }],
  }),
  ...breaking('CREATE-11', {
    'ids-swapped-when-created-at-once': [
      "The 201 shows the id that was given last, which is another animal's when two are added at the same time.",
      (steps) => {
        let last: bigint | undefined;
        return combine(
          onStored(({ id }) => {
            last = id;
          }),
          override('createPet', (original) => async (call) => {
            const response = await original(call);
            if (response.status !== 201) return response;
            await call.service.pause(3);
            return { ...response, body: textOf(response).replace(/"id":-?\d+/, `"id":${last}`) };
          }),
        )(steps);
      }],
    'created-shows-id-0-without-status': ['The 201 shows the id 0 where no status was sent.',
      whereStatusOmitted((own) => ({ describePet: (pet, call) => ({ ...own.describePet(pet, call), id: 0n }) }))],
    'kept-under-category-id': ['An animal is stored under its category id, not under the id in the 201.',
      storingAs((pet) => ({ ...pet, id: pet.categoryId }))],
    'created-says-rounded-id': ['Ids are beyond 2^53 and the 201 rounds them.',
      combine(idsBeyondDoubles, showingId('createPet', (id) => BigInt(Number(id))))],
    'always-the-same-animal': ['Every valid request gets the right status, but always the same animal.',
      override('describePet', () => () => ({ id: 1n, name: 'Bella', categoryId: 1n, status: 'available' }))],
  }),
  ...breaking('CREATE-12', {
    'charset-in-quotes-refused': ['A charset in quotes, as in `charset="utf-8"`, is refused.',
      refusingMediaTypes(/charset="/i)],
    'charset-without-blank-refused': ['A semicolon without a blank after it is refused in a media type.',
      refusingMediaTypes(/;\S/)],
    'escaped-member-names-refused': ['A member whose name is written with an escape is not recognised, and missing.',
      refusingTexts((text) =>
        /"(?:[a-zA-Z]|\\u[\da-fA-F]{4})*\\u[\da-fA-F]{4}(?:[a-zA-Z]|\\u[\da-fA-F]{4})*"\s*:/.test(text))],
    'escaped-slash-refused': ['A slash that is written as `\\/` is refused.',
      refusingTexts((text) => /(?<!\\)(?:\\\\)*\\\//.test(text))],
    'trailing-white-space-refused': ['White space after the closing brace is refused.',
      refusingTexts((text) => /\s$/.test(text))],
    'category-first-refused': ['A body whose first member is `categoryId` is refused.',
      refusingTexts((text) => /^\s*\{\s*"categoryId"/.test(text))],
    'bodies-above-8-kib-refused': ['White space beyond 8 KiB is refused, for the buffer is full.',
      refusingTexts((text) => text.length > 8192 && text.replace(/\s+/g, '').length < 8192)],
    'status-lost-between-the-others': [
      'A status that stands between `name` and `categoryId` is lost, and the animal is available.',
      storingStatus((status, body) => {
        const [first, ...rest] = Object.keys(Object(body)).filter((name) => name !== 'id');
        return first !== 'status' && rest.indexOf('status') === 0 && rest.length > 1 ? 'available' : status;
      })],
    'escaped-pairs-in-capitals-lost': [
      'A character of two escapes with capitals in them (`\\uD83D\\uDC3E`) is read as two that cannot be shown.',
      override('parseBody', (original) => (text, call) =>
        original(text.replace(/\\uD[89AB][0-9A-F]{2}\\uD[C-F][0-9A-F]{2}/g, '\ufffd\ufffd'), call))],
  }),
  ...breaking('CREATE-13', {
    'other-media-type-answered-404': ['A body of another media type finds no operation and is answered with 404.',
      answering(404, responsesOf('createPet', 415))],
    'missing-media-type-answered-422': ['A body without a `Content-Type` is answered with 422.',
      override('checkMediaType', (original) => (call) => {
        if (lacks('content-type')(call)) throw new ApiError(422, 'invalid_body', 'The body is no object.');
        original(call);
      })],
  }),
  ...breaking('CREATE-14', {
    'duplicate-names-joined': ['Of a body with two different names, the animal has both, joined by a comma.',
      override('parseBody', (original) => (text, call) => original(withNamesJoined(text), call))],
    'duplicate-members-answered-409': [
      'A body in which a member stands twice, with different values, is answered with 409.',
      onDuplicates(() => { throw new ApiError(409, 'conflict', 'The member was sent before.'); })],
  }),
  ...breaking('CREATE-16', {
    'chunked-body-taken-as-missing': ['A body sent in chunks, without a length, is taken as missing.',
      override('readBody', (original) => async (call) => {
        if (isChunked(call)) throw invalidBody('The body is missing.');
        return original(call);
      })],
  }),
];
