import { PET_STATUSES } from '../contract/contract-facts.ts';
import { isInt64, readNumberLiteral } from '../contract/exact-integer.ts';
import { readJson } from '../contract/json.ts';
import { stringIn } from '../contract/json-scanner.ts';
import { readWritten } from '../contract/written-json.ts';
import { headerOf, type WireRequest } from '../http/message.ts';
import { syntaxDefect } from './body-defects.ts';
import { MEMBERS, type Member, type MemberValues, REQUIRED } from './members.ts';
import { type OpenPoint, POINTS, unusualOf } from './points.ts';
import type { PartReading } from './reading-part.ts';

/** The values that the members of an animal created from a body may have; undefined if any is possible. */
type PossibleAnimal = {
  /** `undefined` among them: the member was left out. */
  readonly [Name in Member]: readonly (MemberValues[Name] | undefined)[] | undefined;
};

/** Part 4.2: what the body says. */
export interface BodyReading extends PartReading {
  readonly animal: PossibleAnimal;
  /** The id that the client sends. */
  readonly clientId?: bigint | undefined;
  /** Its media type is JSON, may be taken for JSON, or is that of another format. */
  readonly media: 'json' | 'open' | 'other';
  /** It is sent in chunks, without a length. */
  readonly isChunked: boolean;
  /** It is longer than what every service must read. */
  readonly isLong: boolean;
  /** It is in another format, so the animal is not compared, and a rejection may have any body. */
  readonly isOtherFormat: boolean;
}

const ANYTHING: PossibleAnimal = { name: undefined, categoryId: undefined, status: undefined };
/** Names up to this many UTF-16 units must be accepted (policy). */
const LONGEST_CERTAIN_NAME = 1_000;
const MUST_BE_READ = 65_536;

type Value<T> =
  | { readonly kind: 'valid'; readonly value: T }
  | { readonly kind: 'open'; readonly point: OpenPoint; readonly value: T | undefined }
  | { readonly kind: 'invalid' };

/** What follows from the headers of a creation, whatever its body says. */
interface Frame {
  readonly facts: Pick<BodyReading, 'media' | 'isChunked' | 'isLong' | 'isOtherFormat' | 'gateway'>;
  readonly odd: readonly string[];
  readonly type: string | undefined;
}

function frameOf({ headers, body, chunkBytes }: WireRequest): Frame {
  const type = headerOf(headers, 'content-type');
  const coding = headerOf(headers, 'content-encoding');
  return {
    type,
    facts: {
      media: mediaOf(type),
      isChunked: chunkBytes !== undefined,
      isLong: (body?.length ?? 0) > MUST_BE_READ,
      isOtherFormat: false,
      gateway: /^multipart\/(?!.*;\s*boundary=)/i.test(type ?? '') ? 'multipart without a boundary' : undefined,
    },
    odd: [
      ...(mediaOf(type) === 'json' ? [] : [type === undefined ? 'no Content-Type' : `\`Content-Type: ${type}\``]),
      ...(coding === undefined ? [] : [`Content-Encoding: ${coding}`]),
      ...(DEEP.test(Buffer.from(body ?? []).toString('latin1')) ? ['deep nesting'] : []),
    ],
  };
}

const invalid = ({ facts, odd }: Frame, requirement: string, unusual: readonly string[] = []): BodyReading => ({
  ...facts,
  kind: 'invalid',
  requirement,
  points: [],
  unusual: [...odd, ...unusual],
  animal: ANYTHING,
});

const open = (
  { facts, odd }: Frame,
  points: readonly OpenPoint[],
  animal = ANYTHING,
  more: Partial<BodyReading> = {},
): BodyReading => ({
  ...facts,
  kind: 'open',
  requirement: points[0]?.requirement ?? 'CREATE-1',
  points,
  unusual: [...odd, ...unusualOf(points)],
  animal,
  ...more,
});

/** Reads the body of a creation. @param categories those that exist; empty for any */
export function readBody(request: WireRequest, categories: readonly bigint[]): BodyReading {
  const { headers, body } = request;
  const frame = frameOf(request);
  const coding = headerOf(headers, 'content-encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'identity' && body !== undefined) {
    return open(frame, [POINTS.contentCoding], ANYTHING, { isOtherFormat: true });
  }
  if (body === undefined || body.length === 0) return invalid(frame, 'CREATE-3');
  const json = readJson(body);
  const isOtherEncoding = body.length > 1 && (body[0] === 0 || body[1] === 0);
  if (frame.facts.media === 'other' && (json.kind === 'not json' || isOtherEncoding)) {
    return open(frame, [POINTS.otherFormat], ANYTHING, { isOtherFormat: true });
  }
  const fault = json.kind === 'not json' ? json.code : undefined;
  if (fault === 'byte-order-mark' && !isOtherEncoding) return open(frame, [POINTS.byteOrderMark]);
  if (fault === 'not-utf8' || isOtherEncoding) return open(frame, [POINTS.notUtf8]);
  if (json.kind === 'unread') return open(frame, []);
  const text = Buffer.from(body).toString('utf8');
  if (fault === 'not-json') {
    return invalid(frame, 'CREATE-4', ODD_TOKENS.test(text) ? [syntaxDefect(text).says] : []);
  }
  return readMembers(text, frame, categories, request.chunkBytes !== undefined);
}

/** Reads the members of a body that is JSON. */
function readMembers(text: string, frame: Frame, categories: readonly bigint[], isInChunks: boolean): BodyReading {
  const { members, repeatsMembers } = readWritten(text);
  if (members === undefined) return invalid(frame, 'CREATE-8');
  if (!REQUIRED.every((name) => members.has(name))) return invalid(frame, 'CREATE-2');
  const names = (members.get('name') ?? []).map(readName);
  const ids = (members.get('categoryId') ?? []).map((written) => readCategory(written, categories));
  const statuses = (members.get('status') ?? []).map(readStatus);
  if (names.every(isInvalid)) return invalid(frame, 'CREATE-5');
  if (ids.every(isInvalid)) return invalid(frame, 'CREATE-6');
  if (statuses.length > 0 && statuses.every(isInvalid)) return invalid(frame, 'CREATE-7');
  const animal: PossibleAnimal = {
    name: possible(names),
    categoryId: possible(ids),
    status: statuses.length === 0 ? [undefined] : possible(statuses),
  };
  const points = [
    ...(repeatsMembers ? [POINTS.memberTwice] : []),
    ...(frame.facts.media === 'json' ? [] : [mediaPoint(frame.type)]),
    ...(members.has('id') ? [POINTS.clientId] : []),
    ...([...members.keys()].some((name) => !KNOWN.has(name)) ? [POINTS.unknownMembers] : []),
    ...[...names, ...ids].flatMap((one) => (one.kind === 'open' ? [one.point] : [])),
  ];
  if (points.length > 0) return open(frame, points, animal, { clientId: idIn(members.get('id')?.[0]) });
  const [sent = ''] = animal.name ?? [];
  const [category = 0n] = animal.categoryId ?? [];
  const [status] = animal.status ?? [];
  const isUsualJson = text === usualJson(sent, category, status) && frame.type === 'application/json';
  return {
    ...frame.facts,
    kind: 'valid',
    requirement: !isUsualJson ? 'CREATE-12' : isInChunks ? 'CREATE-16' : aboutAnimal(sent, category, status),
    points: [],
    unusual: [...frame.odd, ...(isUsualJson ? [] : ['unusual JSON']), ...oddCharacters(sent)],
    animal,
  };
}

/** What is unusual about a name: its first characters that are neither ASCII letters nor digits. */
function oddCharacters(name: string): readonly string[] {
  if (name.trim() === '') return ['a name of blanks'];
  const odd = [...new Set(name.replace(/[\w -]/g, ''))];
  const shown = odd.slice(0, 3).map((one) => (/[!-~]/.test(one) ? one : `U+${hex(one)}`));
  return odd.length === 0 ? [] : [`a name with ${shown.join(' ')}${odd.length > shown.length ? ' …' : ''}`];
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

const KNOWN: ReadonlySet<string> = new Set(['id', ...MEMBERS]);
/** Names of plain requests. */
const USUAL_NAME = /^conformance \w{5} \d{4}$/;
const ODD_TOKENS = /NaN|Infinity|undefined|\\|0x|\d_\d|[\0-\x08\x0b-\x1f]|[^\0-\x7f]/;

const DEEP = /(?:\[|\{"[^"]*":){100}/;

const usualJson = (name: string, category: bigint, status: string | undefined): string =>
  `{"name":${JSON.stringify(name)},"categoryId":${category}${status === undefined ? '' : `,"status":"${status}"`}}`;

/** The requirement that a valid animal in plain JSON is about. */
function aboutAnimal(name: string, category: bigint, status: string | undefined): string {
  if (!USUAL_NAME.test(name)) return 'RES-6';
  if (category < 1n || category > 99n) return 'RES-7';
  return status === undefined ? 'STATE-1' : 'CREATE-1';
}

/** The media type of JSON, that of another format, or one that leaves open what the body is. */
function mediaOf(type: string | undefined): 'json' | 'open' | 'other' {
  if (type === undefined) return 'open';
  if (/^application\/json(?:;[ \t]*charset=("?)utf-8\1)?$/i.test(type) && /^application\/json/.test(type))
    return 'json';
  return /form|xml|yaml|csv|msgpack|cbor|octet-stream|toml|protobuf|html/i.test(type) ? 'other' : 'open';
}

function mediaPoint(type: string | undefined): OpenPoint {
  if (type === undefined) return POINTS.noMediaType;
  return /^application\/json/i.test(type) ? POINTS.jsonSpelling : POINTS.otherMediaType;
}

const isInvalid = ({ kind }: { readonly kind: string }): boolean => kind === 'invalid';

/** The values that a member may be read as; undefined if any is possible. */
function possible<T>(values: readonly Value<T>[]): readonly T[] | undefined {
  const read = values.flatMap((one) => (one.kind === 'invalid' ? [] : [one.value]));
  const known = read.flatMap((value) => (value === undefined ? [] : [value]));
  return known.length < read.length ? undefined : known;
}

const INVALID = { kind: 'invalid' } as const;

function readName(written: string): Value<string> {
  const value = stringIn(written);
  if (value === undefined) return INVALID;
  const isLossy = /\p{Cs}/u.test(value);
  const point =
    value === ''
      ? POINTS.emptyName
      : value.length > LONGEST_CERTAIN_NAME
        ? POINTS.longName
        : isLossy
          ? POINTS.surrogateInName
          : /\p{Cc}/u.test(value)
            ? POINTS.controlInName
            : undefined;
  if (point === undefined) return { kind: 'valid', value };
  return { kind: 'open', point, value: isLossy ? undefined : value };
}

function readCategory(written: string, known: readonly bigint[]): Value<bigint> {
  const integer = /^[-\d]/.test(written) ? readNumberLiteral(written) : undefined;
  if (integer === undefined || !isInt64(integer)) return INVALID;
  if (`${integer}` !== written) return { kind: 'open', point: integerPoint(written), value: integer };
  if (known.length > 0 && !known.includes(integer))
    return { kind: 'open', point: POINTS.unknownCategory, value: integer };
  return { kind: 'valid', value: integer };
}

const integerPoint = (literal: string): OpenPoint =>
  /^-0$/.test(literal) ? POINTS.minusZero : /e/i.test(literal) ? POINTS.exponent : POINTS.fractionOfZero;

function readStatus(written: string): Value<string> {
  const status = PET_STATUSES.find((known) => known === stringIn(written));
  return status === undefined ? INVALID : { kind: 'valid', value: status };
}

function idIn(written = ''): bigint | undefined {
  const text = stringIn(written) ?? written;
  return /^-?\d+$/.test(text) ? BigInt(text) : undefined;
}
