import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readNumberLiteral } from '../../contract/exact-integer.ts';
import type { PetStatus } from '../contract-facts.ts';
import { bytesOf, JSON_TYPE, type NewPet, type OpenBody, type Readings, textOf } from './body.ts';
import { BEYOND_A_DOUBLE, INT64_EDGES } from './int64.ts';
import { nameFrom } from './name-template.ts';
import { LONG_NAMES, OPEN_NAMES, type OpenName } from './names.ts';
import {
  DUPLICATE_MEMBERS,
  type Encoding,
  GARBAGE,
  LARGE_UNKNOWN_MEMBERS,
  NOT_JSON_TYPES,
  OTHER_ENCODINGS,
  UNKNOWN_MEMBERS,
  WRITTEN_INTEGERS,
} from './open-tables.ts';
import { filled } from './template.ts';
import { writtenMembers } from './valid-forms.ts';

/** Gives a pet that no other request adds. */
type Bases = (status?: PetStatus) => NewPet;

const TAKEN = { 201: 'accepts', 400: 'refuses' };

/** What a service does at each open point that is about a body. */
export const READINGS: Readonly<Record<string, Readings>> = {
  'RES-10': TAKEN,
  'RES-11': TAKEN,
  'RES-12': { 201: 'assigns its own id where the client sends', 400: 'refuses' },
  'RES-13': { 201: 'accepts a categoryId written as', 400: 'refuses a categoryId written as' },
  'RES-14': TAKEN,
  'CREATE-13': { 201: 'accepts', 400: 'answers 400 to', 415: 'answers 415 to' },
  'CREATE-14': TAKEN,
  'CREATE-17': TAKEN,
};

type Open = OpenBody & { readonly readings: Readings };

/** @param pet what an animal that is made of it must hold */
function open(requirement: string, label: string, body: string | Uint8Array, pet: Partial<NewPet>): Open {
  const bytes = typeof body === 'string' ? bytesOf(body) : body;
  return {
    kind: 'open',
    requirement,
    readings: READINGS[requirement] ?? {},
    label,
    bytes,
    contentType: JSON_TYPE,
    pet,
  };
}

/** The body of `base` by a template, see {@link filled}; an animal that is made of it must be as `base` says. */
const openTemplate = (requirement: string, label: string, template: string, base: NewPet): Open =>
  open(requirement, label, filled(template, writtenMembers(base)), base);

/** The body of `base` with a name that need not be accepted. */
function openName(base: NewPet, { label, name, lossy }: OpenName): OpenBody {
  const pet = { ...base, name: nameFrom(name, base.name) };
  const { categoryId, status } = pet;
  return open('RES-10', label, textOf(pet), lossy ? { categoryId, status } : pet);
}

/** Names that need not be accepted, each in a body of its own. */
export function openNames(bases: Bases): readonly OpenBody[] {
  return OPEN_NAMES.map((name) => openName(bases('available'), name));
}

/** The same for names that are very long; pages are long that show them. */
export function longNames(bases: Bases): readonly OpenBody[] {
  return LONG_NAMES.map((name) => openName(bases('available'), name));
}

/**
 * Bodies in categories that hardly any service knows: of the named ones, none. A service may refuse them only where the
 * user has named the ones that it knows.
 */
export function unknownCategories(bases: Bases, known: readonly bigint[]): readonly OpenBody[] {
  const isOpen = known.length > 0;
  const categories = isOpen ? INT64_EDGES.filter((category) => !known.includes(category)) : [BEYOND_A_DOUBLE];
  return categories.map((categoryId) => {
    const pet = { ...bases('available'), categoryId };
    const body = open('RES-14', `the categoryId ${categoryId}`, textOf(pet), pet);
    return isOpen ? body : { ...body, readings: { 201: 'accepts' } };
  });
}

/** The last is none: what fills it in is another part of a service than what reads it. */
const STATUSES_IN_TURN = ['sold', 'pending', undefined] as const;

/** Valid bodies with unknown members. @param existing the id of an animal, which some of them hold */
export function unknownMembers(bases: Bases, existing: bigint, known: readonly bigint[] = []): readonly OpenBody[] {
  return Object.entries(UNKNOWN_MEMBERS).map(([label, template], at) => {
    const plain = bases(STATUSES_IN_TURN[at % STATUSES_IN_TURN.length]);
    const base = known.length > 0 ? plain : { ...plain, categoryId: BEYOND_A_DOUBLE };
    return openTemplate('RES-11', label, template.replaceAll('%id%', `${existing}`), base);
  });
}

/** Valid bodies with large or deep unknown members before the others; a service that keeps them shows long pages. */
export function largeUnknownMembers(bases: Bases): readonly OpenBody[] {
  return Object.entries(LARGE_UNKNOWN_MEMBERS).map(([label, template]) =>
    openTemplate('RES-11', label, template, bases('available')),
  );
}

/** A valid body that holds the key too, as members in which some services look for one (RFC 6750, 2.2). */
export function withTheKey(base: NewPet, key: string): OpenBody {
  const names = ['access_token', 'token', 'api_key', 'apiKey', 'key', 'auth_token', 'authorization', 'jwt'];
  const keys = names.map((name) => `"${name}":${JSON.stringify(key)}`).join(',');
  return open('RES-11', 'unknown members', `${textOf(base).slice(0, -1)},${keys}}`, base);
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
    const body = openTemplate('RES-12', `an id that the client sends (${json})`, `{%members%,"id":${json}}`, base);
    return { ...body, input, ...(clientId !== undefined && { clientId }) };
  });
}

/** An integer written with an exponent, or with a point, or with both, as JSON. */
export function writtenIntegers(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: 10, max: 99_999 }).map(String), fc.constantFrom(...WRITTEN_INTEGERS))
    .map(([digits, form]) =>
      form
        .replace('DIGITS', digits)
        .replace('FIRST', digits.slice(0, 1))
        .replace('REST', digits.slice(1))
        .replace('PLACES', `${digits.length - 1}`),
    );
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
  others: readonly string[],
): readonly OpenBody[] {
  const written = ['1e2', '-0', '9007199254740993.0'];
  const inWords = (json: string): string =>
    written.includes(json)
      ? json
      : `an integer with ${json.length > 40 ? 'hundreds of zeros and ' : ''}${exponentIn(json)}`;
  const named = known.map((category) => `${category}.0`);
  return (known.length > 0 ? named : [...written, ...others]).map((json) => {
    const base = bases('available');
    const shown = json.length > 40 ? `${json.slice(0, 5)}… (${json.length} characters)` : json;
    const text = filled('{%members%}', writtenMembers(base), { categoryId: json });
    const value = readNumberLiteral(json);
    const pet = typeof value === 'bigint' ? { ...base, categoryId: value } : base;
    return { ...open('RES-13', `the categoryId ${shown}`, text, pet), input: inWords(json) };
  });
}

/** The valid body of `base` under this Content-Type, or under none. */
export function sentAs(base: NewPet, contentType: string | undefined): OpenBody {
  const label = contentType === undefined ? 'a body without a Content-Type' : `a body sent as ${contentType}`;
  return { ...open('CREATE-13', label, textOf(base), base), contentType };
}

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
  return DUPLICATE_MEMBERS.map(([label, template, certain, oneOf]) => {
    const base = bases('available');
    const members = writtenMembers(base);
    const pet = Object.fromEntries(certain.map((member) => [member, base[member]]));
    return {
      ...open('CREATE-14', label, filled(template, members), pet),
      oneOf: oneOf && { ...oneOf, values: oneOf.values.map((value) => filled(value, members)) },
    };
  });
}

const ENCODED: Readonly<Record<Encoding, (text: string) => Uint8Array>> = {
  'utf-8': bytesOf,
  latin1: (text) => new Uint8Array(Buffer.from(text, 'latin1')),
  utf16le: (text) => new Uint8Array(Buffer.from(text, 'utf16le')),
  'UTF-32': (text) => new Uint8Array([...text].flatMap((letter) => [0, 0, 0, letter.codePointAt(0) ?? 0])),
  gzip: (text) => new Uint8Array(gzipSync(text)),
};

const encoded = (bases: Bases, rows: typeof OTHER_ENCODINGS): readonly OpenBody[] =>
  rows.map(([label, encoding, template]) => {
    const text = filled(template, writtenMembers(bases('available')));
    return open('CREATE-17', label, ENCODED[encoding](text), {});
  });

/** Bodies in bytes that are not plain UTF-8; that the service does not fail is all that is certain. */
export const otherEncodings = (bases: Bases): readonly OpenBody[] => encoded(bases, OTHER_ENCODINGS);

/** Bodies that are no text at all. */
export const garbage = (bases: Bases): readonly OpenBody[] => encoded(bases, GARBAGE);

/** A body that is not JSON; nothing but a 5xx is wrong with an answer to it. */
export function notJson(base: NewPet): OpenBody {
  const bytes = bytesOf(`${textOf(base)}]`);
  return { kind: 'open', label: 'a body that is not JSON', bytes, contentType: JSON_TYPE, pet: {} };
}
