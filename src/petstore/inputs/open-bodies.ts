import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { PetStatus } from '../contract-facts.ts';
import {
  bytesOf,
  JSON_TYPE,
  membersOf,
  type NewPet,
  type OneOf,
  type OpenBody,
  objectText,
  type Readings,
  textOf,
} from './body.ts';
import { BEYOND_A_DOUBLE, INT64_EDGES } from './int64.ts';
import { LONG_NAMES, OPEN_NAMES, type OpenName } from './names.ts';
import { LONG_EXPONENT, MANY_DIGITS, MANY_MEMBERS, MEBIBYTE, nested, VERY_DEEP } from './sizes.ts';
import { inside, type Members, objectOf } from './template.ts';
import { writtenMembers } from './valid-forms.ts';

/** Gives a pet that no other request adds. */
type Bases = (status?: PetStatus) => NewPet;

const TAKEN = { 201: 'accepts', 400: 'refuses' };

const OPEN: Readonly<Record<string, Readings>> = {
  'RES-10': TAKEN,
  'RES-11': TAKEN,
  'RES-12': { 201: 'assigns its own id where the client sends', 400: 'refuses' },
  'RES-13': { 201: 'accepts a categoryId written as', 400: 'refuses a categoryId written as' },
  'RES-14': TAKEN,
  'CREATE-13': { 201: 'accepts', 400: 'answers 400 to', 415: 'answers 415 to' },
  'CREATE-14': TAKEN,
  'CREATE-17': TAKEN,
};

function open(
  requirement: string,
  label: string,
  body: string | Uint8Array,
  pet: Partial<NewPet> = {},
): OpenBody & { readonly readings: Readings } {
  const bytes = typeof body === 'string' ? bytesOf(body) : body;
  const readings = OPEN[requirement] ?? {};
  return { kind: 'open', requirement, readings, label, bytes, contentType: JSON_TYPE, pet };
}

/** The body of `base` with a name that need not be accepted. */
export function openName(base: NewPet, { label, nameOf, lossy }: OpenName): OpenBody {
  const pet = { ...base, name: nameOf(base.name) };
  const { categoryId, status } = pet;
  return open('RES-10', label, textOf(pet), lossy ? { categoryId, status } : pet);
}

/**
 * The body of `base` in a category that the service may not know. It may refuse it only where the user has named the
 * ones that it knows.
 */
export function openCategory(base: NewPet, categoryId: bigint, known: readonly bigint[]): OpenBody {
  const pet = { ...base, categoryId };
  const body = open('RES-14', `the categoryId ${categoryId}`, textOf(pet), pet);
  return known.length > 0 ? body : { ...body, readings: { 201: 'accepts' } };
}

/** Bodies in categories that hardly any service knows: of the named ones, none. */
export function unknownCategories(bases: Bases, known: readonly bigint[]): readonly OpenBody[] {
  const unknown = INT64_EDGES.filter((category) => !known.includes(category));
  const telling = known.length > 0 ? unknown : [BEYOND_A_DOUBLE];
  return telling.map((category) => openCategory(bases('available'), category, known));
}

/** Members that a NewPet does not have: before those that it has, before the last of them, and behind them. */
interface UnknownMembers {
  readonly before?: Members;
  readonly beforeLast?: Members;
  readonly behind?: Members;
}

/** Those of one body each. */
const UNKNOWN_MEMBERS: Readonly<Record<string, UnknownMembers>> = {
  // None of these differs from a member of NewPet in its letter case alone: the list below has such.
  'unknown members of every type, and those that other services know': { beforeLast: [
    ['"color"', '"brown"'], ['"tags"', '["a","b"]'], ['"owner"', '{"name":"Ann","id":7,"categoryId":7,"status":"pending"}'], ['"price"', '12.5'], ['"vaccinated"', 'true'], ['"note"', 'null'],
    ['"_method"', '"DELETE"'], ['"_METHOD"', '"GET"'], ['"category"', '7'], ['"deleted"', 'true'], ['"photoUrls"', '["a","b","c"]'], ['"active"', 'false'],
    ...['uuid', 'key', 'parent', 'type', 'kind', 'state', 'title', 'displayName', 'nickname', 'owner_id', 'category_name', 'op', 'token', 'api_key'].map(
      (name) => [`"${name}"`, '"none"'] as const,
    ),
    ...['archived', 'hidden', 'draft', 'isDeleted', 'is_deleted', 'removed', 'expired', 'upsert', 'dryRun', 'validateOnly', 'private', 'disabled', 'sold', 'pending'].map(
      (name) => [`"${name}"`, 'true'] as const,
    ),
    ...['visible', 'enabled', 'published', 'available'].map((name) => [`"${name}"`, 'false'] as const),
    ...['version', 'count', 'quantity', 'ttl', 'category_id', 'order', 'limit'].map((name) => [`"${name}"`, '1'] as const),
    ...['deletedAt', 'deleted_at', 'expiresAt', 'createdAt', 'created_at', 'updatedAt'].map((name) => [`"${name}"`, '"2020-01-01T00:00:00Z"'] as const),
    ...['pet', 'data', 'attributes', 'item', 'animal', 'newPet', 'body'].map(
      (name) => [`"${name}"`, '{"name":"Ben","categoryId":8,"status":"available"}'] as const,
    ),
    ...['names', 'ids', 'categories'].map((name) => [`"${name}"`, '[{"id":7,"name":"other"}]'] as const),
    ['"hasOwnProperty"', '1'], ['"toString"', 'null'], ['"valueOf"', '"x"'], ['"length"', '-1'], ['"toJSON"', '{}'], ['"then"', 'true'], ['"balance"', '-0.0'],
  ] },
  'unknown members in other letter case': {
    before: [['"first"', '{"name":"Ben","id":8,"categoryId":8,"status":"available"}'], ['"Status"', '"sold"'], ['"NAME"', '"Other"'], ['"CategoryId"', '7'], ['"category_id"', '"x"']],
    behind: [['"STATUS"', '"available"'], ['"Name"', '"Else"'], ['"CATEGORYID"', '8'], ['"last"', '{"name":"Ben","id":8,"categoryId":8,"status":"available"}']],
  },
  // What a service may refuse stands with nothing that it would have to refuse for another reason: it would hide it.
  'unknown members that change objects of JavaScript': { behind: [
    ['"__proto__"', '{"status":"sold","id":7,"name":"Rex"}'], ['"constructor"', '{"prototype":{"status":"sold"}}'], ['"prototype"', '{}'],
  ] },
  'unknown members with odd names, or none': { behind: [
    ['""', '1'], ['" "', 'null'], ['"\\ud83d\\udc3e é \\" \\\\ \\n"', '" \\b\\f\\u001f "'], ['"$where"', '"1"'], ['"a.b[0]"', '{}'],
  ] },
  'unknown members with what databases hold no text of': { behind: [
    ['"a\\u0000b"', '1'], ['"\\u0000"', '1'], ['"name\\u0000"', '"Rex"'], ['"note"', '"\\u0000 \\ud800"'],
  ] },
}; // biome-ignore format: one table

/** Unknown members of unusual sizes and depths. */
const LARGE_UNKNOWN_MEMBERS: Readonly<Record<string, Members>> = {
  'an unknown member nested 500 deep': [['"extra"', nested(500, '{"a":', '}', '0')]],
  'an unknown member nested 10,000 deep': [['"extra"', nested(VERY_DEEP / 2, '[{"a":', '}]', '0')]],
  'unknown members with numbers of many digits, written out or not': [
    ['"extra"', MANY_DIGITS], ['"other"', `-${LONG_EXPONENT}`], ['"third"', '1e-99999'],
  ],
  'an unknown member with a number beyond a double': [['"extra"', '1e400']],
  'a thousand unknown members, a thousand in one of them, and a name of 20,000 characters': [
    ...MANY_MEMBERS, ['"extra"', `[${'1,'.repeat(999)}1]`], ['"other"', objectOf(MANY_MEMBERS)], [`"${'n'.repeat(20_000)}"`, 'true'],
  ],
}; // biome-ignore format: one table

/** The last is none: what fills it in is another part of a service than what reads it. */
const STATUSES_IN_TURN = ['sold', 'pending', undefined] as const;

/** Valid bodies with unknown members. @param existing the id of an animal, which some of them hold */
export function unknownMembers(bases: Bases, existing: bigint, known: readonly bigint[] = []): readonly OpenBody[] {
  const ids: Members = ['_id', 'petId', 'pet_id'].map((name) => [`"${name}"`, `${existing}`]);
  return Object.entries(UNKNOWN_MEMBERS).map(([label, { before = [], beforeLast = [], behind = [] }], at) => {
    const last = at === 0 ? ids : behind;
    const plain = bases(STATUSES_IN_TURN[at % STATUSES_IN_TURN.length]);
    const base = known.length > 0 ? plain : { ...plain, categoryId: BEYOND_A_DOUBLE };
    const written = writtenMembers(base);
    return open(
      'RES-11',
      label,
      objectOf([...before, ...written.slice(0, -1), ...beforeLast, ...written.slice(-1), ...last]),
      base,
    );
  });
}

/** Valid bodies with large or deep unknown members before the others; a service that keeps them shows long pages. */
export function largeUnknownMembers(bases: Bases): readonly OpenBody[] {
  const bodyWith = (label: string, members: Members, base: NewPet): OpenBody => ({
    ...open('RES-11', label, objectOf([...members, ...writtenMembers(base)]), base),
    readings: { 201: 'accepts', 400: 'refuses' },
  });
  const base = bases('available');
  const extra = (length: number): Members => [['"extra"', `"${'x'.repeat(length)}"`]];
  const empty = bytesOf(objectOf([...extra(0), ...writtenMembers(base)]));
  return [
    ...Object.entries(LARGE_UNKNOWN_MEMBERS).map(([label, members]) => bodyWith(label, members, bases('available'))),
    bodyWith('an unknown member that makes the body 1 MiB long', extra(MEBIBYTE - empty.length), base),
  ];
}

/** Valid bodies with an id chosen by the client. */
export function clientIds(bases: Bases, existing: bigint): readonly OpenBody[] {
  // In the range that every language reads exactly.
  const near = existing + (existing < 0n ? -1_000_003n : 1_000_003n);
  const ids: readonly (readonly [json: string, id: bigint | undefined, input: string])[] = [
    [`${existing}`, existing, 'the id of another animal'],
    [`${near}`, near, 'an id that no animal has'],
    ['0', 0n, 'the id 0'],
    [`"${near}"`, near, 'an id in quotes'],
    ['null', undefined, 'the id null'],
  ];
  return ids.map(([json, clientId, input]) => {
    // What fills in a status that is not sent may also take the rest of the body as it is.
    const base = bases(clientId === existing ? undefined : 'available');
    const text = objectText({ ...membersOf(base), id: json });
    const body = { ...open('RES-12', `an id that the client sends (${json})`, text, base), input };
    return clientId === undefined ? body : { ...body, clientId };
  });
}

/** An integer written with an exponent, or with a point, or with both: as JSON, and what it is. */
export function writtenIntegers(): fc.Arbitrary<readonly [json: string, value: bigint]> {
  const forms: readonly ((digits: string) => readonly [string, bigint])[] = [
    (digits) => [`${digits}e2`, BigInt(digits) * 100n],
    (digits) => [`${digits}E+1`, BigInt(digits) * 10n],
    (digits) => [`${digits}e+2`, BigInt(digits) * 100n],
    (digits) => [`${digits.slice(0, 1)}.${digits.slice(1)}e${digits.length - 1}`, BigInt(digits)],
    (digits) => [`${digits}0e-1`, BigInt(digits)],
    (digits) => [`${digits}.0`, BigInt(digits)],
    (digits) => [`${digits}${'0'.repeat(400)}e-400`, BigInt(digits)],
  ];
  return fc
    .tuple(fc.integer({ min: 10, max: 99_999 }), fc.constantFrom(...forms))
    .map(([value, form]) => form(`${value}`));
}

function exponentIn(json: string): string {
  if (!/e/i.test(json)) return 'a fraction of zero';
  if (json.includes('.')) return 'a fraction and an exponent';
  return json.includes('-') ? 'a negative exponent' : 'an exponent';
}

/** Bodies whose categoryId is an integer, written with a fraction of zero or an exponent. */
export function unusualIntegers(
  bases: Bases,
  known: readonly bigint[],
  others: readonly (readonly [json: string, value: bigint])[],
): readonly OpenBody[] {
  const written: readonly (readonly [json: string, value: bigint])[] = [
    ['1e2', 100n],
    ['-0', 0n],
    ['9007199254740993.0', 9007199254740993n],
  ];
  const inWords = (json: string): string =>
    written.some(([one]) => one === json)
      ? json
      : `an integer with ${json.length > 40 ? 'hundreds of zeros and ' : ''}${exponentIn(json)}`;
  const named = known.map((category) => [`${category}.0`, category] as const);
  return (known.length > 0 ? named : [...written, ...others]).map(([json, categoryId]) => {
    const base = bases('available');
    const shown = json.length > 40 ? `${json.slice(0, 5)}… (${json.length} characters)` : json;
    const text = objectText({ ...membersOf(base), categoryId: json });
    return { ...open('RES-13', `the categoryId ${shown}`, text, { ...base, categoryId }), input: inWords(json) };
  });
}

/** The valid body of `base` under this Content-Type, or under none. */
export function sentAs(base: NewPet, contentType: string | undefined): OpenBody {
  const label = contentType === undefined ? 'a body without a Content-Type' : `a body sent as ${contentType}`;
  return { ...open('CREATE-13', label, textOf(base), base), contentType };
}

/** A Content-Type that is missing, or not that of JSON, or written so that a service need not know it. */
export const NOT_JSON_TYPES: readonly (string | undefined)[] = [
  undefined, 'text/plain', 'application/json; charset=x-unknown', 'application/xml; note="pets"', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x',
  'application/vnd.petstore+json', 'APPLICATION/JSON', 'application/json, text/plain', 'application/json; charset=iso-8859-1', '*/*', 'multipart/form-data', 'text/xml',
  'application/x-www-form-urlencoded; charset=x-unknown', 'json',
]; // biome-ignore format: one list

/** Those of {@link NOT_JSON_TYPES} for which frameworks have a parser of its own, which may fail where there is no body. */
export const TYPES_WITH_A_PARSER = NOT_JSON_TYPES.filter(
  (type) => type !== undefined && /^(?:multipart|text\/xml)|x-unknown/.test(type),
);

/** Valid bodies under a Content-Type that is not JSON, or under none. */
export function otherMediaTypes(bases: Bases): readonly OpenBody[] {
  return NOT_JSON_TYPES.map((contentType) => sentAs(bases('available'), contentType));
}

/** Bodies with the same member twice; either value may count, and no third one. */
export function duplicateMembers(bases: Bases): readonly OpenBody[] {
  type Duplicate = readonly [text: string, certain: Partial<NewPet>, oneOf?: OneOf];
  const bodies: Readonly<Record<string, (members: Members, base: NewPet) => Duplicate>> = {
    'the name twice': (all, { name, categoryId }) => [`{${inside(all)},"name":"Other"}`, { categoryId }, { field: 'name', values: [name, 'Other'] }],
    'the categoryId twice': (all, { name, categoryId }) => [`{"categoryId":2,${inside(all)}}`, { name }, { field: 'categoryId', values: ['2', `${categoryId}`] }],
    'the status twice': (all, { name, categoryId }) => [`{"status":"sold",${inside(all)}}`, { name, categoryId }, { field: 'status', values: ['sold', 'available'] }],
    'the name twice with the same value': (all, base) => [`{${inside(all)},${inside(all.slice(0, 1))}}`, base],
    'the name twice, once null': (all, base) => [`{"name":null,${inside(all)}}`, base],
    'the status twice, once unknown': (all, base) => [`{"status":"none",${inside(all)}}`, base],
    'an unknown member twice': (all, base) => [`{"x":1,${inside(all)},"x":2}`, base],
    'the name twice, once in escapes': (all, { name, categoryId }) => [`{${inside(all)},"\\u006eame":"Other"}`, { categoryId }, { field: 'name', values: [name, 'Other'] }],
  }; // biome-ignore format: one table
  return Object.entries(bodies).map(([label, bodyOf]) => {
    const base = bases('available');
    const [text, certain, oneOf] = bodyOf(writtenMembers(base), base);
    return { ...open('CREATE-14', label, text, certain), oneOf };
  });
}

/** Bodies in bytes that are not plain UTF-8; that the service does not fail is all that is certain. */
export function otherEncodings(bases: Bases): readonly OpenBody[] {
  const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
  const withBytes = (raw: string) => (base: NewPet) =>
    latin1(textOf(base).replace(/"name":"[^"]*/, (name) => name + raw));
  const bodies: Readonly<Record<string, (base: NewPet) => Uint8Array>> = {
    'a byte order mark before the body': (base) => bytesOf(`\ufeff${textOf(base)}`),
    'a name that is not UTF-8': withBytes('\xff\xfe\xc0'),
    'a name in Latin-1': withBytes(' caf\xe9'),
    'a name with an overlong NUL': withBytes('\xc0\x80'),
    'a name with a surrogate in bytes': withBytes('\xed\xa0\x80'),
    'a name that ends inside a character': withBytes('\xf0\x9f\x90'),
    'a name in bytes beyond Unicode': withBytes('\xf4\x90\x80\x80'),
    'a body in UTF-16': (base) => new Uint8Array(Buffer.from(textOf(base), 'utf16le')),
    'a body in UTF-16 with a byte order mark': (base) => new Uint8Array(Buffer.from(`\ufeff${textOf(base)}`, 'utf16le')),
  }; // biome-ignore format: one table
  return Object.entries(bodies).map(([label, bytesFor]) => open('CREATE-17', label, bytesFor(bases('available'))));
}

/** Bodies that are no text at all. */
export function garbage(bases: Bases): readonly OpenBody[] {
  const bodies: Readonly<Record<string, (base: NewPet) => Uint8Array>> = {
    'a body of bytes in no order': () => Uint8Array.from({ length: 256 }, (_, at) => (at * 167 + 201) % 256),
    'a body compressed by gzip': (base) => new Uint8Array(gzipSync(textOf(base))),
    'a body in UTF-32': (base) => new Uint8Array([...textOf(base)].flatMap((letter) => [0, 0, 0, letter.codePointAt(0) ?? 0])),
    '1 MiB of bytes beyond UTF-8': () => new Uint8Array(MEBIBYTE).fill(0xff),
  }; // biome-ignore format: one table
  return Object.entries(bodies).map(([label, bytesFor]) => open('CREATE-17', label, bytesFor(bases('available'))));
}

/** A body that is not JSON; nothing but a 5xx is wrong with an answer to it. */
export function notJson(base: NewPet): OpenBody {
  const bytes = bytesOf(`${textOf(base)}]`);
  return { kind: 'open', label: 'a body that is not JSON', bytes, contentType: JSON_TYPE, pet: {} };
}

/** A valid body that holds the key too, as members in which some services look for one (RFC 6750, 2.2). */
export function withTheKey(base: NewPet, key: string): OpenBody {
  const members = ['access_token', 'token', 'api_key', 'apiKey', 'key', 'auth_token', 'authorization', 'jwt'].map(
    (name) => [`"${name}"`, JSON.stringify(key)] as const,
  );
  return open('RES-11', 'unknown members', objectOf([...writtenMembers(base), ...members]), base);
}

/** Names that need not be accepted, each in a body of its own. */
export function openNames(bases: Bases): readonly OpenBody[] {
  return OPEN_NAMES.map((name) => openName(bases('available'), name));
}

/** The same for names that are very long; pages are long that show them. */
export function longNames(bases: Bases): readonly OpenBody[] {
  return LONG_NAMES.map((name) => openName(bases('available'), name));
}
