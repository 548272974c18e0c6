import { INT64_MAX, INT64_MIN, isInt64 } from '../../contract/exact-integer.ts';
import { PET_STATUSES } from '../../petstore/contract-facts.ts';
import { changeResponse, combine, errorResponse, fault, onEveryNth, override, responsesOf } from '../changes.ts';
import { isPetStatus } from '../collection.ts';
import { ApiError, invalidBody, unsupportedMediaType } from '../errors.ts';
import { isObject, readInt64, readJson } from '../json.ts';
import type { ApiResponse, Call, Fault, Service } from '../steps.ts';
import {
  addAnyway,
  coercingPresent,
  crash,
  crashingOnBody,
  crashingOnParsed,
  creatingWith,
  has,
  hasUnknownMember,
  insideStrings,
  type JsonMembers,
  outsideStrings,
  readingPieces,
  refusingPets,
  refusingTexts,
  repairing,
  rows,
  storing,
  storingStatus,
  waitingForIds,
  whereStatusOmitted,
} from './builders.ts';

const SPECIFIED = new Set(['id', 'name', 'categoryId', 'status']);

const repairingOutside = (repair: (part: string) => string) => repairing((text) => outsideStrings(text, repair));
const repairingInside = (repair: (part: string) => string) => repairing((text) => insideStrings(text, repair));
const withoutStrings = (text: string): string => insideStrings(text, () => '""');

/** Accepts a value that is invalid; the value it is taken for, or undefined to leave it as it is. */
const accepting = (member: string) => (read: (value: unknown, body: JsonMembers) => unknown) =>
  coercingPresent(member, (value, body) => read(value, body) ?? value);
const acceptingAsName = accepting('name');
const acceptingAsCategory = accepting('categoryId');
const acceptingAsStatus = accepting('status');

/** Rewrites a body that is an object before it is validated. */
const rewriting = (rewrite: (body: JsonMembers) => JsonMembers) =>
  override('validateNewPet', (original) => (body, call) => original(isObject(body) ? rewrite(body) : body, call));

const member = (body: unknown, name: string): unknown => (has(body, name) && isObject(body) ? body[name] : undefined);

/** The string that a member of an object holds. */
const heldIn = (value: unknown, name: string): string | undefined => {
  const held = member(value, name);
  return typeof held === 'string' ? held : undefined;
};

const int64In = (text: string | undefined): bigint | undefined => (text === undefined ? undefined : readInt64(text));

/** Arabic digits and the full-width ones, as the usual ones. */
const withUsualDigits = (text: string): string =>
  text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => `${digit.charCodeAt(0) % 16}`);

const isCategory = (value: unknown): value is bigint => typeof value === 'bigint' && isInt64(value);
const isInteger = (value: unknown): value is bigint => typeof value === 'bigint';
const isInvalidStatus = (body: JsonMembers): boolean => has(body, 'status') && !isPetStatus(body['status']);

/** How many members of a body are invalid or missing. */
const defects = (body: unknown): number =>
  isObject(body)
    ? [typeof body['name'] !== 'string', !isCategory(body['categoryId']), isInvalidStatus(body)].filter(Boolean).length
    : 0;

const isWhiteSpace = (text: string): boolean => /^[ \t\r\n]*$/.test(text);
const isChunked = ({ incoming }: Call): boolean => incoming.headers['transfer-encoding'] !== undefined;
const isForJson = (call: Call): boolean => /^application\/json\b/i.test(call.header('content-type') ?? '');

/** How deep brackets and braces are nested, and how many are never closed. */
function nestingOf(text: string): { readonly deepest: number; readonly open: number } {
  let depth = 0;
  let deepest = 0;
  for (const character of withoutStrings(text)) {
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return { deepest, open: depth };
}

/** Puts null in the place of every unknown member's value, where brackets and quotes are balanced. */
function skipUnknown(text: string): string {
  let depth = 0;
  let key = '';
  let isValue = false;
  return text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\]:,]|[^"{}[\]:,\s]+/g, (token) => {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth -= 1;
    const isOuter = depth === 1 && (token === ',' || token === ':');
    const isSkipped = isValue && depth >= 1 && !(depth === 1 && token === ',');
    if (token === '{' || token === '[') depth += 1;
    if (isOuter && token === ',') isValue = false;
    if (isOuter && token === ':' && !isValue) {
      isValue = !['"name"', '"categoryId"', '"status"'].includes(key);
      return isValue ? ':null' : token;
    }
    if (depth === 1 && !isValue) key = token;
    return isSkipped ? '' : token;
  });
}

const isMissing = (error: unknown): boolean => error instanceof ApiError && error.message === 'The body is missing.';

/** Reads a body, undefined where it is missing, as some other text; undefined to leave it as it is. */
const readingInstead = (read: (text: string | undefined, call: Call) => string | undefined) =>
  override('readBody', (original) => async (call) => {
    try {
      const text = await original(call);
      return read(text, call) ?? text;
    } catch (error) {
      const instead = isMissing(error) ? read(undefined, call) : undefined;
      if (instead === undefined) throw error;
      return instead;
    }
  });

const NOBODY = '{"name":"unnamed","categoryId":0}';

/** Answers a refusal of some bodies with another status. */
const refusedWith = (status: number) => (matches: (body: unknown) => boolean) =>
  override('validateNewPet', (original) => (body, call) => {
    try {
      return original(body, call);
    } catch (error) {
      if (error instanceof ApiError && matches(body)) throw new ApiError(status, 'unprocessable', error.message);
      throw error;
    }
  });

/** Does something with an object that is refused, which is answered with 400 all the same. */
const onRefused = (act: (body: JsonMembers, call: Call) => void) =>
  override('validateNewPet', (original) => (body, call) => {
    try {
      return original(body, call);
    } catch (error) {
      if (isObject(body) && typeof body['name'] === 'string') act(body, call);
      throw error;
    }
  });

/** Refuses bodies that may be refused, but adds them. */
const refusingAndAdding = (which: (body: JsonMembers) => boolean) =>
  override('validateNewPet', (original) => (body, call) => {
    const pet = original(body, call);
    if (!isObject(body) || !which(body)) return pet;
    addAnyway(body, call);
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

const crashingOnMediaType = (matches: (mediaType: string | undefined, call: Call) => boolean) =>
  override(
    'checkMediaType',
    (original) => (call) => (matches(call.header('content-type'), call) ? crash('media type') : original(call)),
  );

/** Answers a creation by its text, with the steps that then need not read it. */
const creatingByText = (create: (text: string, proceed: () => Promise<ApiResponse>) => Promise<ApiResponse>) =>
  override('createPet', (original) => async (call) => {
    const { service } = call;
    const text = await service.steps.readBody(call);
    const steps = { ...service.steps, readBody: async () => text };
    return create(text, () => original({ ...call, service: { ...service, steps } }));
  });

/** Gives an animal the id that its body asks for. */
const adoptingIds = (adopts: (id: unknown, service: Service) => bigint | undefined) =>
  creatingWith((own) => {
    let wished: unknown;
    return {
      validateNewPet: (body, call) => {
        wished = isObject(body) ? body['id'] : undefined;
        return own.validateNewPet(body, call);
      },
      assignId: (service) => adopts(wished, service) ?? own.assignId(service),
    };
  });

/** Whether a text is JSON, whichever members stand twice. */
function isJson(text: string): boolean {
  try {
    readJson(text, { onDuplicateKey: ({ newValue }) => newValue });
    return true;
  } catch {
    return false;
  }
}

/** createPet: which bodies are accepted and which refused, and what a refusal leaves behind. */
export const bodyFaults: readonly Fault[] = [
  fault(
    'chunked-body-taken-as-missing',
    'CREATE-16',
    'A body sent in chunks, without a length, is taken as missing.',
    override('readBody', (original) => async (call) => {
      if (isChunked(call)) throw invalidBody('The body is missing.');
      return original(call);
    }),
  ),

  fault(
    'only-the-first-chunk-read',
    'CREATE-1',
    'Of a body that arrives in several pieces only the first is read, and refused as cut off.',
    readingPieces((pieces) => (pieces[0] ?? Buffer.of()).toString()),
  ),

  ...rows<(body: JsonMembers) => JsonMembers>(
    'CREATE-2',
    rewriting,
    [
      'empty-object-accepted',
      'An empty object adds an animal with default values, though one lacking member is refused.',
      (body) => (Object.keys(body).length === 0 ? { name: 'unnamed', categoryId: 0n } : body),
    ],
    [
      'category-missing-accepted-beside-status',
      'A missing `categoryId` becomes 0 where a valid `status` is sent.',
      (body) => (isPetStatus(body['status']) ? { categoryId: 0n, ...body } : body),
    ],
    [
      'member-names-in-any-letter-case',
      'The names of members are matched in any letter case, so that `Name` and `CATEGORYID` count as the required ones.',
      (body) => {
        const lower = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
        return {
          ...(lower.has('name') ? { name: lower.get('name') } : {}),
          ...(lower.has('categoryid') ? { categoryId: lower.get('categoryid') } : {}),
          ...body,
        };
      },
    ],
    [
      'members-inherited-from-proto',
      'What `__proto__` holds counts as members of the body, so that a missing `name` is found there.',
      (body) => {
        const own = new Map(Object.entries(body)).get('__proto__');
        return isObject(own) ? { ...own, ...body } : body;
      },
    ],
    [
      'name-called-display-name',
      'A missing `name` is taken from `displayName`, as an older version called it.',
      (body) => ({ ...('displayName' in body ? { name: body['displayName'] } : {}), ...body }),
    ],
    [
      'category-id-taken-from-a-category',
      'A missing `categoryId` is taken from `{"category":{"id":…}}`.',
      ({ category, ...body }) => ({
        ...(isObject(category) && 'id' in category ? { categoryId: category['id'] } : {}),
        ...body,
      }),
    ],
    [
      'members-in-data-attributes-count',
      'An animal in `{"data":{"attributes":…}}` is taken, as in JSON:API.',
      ({ data, ...body }) =>
        isObject(data) && 'attributes' in data && isObject(data['attributes'])
          ? { ...data['attributes'], ...body }
          : body,
    ],
    [
      'nested-members-count',
      'A required member is looked for inside the members that a NewPet does not have, too.',
      (body) =>
        Object.fromEntries([...Object.values(body).filter(isObject), body].flatMap((one) => Object.entries(one))),
    ],
  ),

  fault(
    'empty-body-without-media-type-accepted',
    'CREATE-3',
    'A request with neither a body nor a `Content-Type` adds an animal with default values.',
    readingInstead((text, call) =>
      text === undefined && call.header('content-type') === undefined ? NOBODY : undefined,
    ),
  ),
  fault(
    'empty-body-repeats-the-one-before',
    'CREATE-3',
    'A missing body is taken for the body of the request before, whose buffer is used again.',
    (steps) => {
      let before: string | undefined;
      return readingInstead((text) => {
        if (text === undefined) return before;
        before = text;
        return undefined;
      })(steps);
    },
  ),
  fault(
    'empty-body-answered-415',
    'CREATE-3',
    'A missing body is answered with 415, though the `Content-Type` is `application/json`.',
    readingInstead((text, call) => {
      if (text !== undefined || !isForJson(call)) return undefined;
      throw unsupportedMediaType('Nothing was sent as application/json.');
    }),
  ),

  ...rows<(part: string) => string>(
    'CREATE-4',
    repairingOutside,
    [
      'nan-and-infinity-accepted',
      '`NaN` and `Infinity` are read as numbers, also in members that a NewPet does not have.',
      (part) => part.replace(/(?<![\w.])[-+]?(?:NaN|Infinity)\b/g, '0.5'),
    ],
    [
      'comments-accepted',
      'Comments between `/*` and `*/` or after `//` are skipped.',
      (part) => part.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' '),
    ],
    [
      'numbers-read-as-far-as-they-go',
      'A number is read up to the first character that does not fit, so that `1.`, `1e`, `0x1F` and `1_000` are accepted.',
      (part) => part.replace(/([:[,]\s*-?\d+)[\w.+-]+/g, '$1'),
    ],
    [
      'literals-in-any-letter-case',
      '`True`, `FALSE` and `Null` are read as literals.',
      (part) => part.replace(/\b(?:true|false|null)\b/gi, (word) => word.toLowerCase()),
    ],
    [
      'names-without-quotes-accepted',
      'Names of members need no quotes.',
      (part) => part.replace(/([{,]\s*)([A-Za-z_]\w*)(?=\s*:)/g, '$1"$2"'),
    ],
    [
      'other-blanks-accepted',
      'Form feeds, vertical tabs and no-break spaces between members count as white space.',
      (part) => part.replace(/[\f\v\u00a0\u2028\u2029\u3000\ufeff]/g, ' '),
    ],
    [
      'minus-and-zero-before-digits-accepted',
      'A zero before other digits is refused, but not behind a minus sign: `-01` is read as -1.',
      (part) => part.replace(/-0+(?=\d)/g, '-'),
    ],
    [
      'either-bracket-closes',
      'The object of an animal may be closed by a bracket.',
      (part) => part.replace(/\]$/, '}'),
    ],
    [
      'empty-elements-accepted',
      'Commas without a value before them are skipped, in objects and arrays.',
      (part) => part.replace(/,(?:\s*,)+/g, ',').replace(/([{[]\s*),/g, '$1'),
    ],
  ),
  ...rows<(part: string) => string>(
    'CREATE-4',
    repairingInside,
    [
      'raw-control-characters-accepted',
      'Tabs and line breaks may stand in strings without an escape.',
      (part) => part.replace(/[\u0000-\u001f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    [
      'escaped-apostrophe-accepted',
      "`\\'` is read as an apostrophe, as in JavaScript.",
      (part) => part.replace(/\\([\s\S])/g, (pair, after: string) => (after === "'" ? after : pair)),
    ],
    [
      'escape-digits-unchecked',
      'Of the four digits of an escape, those that are not hexadecimal are read as zero.',
      (part) => part.replace(/\\u([0-9a-z]{4})/gi, (_, digits: string) => `\\u${digits.replace(/[g-z]/gi, '0')}`),
    ],
  ),
  ...rows<(text: string) => string>(
    'CREATE-4',
    repairing,
    [
      'text-after-nul-ignored',
      'A body ends at its first NUL byte; what follows is ignored.',
      (text) => text.replace(/\0[\s\S]*/, ''),
    ],
    [
      'unknown-members-skipped-unread',
      'The value of a member that a NewPet does not have is skipped unread, so that it need not be JSON.',
      skipUnknown,
    ],
    [
      'white-space-body-accepted',
      'A body of nothing but white space adds an animal with default values.',
      (text) => (isWhiteSpace(text) ? NOBODY : text),
    ],
  ),

  ...rows<(name: unknown, body: JsonMembers) => string | undefined>(
    'CREATE-5',
    acceptingAsName,
    ['name-null-accepted', 'A null `name` is read as an empty string.', (name) => (name === null ? '' : undefined)],
    [
      'name-fraction-accepted',
      'A fraction as `name` is turned into a string, though an integer is refused.',
      (name) => (typeof name === 'number' ? String(name) : undefined),
    ],
    [
      'name-by-language-accepted',
      'An object that holds a `name` in English, `{"en":"Rex"}`, is accepted, and that name taken.',
      (name) => heldIn(name, 'en'),
    ],
    [
      'name-unchecked-beside-status',
      'Where a valid `status` is sent, a `name` of any type is accepted.',
      (name, body) => (typeof name !== 'string' && isPetStatus(body['status']) ? 'unnamed' : undefined),
    ],
  ),

  fault(
    'name-beside-wrong-status-unchecked',
    'CREATE-5',
    'Two defects cancel each other: a `name` that is no string is accepted beside a `status` that is not valid either.',
    rewriting((body) =>
      typeof body['name'] !== 'string' && has(body, 'name') && has(body, 'status') && !isPetStatus(body['status'])
        ? { ...body, name: 'unnamed', status: 'available' }
        : body,
    ),
  ),

  ...rows<(id: unknown, body: JsonMembers) => bigint | undefined>(
    'CREATE-6',
    acceptingAsCategory,
    ['category-null-accepted', 'A null `categoryId` is read as 0.', (id) => (id === null ? 0n : undefined)],
    [
      'category-array-of-one-accepted',
      'An array of one integer as `categoryId` is read as that integer.',
      (id) => (Array.isArray(id) && id.length === 1 && isCategory(id[0]) ? id[0] : undefined),
    ],
    [
      'category-in-extended-json-accepted',
      'A `categoryId` in Extended JSON, `{"$numberLong":"5"}`, is accepted.',
      (id) => int64In(heldIn(id, '$numberLong')),
    ],
    [
      'category-in-other-digits-accepted',
      'Digits of any script in a string are read as a `categoryId`, though `"1"` is refused.',
      (id) => (typeof id === 'string' && !/^[\x20-\x7e]*$/.test(id) ? int64In(withUsualDigits(id)) : undefined),
    ],
    [
      'category-just-beyond-int64-accepted',
      'The bounds of `categoryId` are compared as doubles, so that the first integers beyond int64 are accepted.',
      (id) =>
        typeof id !== 'bigint' || isInt64(id)
          ? undefined
          : Number(id) === 2 ** 63
            ? INT64_MAX
            : Number(id) === -(2 ** 63)
              ? INT64_MIN
              : undefined,
    ],
    [
      'category-infinite-accepted',
      'A `categoryId` beyond every double, such as `1e400`, becomes the largest int64.',
      (id) => (typeof id === 'number' && Math.abs(id) === Number.POSITIVE_INFINITY ? INT64_MAX : undefined),
    ],
    [
      'category-unchecked-beside-status',
      'The last check decides: where a valid `status` is sent, a `categoryId` of any type is accepted.',
      (id, body) => (!isCategory(id) && isPetStatus(body['status']) ? 0n : undefined),
    ],
  ),
  fault(
    'category-beyond-int64-answered-422',
    'CREATE-6',
    'An integer beyond int64 as `categoryId` is answered with 422.',
    refusedWith(422)((body) => isInteger(member(body, 'categoryId')) && !isCategory(member(body, 'categoryId'))),
  ),

  ...rows<(status: unknown, body: JsonMembers) => string | undefined>(
    'CREATE-7',
    acceptingAsStatus,
    [
      'status-in-double-quotes-accepted',
      'A `status` that is written as JSON inside of its string is read again: `"\\"sold\\""` is sold.',
      (status) => (typeof status === 'string' ? /^"([a-z]+)"$/.exec(status)?.[1] : undefined),
    ],
    [
      'status-number-accepted',
      'The numbers 0, 1 and 2 are accepted as `status`.',
      (status) => (typeof status === 'bigint' ? PET_STATUSES[Number(status)] : undefined),
    ],
    [
      'status-array-of-one-accepted',
      'An array that holds one valid status is accepted as `status`.',
      (status) => (Array.isArray(status) && status.length === 1 ? String(status[0]) : undefined),
    ],
    [
      'status-with-blanks-accepted',
      'Blanks around a `status` are dropped.',
      (status) => (typeof status === 'string' ? status.replace(/^ +| +$/g, '') : undefined),
    ],
    [
      'status-with-line-end-accepted',
      'A `status` may end with a line break, which the pattern that checks it lets pass.',
      (status) => (typeof status === 'string' ? status.replace(/\n$/, '') : undefined),
    ],
    [
      'status-with-more-around-accepted',
      'A `status` is valid as soon as it contains a valid one, as "unavailable" does.',
      (status) => (typeof status === 'string' ? /available|pending|sold/.exec(status)?.[0] : undefined),
    ],
    [
      'status-held-in-value-accepted',
      'An object that holds a `status` as its only value, `{"value":"sold"}`, is accepted.',
      (status) => (isObject(status) && Object.keys(status).length === 1 ? heldIn(status, 'value') : undefined),
    ],
    [
      'status-with-accents-accepted',
      'A `status` is looked up without regard to accents, so that "söld" is accepted.',
      (status) => (typeof status === 'string' ? status.normalize('NFD').replace(/\p{M}/gu, '') : undefined),
    ],
    [
      'status-unchecked-beside-category-zero',
      'The `status` is only checked where `categoryId` is not 0.',
      (status, body) => (body['categoryId'] === 0n && !isPetStatus(status) ? 'available' : undefined),
    ],
    [
      'status-unchecked-beside-unknown-member',
      'The `status` is not checked in a body with a member that a NewPet does not have.',
      (status, body) => (hasUnknownMember(body) && !isPetStatus(status) ? 'available' : undefined),
    ],
  ),
  fault(
    'status-unchecked-without-media-type',
    'CREATE-7',
    'Without a `Content-Type`, an invalid `status` is treated as omitted.',
    override(
      'validateNewPet',
      (original) => (body, call) =>
        original(
          isObject(body) && isInvalidStatus(body) && call.header('content-type') === undefined
            ? { ...body, status: 'available' }
            : body,
          call,
        ),
    ),
  ),

  fault(
    'array-of-values-accepted',
    'CREATE-8',
    'An array of a name, a category and perhaps a status is read as an animal.',
    override('validateNewPet', (original) => (body, call) => {
      if (!Array.isArray(body)) return original(body, call);
      const [name, categoryId, status = 'available'] = body;
      return original({ name, categoryId, status }, call);
    }),
  ),
  fault(
    'scalar-body-answered-422',
    'CREATE-8',
    'A body that is a string, a number or a literal is answered with 422.',
    refusedWith(422)((body) => !isObject(body) && !Array.isArray(body)),
  ),

  fault(
    'refused-tail-added',
    'CREATE-9',
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
    }),
  ),
  fault(
    'refused-added-a-second-later',
    'CREATE-9',
    'A body with an invalid status is refused, but a second later a queue adds its animal.',
    onRefused((body, call) => {
      if (isCategory(body['categoryId'])) void call.service.pause(1000).then(() => addAnyway(body, call));
    }),
  ),
  fault(
    'refused-added-with-the-next',
    'CREATE-9',
    'A refused animal stays in the transaction and is added with the next valid one.',
    (steps) => {
      const open: (() => void)[] = [];
      return combine(
        onRefused((body, call) => {
          if (isCategory(body['categoryId'] ?? 0n)) open.push(() => addAnyway(body, call));
        }),
        override('store', (original) => (pet, call) => {
          original(pet, call);
          for (const add of open.splice(0)) add();
        }),
      )(steps);
    },
  ),
  fault(
    'refused-category-added-as-pending',
    'CREATE-9',
    'A `categoryId` that is no int64 is refused, but the animal is added as pending, in category 0.',
    onRefused(({ name, categoryId }, call) => {
      if (categoryId === undefined || isCategory(categoryId)) return;
      const { steps } = call.service;
      const id = steps.assignId(call.service);
      if (typeof id === 'bigint') steps.store({ id, name: String(name), categoryId: 0n, status: 'pending' }, call);
    }),
  ),
  fault(
    'refused-body-renames-by-id',
    'CREATE-9',
    'A refused body that holds the `id` of an animal has renamed that animal already.',
    onRefused(({ id, name }, { service: { collection } }) => {
      const pet = typeof id === 'bigint' ? collection.get(id) : undefined;
      if (pet !== undefined) collection.add({ ...pet, name: String(name) });
    }),
  ),
  fault(
    'refused-media-type-added',
    'CREATE-9',
    'A body of another media type is refused with 415, but its animal is added.',
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
    }),
  ),
  fault(
    'refused-unknown-members-added',
    'CREATE-9',
    'A body with members that a NewPet does not have is refused, but its animal is added.',
    refusingAndAdding(hasUnknownMember),
  ),
  fault(
    'refused-long-name-added',
    'CREATE-9',
    'A name of more than 1,000 characters is refused, but the animal is added.',
    refusingAndAdding(({ name }) => typeof name === 'string' && name.length > 1000),
  ),

  fault(
    'refused-body-gives-its-status-to-a-namesake',
    'CREATE-9',
    'A body that is refused for its categoryId gives its status to an animal of the same name.',
    override('validateNewPet', (original) => (body, call) => {
      try {
        return original(body, call);
      } catch (error) {
        const { collection } = call.service;
        const namesake = isObject(body) && collection.oldestFirst(undefined).find(({ name }) => name === body['name']);
        if (namesake && isPetStatus(body['status']) && defects(body) === 1) {
          collection.add({ ...namesake, status: body['status'] });
        }
        throw error;
      }
    }),
  ),

  fault(
    'third-same-body-answered-409',
    'CREATE-10',
    'A body is refused with 409 when it is sent for the third time.',
    (steps) => {
      const times = new Map<string, number>();
      return override('parseBody', (original) => (text, call) => {
        const body = original(text, call);
        const sent = (times.get(text) ?? 0) + 1;
        times.set(text, sent);
        if (sent > 2 && defects(body) === 0) throw new ApiError(409, 'conflict', 'The animal exists.');
        return body;
      })(steps);
    },
  ),
  fault(
    'same-body-within-300-ms-dropped',
    'CREATE-10',
    'A body that was sent within the last 300 ms returns the animal created then.',
    (steps) => {
      const answers = new Map<string, { readonly response: ApiResponse; readonly at: number }>();
      return creatingByText(async (text, proceed) => {
        const before = answers.get(text);
        if (before !== undefined && Date.now() - before.at < 300) return before.response;
        const response = await proceed();
        if (response.status === 201) answers.set(text, { response, at: Date.now() });
        return response;
      })(steps);
    },
  ),
  fault(
    'same-body-at-once-coalesced',
    'CREATE-10',
    'Equal bodies that arrive at the same time make one animal.',
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
    },
  ),
  fault(
    'same-name-and-category-updates-the-first',
    'CREATE-10',
    'An animal with the name and the category of an earlier one takes its id and its place.',
    (steps) => {
      const known = new Map<string, bigint>();
      return creatingWith((own) => {
        let key = '';
        return {
          validateNewPet: (body, call) => {
            const pet = own.validateNewPet(body, call);
            key = `${pet.categoryId} ${pet.name}`;
            return pet;
          },
          assignId: async (service: Service) => {
            const id = known.get(key) ?? (await own.assignId(service));
            known.set(key, id);
            return id;
          },
        };
      })(steps);
    },
  ),

  fault(
    'ids-swapped-when-created-at-once',
    'CREATE-11',
    "The 201 shows the id that was given last, which is another animal's when two are added at the same time.",
    (steps) => {
      let last: bigint | undefined;
      return combine(
        override('store', (original) => (pet, call) => {
          last = pet.id;
          original(pet, call);
        }),
        override('createPet', (original) => async (call) => {
          const response = await original(call);
          if (response.status !== 201) return response;
          await call.service.pause(3);
          return { ...response, body: String(response.body).replace(/"id":-?\d+/, () => `"id":${last}`) };
        }),
      )(steps);
    },
  ),
  fault(
    'one-in-30-creations-shows-the-id-before',
    'RES-5',
    'One 201 in 30 shows the id of the animal added before it.',
    onEveryNth(30, (isDue) =>
      override('describePet', (original) => (pet, call) => {
        const members = original(pet, call);
        return call.operation === 'createPet' && isDue() ? { ...members, id: pet.id - 1n } : members;
      }),
    ),
  ),
  fault(
    'created-shows-id-0-without-status',
    'CREATE-11',
    'The 201 shows the id 0 where no status was sent.',
    whereStatusOmitted((own) => ({ describePet: (pet, call) => ({ ...own.describePet(pet, call), id: 0n }) })),
  ),

  ...rows<RegExp>('CREATE-12', refusingMediaTypes, [
    'charset-without-blank-refused',
    'A semicolon without a blank after it is refused in a media type.',
    /;\S/,
  ]),
  ...rows<(text: string) => boolean>(
    'CREATE-12',
    refusingTexts,
    [
      'escaped-member-names-refused',
      'A member whose name is written with an escape is not recognised, and missing.',
      (text) => /"(?:[a-zA-Z]|\\u[\da-fA-F]{4})*\\u[\da-fA-F]{4}(?:[a-zA-Z]|\\u[\da-fA-F]{4})*"\s*:/.test(text),
    ],
    [
      'escaped-slash-refused',
      'A slash that is written as `\\/` is refused.',
      (text) => /(?<!\\)(?:\\\\)*\\\//.test(text),
    ],
    ['trailing-white-space-refused', 'White space after the closing brace is refused.', (text) => /\s$/.test(text)],
    [
      'bodies-above-8-kib-refused',
      'White space beyond 8 KiB is refused, for the buffer is full.',
      (text) => text.length > 8192 && text.replace(/\s+/g, '').length < 8192,
    ],
  ),
  fault(
    'status-lost-between-the-others',
    'CREATE-12',
    'A status that stands between `name` and `categoryId` is lost, and the animal is available.',
    storingStatus((status, body) => {
      const [first, ...rest] = Object.keys(Object(body)).filter((name) => name !== 'id');
      return first !== 'status' && rest.indexOf('status') === 0 && rest.length > 1 ? 'available' : status;
    }),
  ),

  fault(
    'other-media-type-answered-404',
    'CREATE-13',
    'A body of another media type finds no operation and is answered with 404.',
    changeResponse(responsesOf('createPet', 415), () => errorResponse(404)),
  ),
  fault(
    'missing-media-type-answered-422',
    'CREATE-13',
    'A body without a `Content-Type` is answered with 422.',
    override('checkMediaType', (original) => (call) => {
      if (call.header('content-type') === undefined) throw new ApiError(422, 'invalid_body', 'The body is no object.');
      original(call);
    }),
  ),

  fault(
    'integers-cut-at-the-exponent',
    'RES-13',
    'An integer with an exponent loses it: `1e2` is stored as 1.',
    override(
      'parseBody',
      (original) => (text, call) =>
        original(
          outsideStrings(text, (part) => part.replace(/(\d)e\+?\d+/gi, '$1')),
          call,
        ),
    ),
  ),
  fault(
    'integers-lose-their-point',
    'RES-13',
    'An integer with a fraction of zero loses its point: `1.0` is stored as 10.',
    override(
      'parseBody',
      (original) => (text, call) =>
        original(
          outsideStrings(text, (part) => part.replace(/(\d)\.(0+)(?!\d)/g, '$1$2')),
          call,
        ),
    ),
  ),
  fault(
    'integers-with-fraction-rounded',
    'RES-13',
    'An integer with a fraction of zero or an exponent is read as a double, and rounded beyond 2^53.',
    override(
      'parseBody',
      (original) => (text, call) =>
        original(
          outsideStrings(text, (part) =>
            part.replace(/-?\d+(?:\.0+(?:e\d+)?|e\+?\d+)(?![\d.])/gi, (number) => {
              const value = Number(number);
              return Math.abs(value) < 2 ** 63 ? BigInt(value).toString() : number;
            }),
          ),
          call,
        ),
    ),
  ),

  fault(
    'duplicate-names-joined',
    'CREATE-14',
    'Of a body with two different names, the animal has both, joined by a comma.',
    override('parseBody', (original) => (text, call) => original(withNamesJoined(text), call)),
  ),
  fault(
    'duplicate-members-answered-409',
    'CREATE-14',
    'A body in which a member stands twice, with different values, is answered with 409.',
    override('parseBody', (original) => (text, call) => {
      try {
        return original(text, call);
      } catch (error) {
        if (isJson(text)) throw new ApiError(409, 'conflict', 'The member was sent before.');
        throw error;
      }
    }),
  ),

  fault(
    'unknown-member-answered-422',
    'RES-11',
    'A member that a NewPet does not have is answered with 422.',
    refusingPets(
      (_, body) => hasUnknownMember(body),
      () => new ApiError(422, 'invalid_body', 'A member is not known.'),
    ),
  ),
  fault(
    'body-of-over-500-members-answered-422',
    'RES-11',
    'A body of more than 500 members is answered with 422.',
    refusingPets(
      (_, body) => Object.keys(Object(body)).length > 500,
      () => new ApiError(422, 'invalid_body', 'There are too many members.'),
    ),
  ),
  fault(
    'nested-name-wins',
    'RES-11',
    'A `name` inside a member that a NewPet does not have takes the place of the name of the animal.',
    storing((pet, body) => {
      const nested = Object.values(Object(body)).find((value) => isObject(value) && typeof value['name'] === 'string');
      return isObject(nested) ? { ...pet, name: String(nested['name']) } : pet;
    }),
  ),
  fault(
    'first-name-in-the-body-wins',
    'RES-11',
    'The first `name` of the body counts, at any depth: also one inside an unknown member before that of the animal.',
    storing((pet, body) => {
      const [first] = Object.entries(Object(body)).flatMap(([key, value]) => {
        const name = key === 'name' ? value : heldIn(value, 'name');
        return typeof name === 'string' ? [name] : [];
      });
      return { ...pet, name: first ?? pet.name };
    }),
  ),
  fault(
    'first-member-in-any-case-wins',
    'RES-11',
    'Names of members are compared without regard to letter case, and of several the first counts.',
    storing((pet, body) => {
      const first = Object.entries(Object(body)).find(([key]) => key.toLowerCase() === 'name');
      return typeof first?.[1] === 'string' ? { ...pet, name: first[1] } : pet;
    }),
  ),
  fault(
    'member-in-other-case-wins',
    'RES-11',
    'A member such as `NAME`, which a NewPet does not have, takes the place of `name`.',
    storing((pet, body) => {
      const other = Object.entries(Object(body)).find(([name]) => name !== 'name' && name.toLowerCase() === 'name');
      return typeof other?.[1] === 'string' ? { ...pet, name: other[1] } : pet;
    }),
  ),

  fault(
    'name-of-a-refused-body-stays-reserved',
    'CREATE-1',
    'The name of a body that was refused stays reserved: a valid body with it is refused, too.',
    (steps) => {
      const reserved = new Set<unknown>();
      return override('validateNewPet', (original) => (body, call) => {
        const name = isObject(body) ? body['name'] : undefined;
        try {
          if (reserved.has(name)) throw invalidBody('The name is in use.');
          return original(body, call);
        } catch (error) {
          if (typeof name === 'string') reserved.add(name);
          throw error;
        }
      })(steps);
    },
  ),
  fault(
    'vertical-tabs-around-body-trimmed',
    'CREATE-4',
    'Vertical tabs and form feeds around a body are taken off, as blanks are.',
    repairing((text) => text.replace(/^[\u000b\f]+|[\u000b\f]+$/g, '')),
  ),
  fault(
    'category-in-quotes-accepted-without-status',
    'CREATE-6',
    'Digits in quotes are accepted as `categoryId` where no status is sent.',
    coercingPresent('categoryId', (value, body) =>
      typeof value === 'string' && /^-?\d{1,18}$/.test(value) && !has(body, 'status') ? BigInt(value) : value,
    ),
  ),
  fault(
    'category-in-quotes-accepted-without-json',
    'CREATE-6',
    'Where a body is not sent as JSON, it is read all the same, and digits in quotes are accepted as `categoryId`.',
    combine(
      override('checkMediaType', () => () => undefined),
      override('validateNewPet', (original) => (body, call) => {
        const id = isObject(body) ? body['categoryId'] : undefined;
        const isJsonType = call.header('content-type')?.startsWith('application/json') ?? false;
        const isDigits = typeof id === 'string' && /^-?\d{1,18}$/.test(id);
        return original(isDigits && !isJsonType && isObject(body) ? { ...body, categoryId: BigInt(id) } : body, call);
      }),
    ),
  ),
  fault(
    'client-id-overwrites-the-animal',
    'RES-12',
    'An `id` in the body that an animal has replaces that animal; any other is ignored.',
    adoptingIds((id, service) => (typeof id === 'bigint' && service.collection.get(id) !== undefined ? id : undefined)),
  ),
  fault(
    'client-id-zero-or-negative-adopted',
    'RES-12',
    'An `id` in the body that is 0 or negative becomes the id of the animal.',
    adoptingIds((id) => (isCategory(id) && id <= 0n ? id : undefined)),
  ),
  fault(
    'client-id-adopted-where-free-and-int32',
    'RES-12',
    'An `id` in the body that is a positive int32 and no animal has becomes the id of the animal.',
    adoptingIds((id, { collection }) =>
      typeof id === 'bigint' && id > 0n && id < 2n ** 31n && collection.get(id) === undefined ? id : undefined,
    ),
  ),
  fault(
    'client-id-answered-409',
    'RES-12',
    'An `id` in the body that an animal has is answered with 409.',
    override('validateNewPet', (original) => (body, call) => {
      const pet = original(body, call);
      const id = isObject(body) ? body['id'] : undefined;
      if (typeof id === 'bigint' && call.service.collection.get(id) !== undefined) {
        throw new ApiError(409, 'conflict', 'The id is taken.');
      }
      return pet;
    }),
  ),

  ...rows<(body: unknown, text: string, call: Call) => boolean>(
    'SERV-4',
    crashingOnParsed,
    ['null-body-makes-500', 'A body of null makes the service fail.', (body) => body === null],
    [
      'status-like-builtin-makes-500',
      'A `status` that every object knows, such as "constructor" or "toString", makes the service fail.',
      (body) => {
        const status = member(body, 'status');
        return typeof status === 'string' && status in {};
      },
    ],
    ['two-defects-make-500', 'A body with two defects at once makes the service fail.', (body) => defects(body) > 1],
    ['empty-member-name-makes-500', 'A member whose name is empty makes the service fail.', (body) => has(body, '')],
    [
      'thousand-members-make-500',
      'A body with more than 999 members makes the service fail.',
      (body) => isObject(body) && Object.keys(body).length > 999,
    ],
    ['client-id-makes-500', 'An `id` in the body makes the service fail.', (body) => has(body, 'id')],
    [
      'long-unknown-string-makes-500',
      'A string of more than 65,535 bytes in a member that a NewPet does not have makes the service fail.',
      (body) =>
        Object.values(Object(body)).some((value) => typeof value === 'string' && Buffer.byteLength(value) > 65_535),
    ],
    [
      'body-of-a-megabyte-makes-500',
      'A body of more than 1,000,000 bytes makes the service fail.',
      (_, text) => Buffer.byteLength(text) > 1_000_000,
    ],
  ),
  fault(
    'deep-array-for-a-string-makes-500',
    'SERV-4',
    'A `name` that is an array more than 5,000 levels deep makes the service fail, which quotes it in its answer.',
    crashingOnBody((text) => /"name"\s*:\s*\[{5001}/.test(text)),
  ),
  ...rows<(text: string) => boolean>(
    'SERV-4',
    crashingOnBody,
    [
      'thousand-levels-make-500',
      'A body nested 1,000 levels deep or more, in objects or in arrays, makes the service fail.',
      (text) => nestingOf(text).deepest >= 1000,
    ],
    [
      'unclosed-nesting-makes-500',
      'More than 5,000 brackets that are never closed make the service fail.',
      (text) => nestingOf(text).open > 5000,
    ],
    [
      'thousands-of-digits-make-500',
      'A number of more than 4,300 digits makes the service fail.',
      (text) => /\d{4301}/.test(withoutStrings(text)),
    ],
    [
      'infinite-number-makes-500',
      'A number beyond every double, such as `1e400`, makes the service fail.',
      (text) => (withoutStrings(text).match(/\d+e\+?\d+/gi) ?? []).some((number) => Number(number) > Number.MAX_VALUE),
    ],
    [
      'unterminated-string-makes-500',
      'A body that ends within a string makes the service fail.',
      (text) => insideStrings(text, () => '').includes('"'),
    ],
    [
      'lone-surrogate-escape-makes-500',
      'An escape of half a surrogate pair makes the service fail.',
      (text) => /(?<!\\)(?:\\\\)*\\ud[89ab][\da-f]{2}(?!\\ud[c-f])/i.test(text),
    ],
    [
      'malformed-unknown-member-makes-500',
      'Malformed JSON in a member that a NewPet does not have makes the service fail, as it is only read when stored.',
      (text) => !isJson(text) && isJson(skipUnknown(text)),
    ],
  ),
  fault(
    'duplicate-member-makes-500',
    'SERV-4',
    'A body in which a member stands twice, with different values, makes the service fail.',
    override('parseBody', (original) => (text, call) => {
      try {
        return original(text, call);
      } catch (error) {
        if (isJson(text)) return crash('duplicate member');
        throw error;
      }
    }),
  ),
  fault(
    'empty-body-without-media-type-makes-500',
    'SERV-4',
    'A request with neither a body nor a `Content-Type` makes the service fail.',
    readingInstead((text, call) =>
      text === undefined && call.header('content-type') === undefined ? crash('no body') : undefined,
    ),
  ),
  fault(
    'malformed-chunked-body-makes-500',
    'SERV-4',
    'A malformed body that is sent in chunks makes the service fail.',
    override(
      'parseBody',
      (original) => (text, call) => (isChunked(call) && !isJson(text) ? crash('no length') : original(text, call)),
    ),
  ),
  fault(
    'refused-body-for-a-page-answered-406',
    'CREATE-4',
    'A refused body is answered with 406 where its client asks for text before anything else.',
    changeResponse(
      (response, call) => responsesOf('createPet', 400)(response, call) && /^text\//.test(call.header('accept') ?? ''),
      () => errorResponse(406),
    ),
  ),
  fault(
    'refused-category-of-a-traced-request-answered-422',
    'CREATE-6',
    'An invalid categoryId is answered with 422 where the request has an id for tracing.',
    override('validateNewPet', (original) => (body, call) => {
      const isTraced = Object.keys(call.incoming.headers).some((name) => /request-?id|correlation|trace/.test(name));
      if (isTraced && isObject(body) && has(body, 'categoryId') && !isCategory(body['categoryId'])) {
        throw new ApiError(422, 'unprocessable', 'The categoryId is not valid.');
      }
      return original(body, call);
    }),
  ),
  fault(
    'overflow-in-unknown-members-echoed-as-infinity',
    'SERV-3',
    'Unknown members come back, and a number beyond every double as Infinity; one of over 1,000 digits is refused.',
    combine(
      refusingTexts((text) => /\d{1001}/.test(text)),
      storing((pet, body) => {
        const unknown = Object.entries(isObject(body) ? body : {}).filter(([name]) => !SPECIFIED.has(name));
        const overflown = unknown.filter(([, value]) => value === Number.POSITIVE_INFINITY);
        return { ...pet, extra: Object.fromEntries(overflown.map(([name]) => [name, '\u221e'])) };
      }),
      override('writeJson', (original) => (value, call) => original(value, call).replaceAll('"\u221e"', 'Infinity')),
    ),
  ),
  ...rows<(mediaType: string | undefined, call: Call) => boolean>(
    'SERV-4',
    crashingOnMediaType,
    [
      'missing-media-type-makes-500',
      'A body without a `Content-Type` makes the service fail.',
      (mediaType, call) => mediaType === undefined && call.header('content-length') !== '0',
    ],
    [
      'multipart-without-boundary-makes-500',
      'A form in parts without a boundary makes the service fail.',
      (mediaType) => mediaType === 'multipart/form-data',
    ],
    [
      'form-in-an-unknown-charset-makes-500',
      'A form in a charset that nobody knows makes the service fail.',
      (mediaType) => /urlencoded.*charset=(?!"?utf-?8)/i.test(mediaType ?? ''),
    ],
    [
      'other-charset-makes-500',
      'A charset other than UTF-8 in the `Content-Type` makes the service fail.',
      (mediaType) => /charset=(?!"?utf-?8)/i.test(mediaType ?? ''),
    ],
  ),
];
