import { isInt64 } from '../contract/exact-integer.ts';
import type { Call } from '../engine/reply.ts';
import { chunkSize } from '../http/chunk-size.ts';
import type { WireRequest } from '../http/exchange.ts';
import { count } from '../report/model/text.ts';
import { LIMIT, PET_STATUSES, PETS_PATH, type PetStatus, petPath } from './contract-facts.ts';
import type { Body } from './inputs/body.ts';
import { type KeyCredential, underHeader } from './inputs/credential.ts';
import { type PercentEncoding, percentEncoded } from './inputs/percent.ts';
import type { Circumstances } from './space/circumstances.ts';

/** A call of one of the three operations. */
export type PetCall = ListCall | CreateCall | GetCall;

/** How a request is written, beside what it asks for; it makes no difference to the answer. */
export interface RequestForm extends Circumstances {
  readonly headers?: WireRequest['headers'];
  readonly chunked?: boolean;
  readonly withoutUserAgent?: boolean;
  /** The name of the header that holds the key, for its letter case. */
  readonly keyHeader?: string;
}

const USUAL_FORM: RequestForm = { name: '' };

interface CallOf<Operation extends string> extends Call {
  readonly operation: Operation;
  readonly credential: KeyCredential;
  readonly form: RequestForm;
}

export interface ListCall extends CallOf<'listPets'> {
  /** The query as it is written; undefined for none. */
  readonly search: string | undefined;
  readonly asked: { readonly limit: AskedLimit; readonly status: AskedStatus };
  /** The values given, percent-decoded where that is possible; and the first of each, undefined for none. */
  readonly limits: readonly string[];
  readonly statuses: readonly string[];
  readonly limit: string | undefined;
  readonly status: string | undefined;
}

export interface CreateCall extends CallOf<'createPet'> {
  readonly body: Body;
}

export interface GetCall extends CallOf<'getPet'> {
  /** As it stands in the path. */
  readonly petId: string;
}

/** A parameter: its value, or several where it is given more than once. */
type Given = number | string | readonly string[] | undefined;

type Encodings = Readonly<Partial<Record<Parameter['name'], PercentEncoding>>>;

export interface ListQuery {
  readonly limit?: Given;
  readonly status?: Given;
  /** The parameters' order in the query; `limit` comes first by default. */
  readonly statusFirst?: boolean | undefined;
  /** Of a parameter that is given more than once, the first comes before the other parameter, and the others after it. */
  readonly apart?: boolean | undefined;
  /** How the values are written, by parameter: as needed by default. */
  readonly values?: Encodings | undefined;
  /** How the names are written. */
  readonly names?: Encodings | undefined;
  /** A `&` with nothing before or behind it, which holds no parameter; of no parameters, the question mark alone. */
  readonly looseMark?: 'before' | 'between' | 'behind' | undefined;
}

export const listPets = (query: ListQuery, credential: KeyCredential, form = USUAL_FORM): ListCall =>
  listAsWritten(writtenQuery(query), credential, form);

/** A list call by its query as it is written; undefined for none. What it asks for is read from that. */
export function listAsWritten(search: string | undefined, credential: KeyCredential, form = USUAL_FORM): ListCall {
  const pieces = search?.split('&') ?? [];
  const parameters = pieces.filter((piece) => piece !== '').map(parameterIn);
  const loose = parameters.length === pieces.length ? [] : [`a loose ${parameters.length === 0 ? '?' : '&'}`];
  const words = [...parameters.map(({ name, value }) => `${name}=${value}${inWords(value)}`), ...loose].join(' and ');
  const valuesOf = (wanted: string): readonly string[] =>
    parameters.filter(({ name }) => name === wanted).map(({ value }) => value);
  const [limits, statuses] = [valuesOf('limit'), valuesOf('status')];
  const asked = { limit: askedLimit(limits), status: askedStatus(statuses) };
  const path = search === undefined ? PETS_PATH : `${PETS_PATH}?${search}`;
  return {
    operation: 'listPets',
    credential,
    form,
    search,
    asked,
    kind: `limit ${asked.limit.kind}, status ${asked.status.kind}${withCredential(credential)}`,
    limits,
    statuses,
    limit: limits[0],
    status: statuses[0],
    request: { operation: 'listPets', method: 'GET', path, ...sentIn(form, credential) },
    description: `listPets${words === '' ? '' : ` with ${words}`}${withCredential(credential, words === '' ? ' ' : ', ')}${inForm(form)}`,
    equivalence: `list ${credential.name} ${search}${form.name}`,
    effect: 'reads',
  };
}

/** A parameter as it is read: what is malformed stands for itself. */
function parameterIn(piece: string): { readonly name: string; readonly value: string } {
  const [name = '', ...rest] = piece.split('=');
  const written = rest.join('=');
  return { name: decoded(name) ?? name, value: decoded(written) ?? written };
}

/** A query as it is written; undefined for none. */
function writtenQuery(query: ListQuery): string | undefined {
  const { values = {}, names = {}, looseMark } = query;
  const bounds = valuesOf(query.limit).map((value): Parameter => ({ name: 'limit', value }));
  const filters = valuesOf(query.status).map((value): Parameter => ({ name: 'status', value }));
  const pairs = inOrder(bounds, filters, query).map(
    ({ name, value }) => `${percentEncoded(name, names[name])}=${percentEncoded(value, values[name])}`,
  );
  const written = withLooseMark(pairs, looseMark);
  return written === '' && looseMark === undefined ? undefined : written;
}

interface Parameter {
  readonly name: 'limit' | 'status';
  readonly value: string;
}

/** The parameters in the order in which a query gives them. */
function inOrder(
  bounds: readonly Parameter[],
  filters: readonly Parameter[],
  { statusFirst = false, apart = false }: ListQuery,
) {
  const [first, second] = statusFirst ? [filters, bounds] : [bounds, filters];
  const [outer, inner] = first.length > 1 ? [first, second] : [second, first];
  if (!apart || outer.length < 2) return [...first, ...second];
  return [...outer.slice(0, 1), ...inner, ...outer.slice(1)];
}

/** The pairs of a query, joined; see {@link ListQuery.looseMark}. */
function withLooseMark(pairs: readonly string[], mark: ListQuery['looseMark']): string {
  const joined = pairs.join(mark === 'between' ? '&&' : '&');
  if (joined === '') return '';
  return `${mark === 'before' ? '&' : ''}${joined}${mark === 'behind' ? '&' : ''}`;
}

/** Whether a query has parameters that the specification does not name. */
export const asksForMore = ({ search = '' }: ListCall): boolean =>
  search.split('&').some((piece) => piece !== '' && !['limit', 'status'].includes(parameterIn(piece).name));

/** Whether a query holds a piece that is no parameter: a service that knows all parameters may refuse it with 400. */
export const hasUnknownPiece = (call: ListCall): boolean => {
  const { search = '' } = call;
  return asksForMore(call) || (search !== '' && search.split('&').includes(''));
};

/** A percent-encoded text; undefined where the encoding is malformed. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const valuesOf = (given: Given): readonly string[] =>
  given === undefined ? [] : typeof given === 'object' ? given : [`${given}`];

export function createPet(body: Body, credential: KeyCredential, form = USUAL_FORM): CreateCall {
  const { bytes, contentType } = body;
  const request = { operation: 'createPet', method: 'POST', path: PETS_PATH, body: bytes, contentType };
  return {
    operation: 'createPet',
    credential,
    form,
    body,
    kind: `${body.kind} ${body.requirement}${withCredential(credential)}`,
    request: { ...request, ...sentIn(form, credential) },
    description: `createPet with ${body.label}${withCredential(credential, ', ')}${inForm(form, body.bytes)}`,
    equivalence: `create ${credential.name} ${equivalenceOf(body)}${form.name}`,
    effect:
      body.kind === 'invalid' || !(credential.valid || credential.isOpen === true) ? 'must not create' : 'may create',
  };
}

/** All of the body counts, but for the serial numbers in the names of the run's own animals. */
function equivalenceOf(body: Body): string {
  if (body.kind !== 'valid') return body.label;
  const { name, categoryId, status } = body.pet;
  return `${body.label} ${name.replace(/[A-Za-z0-9]+/g, 'x')} ${categoryId} ${status}`;
}

export function getPet(id: bigint | string, credential: KeyCredential, form = USUAL_FORM): GetCall {
  const petId = `${id}`;
  return {
    operation: 'getPet',
    credential,
    form,
    petId,
    kind: `${askedId({ petId }).kind}${withCredential(credential)}`,
    request: { operation: 'getPet', method: 'GET', path: petPath(petId), ...sentIn(form, credential) },
    description: `getPet of ${petId}${inWords(petId)}${withCredential(credential)}${inForm(form)}`,
    equivalence: `get ${credential.name} ${petId}${form.name}`,
    effect: 'reads',
  };
}

const sentIn = (
  { headers, chunked, keyHeader, withoutUserAgent }: RequestForm,
  credential: KeyCredential,
): Pick<WireRequest, 'headers' | 'chunked' | 'withoutUserAgent' | 'credential'> => ({
  headers,
  chunked,
  withoutUserAgent,
  credential: keyHeader === undefined ? credential : underHeader(keyHeader, credential),
});

/** What a reader would not see of a value. */
const inWords = (value: string): string =>
  /(?![0-9])\p{Nd}/u.test(decoded(value) ?? '') ? ' (digits of another script)' : '';

/** How a request is written; of a body in chunks, how long they are too. */
function inForm({ name, chunked }: RequestForm, body?: Uint8Array): string {
  if (name === '') return '';
  const isCut = chunked === true && body !== undefined;
  return `, ${isCut ? name.replace(/^in chunks/, `$& of ${count(chunkSize(body.length), 'byte')}`) : name}`;
}

const withCredential = ({ valid, name }: KeyCredential, mark = ' '): string => (valid ? '' : `${mark}with ${name}`);

/** The same call with another credential. */
export function withKey(call: PetCall, key: KeyCredential): PetCall {
  if (call.operation === 'listPets') return listAsWritten(call.search, key, call.form);
  return call.operation === 'createPet' ? createPet(call.body, key, call.form) : getPet(call.petId, key, call.form);
}

/** What a list call says of the limit. */
export type AskedLimit =
  | { readonly kind: 'absent' }
  | { readonly kind: 'valid'; readonly value: number }
  /** Out of range, not an integer, unusually spelled or given twice: refused, or a page of at most `most`, which may be empty for 0. */
  | { readonly kind: 'open'; readonly most: number; readonly isZero: boolean };

function askedLimit(values: readonly string[]): AskedLimit {
  if (values.length === 0) return { kind: 'absent' };
  const numbers = values.map((value) => (/^[1-9]\d*$/.test(value) ? Number(value) : Number.NaN));
  const [value = Number.NaN] = numbers;
  const isValid = value >= LIMIT.minimum && value <= LIMIT.maximum;
  if (values.length === 1 && isValid) return { kind: 'valid', value };
  return { kind: 'open', most: LIMIT.maximum, isZero: values.some((text) => text.trim() !== '' && Number(text) === 0) };
}

/** What a list call says of the status. */
export type AskedStatus =
  | { readonly kind: 'absent' }
  | { readonly kind: 'valid'; readonly value: PetStatus }
  /** Given twice: refused, or a page that holds only these. */
  | { readonly kind: 'several'; readonly values: readonly string[] }
  /** Or given twice, once empty: refused, an empty page, or as though it were absent. */
  | { readonly kind: 'empty' }
  /** Outside the enumeration: refused, or an empty page. */
  | { readonly kind: 'unknown' };

function askedStatus(values: readonly string[]): AskedStatus {
  const [first] = values;
  if (first === undefined) return { kind: 'absent' };
  if (values.includes('')) return { kind: 'empty' };
  if (values.length > 1) return { kind: 'several', values };
  const value = PET_STATUSES.find((known) => known === first);
  return value === undefined ? { kind: 'unknown' } : { kind: 'valid', value };
}

/** What a query asks for that need not be honoured: its status goes before its limit. */
export function openPart({ asked: { limit, status } }: ListCall): 'limit' | 'status' | undefined {
  if (status.kind !== 'absent' && status.kind !== 'valid') return 'status';
  return limit.kind === 'open' ? 'limit' : undefined;
}

/** Whether the percent-encoding of the query is malformed: any 4xx is then permitted. */
export function isMalformed({ request: { path } }: ListCall): boolean {
  return decoded(path) === undefined;
}

/** The limit of a list call, where it is one that must be honoured: given and valid, or the default. */
export function limitOf({ asked: { limit } }: ListCall): number | undefined {
  if (limit.kind === 'absent') return LIMIT.default;
  return limit.kind === 'valid' ? limit.value : undefined;
}

/** The status filter of a list call: one of the enumeration, `absent`, or `invalid`. */
export function filterOf({ asked: { status } }: ListCall): PetStatus | 'absent' | 'invalid' {
  if (status.kind === 'valid') return status.value;
  return status.kind === 'absent' ? 'absent' : 'invalid';
}

/**
 * What a getPet call asks for: an int64; an int64 in an unusual spelling, which may be read as one; a text that is
 * none; or one of which the percent-encoding is malformed. Percent-encoded digits are digits.
 */
export type AskedId =
  | { readonly kind: 'int64' | 'unusual int64'; readonly id: bigint }
  | { readonly kind: 'not int64' }
  | { readonly kind: 'malformed' };

export function askedId({ petId }: Pick<GetCall, 'petId'>): AskedId {
  const text = decoded(petId);
  if (text === undefined) return { kind: 'malformed' };
  const [, sign = '', digits = ''] = /^([+-]?)0*(\d{1,19})(?:\.0+)?$/.exec(text) ?? [];
  if (digits === '') return { kind: 'not int64' };
  const id = BigInt(`${sign === '-' ? '-' : ''}${digits}`);
  if (!isInt64(id)) return { kind: 'not int64' };
  return { kind: `${id}` === text ? 'int64' : 'unusual int64', id };
}

/** The id that a call asks for, where it is an int64 in plain digits. */
export function idOf(call: PetCall): bigint | undefined {
  if (call.operation !== 'getPet') return undefined;
  const asked = askedId(call);
  return asked.kind === 'int64' ? asked.id : undefined;
}

/** Which of the parameters of a list call are present and valid; one that is left out may be either. */
export type Asking = Partial<Record<'limit' | 'status', 'valid' | 'absent'>>;

/** Whether a list call asks for what must be honoured: valid parameters, present or absent as `asking` says. */
export function asksFor({ asked }: ListCall, asking: Asking): boolean {
  return (['limit', 'status'] as const).every((name) => {
    const { kind } = asked[name];
    return asking[name] === undefined ? kind === 'valid' || kind === 'absent' : asking[name] === kind;
  });
}
