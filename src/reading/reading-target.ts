import { LIMIT, PET_STATUSES } from '../contract/contract-facts.ts';
import { isInt64 } from '../contract/exact-integer.ts';
import { OPERATIONS } from './call.ts';
import { type OpenPoint, POINTS, unusualOf } from './points.ts';
import type { PartReading } from './reading-part.ts';

/** Part 4.1: what the query says. */
export interface QueryReading extends PartReading {
  /** The most animals that the page may have. */
  readonly atMost: number;
  /** The statuses that the page may show: undefined for all, none for an empty page. */
  readonly statuses: readonly string[] | undefined;
  /** The page may be empty even if animals match. */
  readonly mayBeEmpty: boolean;
  /** Its decoded parameters, sorted by name: equal for equal queries. */
  readonly text: string;
  readonly limit: ParameterReading['kind'];
  readonly status: ParameterReading['kind'];
  /** It has parameters that the specification does not mention: any page is permitted. */
  readonly isUnknown: boolean;
  /** The path is spelled differently: any response is permitted, but no animal without a key. */
  readonly isOtherPath: boolean;
}

/** Part 4.3: what the path says. */
export interface IdReading extends PartReading {
  /** The int64 that it is or may be read as. */
  readonly id: bigint | undefined;
  /** A router that decodes first sees another path: any body is permitted, and a redirect. */
  readonly isOtherPath: boolean;
}

const IDS = OPERATIONS.getPet.ids;

/** A text without percent-encoding; undefined if that is malformed or not UTF-8. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const ZERO = /^[-+]?0+(?:\.0*)?$/;

/** What a parameter says. */
interface ParameterReading {
  readonly kind: 'absent' | 'valid' | 'open';
  readonly point?: OpenPoint | undefined;
  /** The page may be empty even if animals match. */
  readonly mayBeEmpty: boolean;
}
/** Its decoded values, undefined where that is not possible. */
type Values = readonly (string | undefined)[];
const ABSENT = { kind: 'absent', mayBeEmpty: false } as const;

/** The parameters of listPets; others are unknown. */
const PARAMETERS = { limit: readLimit, status: readStatus } as const;

function readLimit(values: Values): ParameterReading & { readonly atMost: number } {
  const [text] = values;
  if (values.length === 0) return { ...ABSENT, atMost: LIMIT.default };
  if (values.length === 1 && text !== undefined && /^(?:[1-9]\d?|100)$/.test(text))
    return { kind: 'valid', mayBeEmpty: false, atMost: Number(text) };
  const mayBeEmpty = values.some((one) => ZERO.test(one?.trim() ?? ''));
  return { kind: 'open', point: limitPoint(values), mayBeEmpty, atMost: LIMIT.maximum };
}

function readStatus(values: Values): ParameterReading & Pick<QueryReading, 'statuses'> {
  const known = PET_STATUSES.filter((status) => values.includes(status));
  if (values.length === 0) return { ...ABSENT, statuses: undefined };
  if (values.length === 1 && known.length === 1) return { kind: 'valid', mayBeEmpty: false, statuses: known };
  // An empty status may be read as absent.
  const statuses = values.includes('') ? undefined : known;
  return { kind: 'open', point: statusPoint(values), mayBeEmpty: true, statuses };
}

export function readQuery(target: string): QueryReading {
  const [path = '', text] = split(target, '?');
  const pieces = text === undefined || text === '' ? [] : text.split('&');
  const pairs = pieces.filter((piece) => piece !== '').map((piece) => split(piece, '='));
  const parameters = pairs.map(([name, value = '']) => [decoded(name) ?? name, decoded(value)] as const);
  const valuesOf = (name: keyof typeof PARAMETERS): Values =>
    parameters.flatMap(([one, value]) => (one === name ? [value] : []));
  const limit = PARAMETERS.limit(valuesOf('limit'));
  const status = PARAMETERS.status(valuesOf('status'));
  const read: readonly ParameterReading[] = [limit, status];
  const hasEmptyParameter = pieces.length > pairs.length;
  const isUnknown = parameters.some(([name]) => !Object.hasOwn(PARAMETERS, name));
  const isMalformed = parameters.some(([, value]) => value === undefined) || decoded(text ?? '') === undefined;
  const points = [...read.flatMap(({ point }) => point ?? []), ...(hasEmptyParameter ? [POINTS.emptyParameter] : [])];
  const isOpen = points.length > 0 || isUnknown || isMalformed;
  return {
    kind: isOpen ? 'open' : 'valid',
    requirement: listRequirement(limit, status, hasEmptyParameter),
    points,
    unusual: [...(/%/.test(text ?? '') ? ['percent-encoding'] : []), ...unusualOf(points)],
    gateway: isMalformed
      ? 'malformed percent-encoding'
      : /%(?:[01][0-9a-f]|7f)/i.test(text ?? '')
        ? 'a control character in the query'
        : undefined,
    atMost: limit.atMost,
    statuses: status.statuses,
    mayBeEmpty: read.some(({ mayBeEmpty }) => mayBeEmpty),
    text: parameters
      .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
    limit: limit.kind,
    status: status.kind,
    isUnknown,
    isOtherPath: path !== OPERATIONS.listPets.path,
  };
}

/** The requirement that says how to respond to a list request. */
function listRequirement(
  limit: ReturnType<typeof readLimit>,
  status: ParameterReading,
  hasEmptyParameter: boolean,
): string {
  if (limit.kind === 'open') return 'LIST-10';
  if (status.kind === 'open') return 'LIST-11';
  if (hasEmptyParameter) return 'LIST-10';
  if (limit.kind === 'absent') return status.kind === 'valid' ? 'LIST-6' : 'LIST-1';
  if (status.kind === 'valid') return 'LIST-9';
  return limit.atMost === LIMIT.minimum ? 'LIM-1' : limit.atMost === LIMIT.maximum ? 'LIM-2' : 'LIST-5';
}

function limitPoint(limits: Values): OpenPoint {
  const [limit] = limits;
  if (limits.length > 1) return POINTS.limitTwice;
  if (limit === undefined) return POINTS.malformedLimit;
  if (limit === '') return POINTS.emptyLimit;
  if (/^-?\d+$/.test(limit) && !/^-?0\d/.test(limit)) {
    const value = BigInt(limit);
    return value === 0n ? POINTS.limitOfZero : value < 0n ? POINTS.limitBelowZero : POINTS.limitTooLarge;
  }
  return /^\s*[-+]?\d+(?:\.0*)?\s*$/.test(limit) ? POINTS.limitSpelling : POINTS.limitNoInteger;
}

function statusPoint(statuses: Values): OpenPoint {
  const [status] = statuses;
  if (statuses.length > 1) return POINTS.statusTwice;
  if (status === undefined) return POINTS.malformedStatus;
  if (status === '') return POINTS.emptyStatus;
  if (PET_STATUSES.some((known) => known === status.toLowerCase())) return POINTS.statusCase;
  if (PET_STATUSES.some((known) => known === status.trim())) return POINTS.statusBlanks;
  if (status.includes(',')) return POINTS.statusList;
  return /^[\w-]+$/.test(status) ? POINTS.unknownStatus : POINTS.malformedStatus;
}

/** What gateways may reject in a path (policy). */
const REJECTED_BY_GATEWAYS = /[;:&]|%(?:25|3b|23|3f|5c|00|[01][0-9a-f]|7f)/i;

export function readId(target: string): IdReading {
  const [path = ''] = split(target, '?');
  const text = path.slice('/pets/'.length);
  const plain = decoded(text);
  const isOtherPath =
    plain !== undefined &&
    (plain.includes('/') || plain === '.' || plain === '..' || plain === '' || /(^|\/)\.{1,2}(\/|$)/.test(plain));
  const gateway =
    plain === undefined
      ? 'malformed percent-encoding'
      : REJECTED_BY_GATEWAYS.test(text) || /^\.{0,2}$/.test(plain) || /(^|\/)\.{1,2}(\/|$)/.test(plain)
        ? 'text that gateways reject in a path'
        : text.length > 1_000
          ? 'a very long path'
          : undefined;
  // Where slashes are merged, `12/` and `/12` are another spelling of 12; where dot segments are resolved, `x/../12` is.
  const resolved = plain === undefined ? '' : withoutDotSegments(plain);
  const [, sign = '', digits = ''] = /^\/?([+-]?)0*(\d{1,19})(?:\.0+)?\/?$/.exec(resolved) ?? [];
  const value = digits === '' ? undefined : BigInt(`${sign === '-' ? '-' : ''}${digits}`);
  const id = value !== undefined && isInt64(value) && !/^\/.*\/$/.test(resolved) ? value : undefined;
  const common = { gateway, isOtherPath };
  const escaped = text === plain ? [] : ['an escaped id'];
  if (id !== undefined && `${id}` === plain && gateway === undefined) {
    return { ...common, kind: 'valid', requirement: IDS.found, points: [], unusual: escaped, id };
  }
  const point = isOtherPath ? POINTS.idSlash : id === undefined ? idPoint(plain) : POINTS.idSpelling;
  return {
    ...common,
    kind: id === undefined ? 'invalid' : 'open',
    requirement: IDS.odd,
    points: [point],
    unusual: [point.text],
    id,
  };
}

/** What is left of a path below `/pets/` once its dot segments are resolved (RFC 3986, 5.2.4); empty for another path. */
function withoutDotSegments(text: string): string {
  const kept = ['', 'pets'];
  for (const segment of text.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
  }
  const [root, pets, ...rest] = kept;
  return root === '' && pets === 'pets' ? rest.join('/') : '';
}

function idPoint(text: string | undefined): OpenPoint {
  if (text === undefined) return POINTS.idEncoding;
  if (/^[+-]?\d{19,}$/.test(text)) return POINTS.idBeyondInt64;
  return /^[+-]?\d+\.\d+$/.test(text) ? POINTS.idFraction : POINTS.idNoInteger;
}

/** The text before the first separator, and what follows it, if there is one. */
function split(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
