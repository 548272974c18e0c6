import { isInt64, readNumberLiteral } from '../contract/exact-integer.ts';
import { integerAt, readJson } from '../contract/json.ts';
import { literalOf, type WrittenValue, writtenObject } from '../contract/written-object.ts';
import { MEMBERS, PET_STATUSES } from './contract-facts.ts';
import { type Body, isInAnotherFormat, JSON_TYPE, type NewPet, type OneOf, type OpenBody } from './inputs/body.ts';
import { LONGEST_CERTAIN_NAME } from './inputs/names.ts';
import { nameOfARunIn } from './inputs/new-pets.ts';
import { READINGS } from './inputs/open-bodies.ts';
import { AGREED_FIELDS } from './reply.ts';

/** What a member of a body holds: a value that must be accepted, one that may be, or one that must be refused. */
type Read<T> =
  | { readonly kind: 'valid' | 'open'; readonly requirement?: string; readonly value: T | undefined }
  | { readonly kind: 'invalid' };

const INVALID = { kind: 'invalid' } as const;

/** The media type of JSON, in small letters, with or without the charset UTF-8 in any form (CREATE-13). */
const IS_JSON = /^application\/json(?:;\s*charset=("?)utf-8\1)?$/;
const inSmallLetters = (type: string): string => type.replace(/;.*$/, (parameters) => parameters.toLowerCase());

/**
 * What the body of a createPet request asks for, read from its bytes: a valid animal; something that must be refused,
 * with the requirement that says so; or one of the points that the specification leaves open (part 4.2, and the open
 * points of the catalogue).
 *
 * @param label what reports call the body
 * @param categories the categories that the service knows, where the user has named them
 */
export function readBody(
  bytes: Uint8Array | undefined,
  contentType: string | undefined,
  label: string,
  categories: readonly bigint[] = [],
): Body {
  const refused = (requirement: string, failsAs: 'syntax' | 'schema'): Body => {
    const name = bytes && nameOfARunIn(new TextDecoder().decode(bytes));
    const traces = name === undefined ? {} : { name };
    return { kind: 'invalid', label, bytes, contentType, requirement, failsAs, traces };
  };
  if (bytes === undefined || bytes.length === 0) return refused('CREATE-3', 'syntax');
  const open = (requirement: string | undefined, pet: Partial<NewPet> = {}): OpenBody => {
    const judged = requirement === undefined ? {} : { requirement, readings: READINGS[requirement] ?? {} };
    return { kind: 'open', label, bytes, contentType, pet, ...judged };
  };
  if (isInAnotherFormat(bytes, contentType)) return open('CREATE-13');
  const json = readJson(bytes, MEMBERS);
  if (isInAnotherEncoding(bytes) || (json.kind === 'not json' && json.code !== 'not-json')) return open('CREATE-17');
  const object = writtenObject(new TextDecoder().decode(bytes));
  if (object === undefined) {
    if (json.kind === 'unread') return open(undefined);
    return json.kind === 'json' ? refused('CREATE-8', 'schema') : refused('CREATE-4', 'syntax');
  }
  const { members } = object;
  if (!members.has('name') || !members.has('categoryId')) return refused('CREATE-2', 'schema');
  // Of a body that is too deep, the literals of its numbers are not known.
  const exact = json.kind === 'json' ? integerAt(json, '/categoryId') : undefined;
  const fields = {
    name: valuesOf(members, 'name').map(readName),
    categoryId: valuesOf(members, 'categoryId').map((value) => readCategory(value, exact, categories)),
    status: valuesOf(members, 'status').map(readStatus),
  };
  for (const field of ['name', 'categoryId', 'status'] as const) {
    const read: readonly Read<unknown>[] = fields[field];
    if (read.length > 0 && read.every(({ kind }) => kind === 'invalid')) return refused(OWNERS[field], 'schema');
  }
  const [name, categoryId, status] = [certain(fields.name), certain(fields.categoryId), certain(fields.status)];
  const pet: Partial<NewPet> = {
    ...(name === undefined ? {} : { name }),
    ...(categoryId === undefined ? {} : { categoryId }),
    status,
  };
  if (object.repeatsMembers) {
    const repeated = AGREED_FIELDS.find((field) => fields[field].length > 1 && pet[field] === undefined);
    return { ...open('CREATE-14', pet), oneOf: repeated && oneOf(repeated, fields[repeated]) };
  }
  if (!IS_JSON.test(inSmallLetters(contentType ?? ''))) return open('CREATE-13', pet);
  if (members.has('id')) {
    return { ...open('RES-12', pet), clientId: idIn(members.get('id')?.[0]) };
  }
  if ([...members.keys()].some((name) => !(name in OWNERS))) return open('RES-11', pet);
  const openField = [...fields.name, ...fields.categoryId].find(({ kind }) => kind === 'open');
  if (openField?.kind === 'open') return open(openField.requirement, pet);
  if (name === undefined || categoryId === undefined) return open(undefined, pet);
  const requirement = status === undefined ? 'STATE-1' : 'CREATE-1';
  return {
    kind: 'valid',
    label,
    bytes,
    contentType: contentType ?? JSON_TYPE,
    pet: { name, categoryId, status },
    requirement,
  };
}

/** JSON begins with two ASCII characters, which no other encoding of Unicode writes without a NUL (RFC 4627, 3). */
const isInAnotherEncoding = ([first, second]: Uint8Array): boolean =>
  second !== undefined && (first === 0 || second === 0);

/** The requirement that says which values of a member are refused. */
const OWNERS: Readonly<Record<keyof NewPet, string>> = { name: 'CREATE-5', categoryId: 'CREATE-6', status: 'CREATE-7' };

type Members = ReadonlyMap<string, readonly WrittenValue[]>;

const valuesOf = (members: Members, name: string): readonly WrittenValue[] => members.get(name) ?? [];

function readName(value: WrittenValue): Read<string> {
  if (typeof value !== 'string') return INVALID;
  const isLossy = /\p{Cs}/u.test(value);
  const isOpen = value === '' || value.length > LONGEST_CERTAIN_NAME || isLossy || /\p{Cc}/u.test(value);
  if (!isOpen) return { kind: 'valid', value };
  return { kind: 'open', requirement: 'RES-10', value: isLossy ? undefined : value };
}

function readCategory(value: WrittenValue, exact: bigint | undefined, known: readonly bigint[]): Read<bigint> {
  const literal = literalOf(value);
  const integer = literal === undefined ? 'fraction' : (exact ?? readNumberLiteral(literal));
  if (typeof integer !== 'bigint' || !isInt64(integer)) return INVALID;
  if (`${integer}` !== literal) return { kind: 'open', requirement: 'RES-13', value: integer };
  if (known.length > 0 && !known.includes(integer)) return { kind: 'open', requirement: 'RES-14', value: integer };
  return { kind: 'valid', value: integer };
}

function readStatus(value: WrittenValue): Read<NewPet['status']> {
  const status = PET_STATUSES.find((known) => known === value);
  return status === undefined ? INVALID : { kind: 'valid', value: status };
}

/** The one value that a member may be read as; undefined where it may be read in several ways. */
function certain<T>(read: readonly Read<T>[]): T | undefined {
  const possible = read.filter((one) => one.kind !== 'invalid');
  const [first] = possible;
  return possible.every(({ value }) => value === first?.value) ? first?.value : undefined;
}

/** The values of a member of which one counts, where a body gives it more than once. */
const oneOf = (field: keyof NewPet, read: readonly Read<unknown>[]): OneOf => ({
  field,
  values: read.flatMap((one) => (one.kind === 'invalid' ? [] : [`${one.value}`])),
});

/** The id that a client sends, as a number or in quotes. */
function idIn(value: WrittenValue): bigint | undefined {
  const text = literalOf(value) ?? (typeof value === 'string' ? value : '');
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}
