import type { Call } from '../engine/call.ts';
import type { Credential } from '../http/credential.ts';
import { LIMIT, PET_STATUSES, PETS_PATH, type PetStatus, petPath } from './contract-facts.ts';
import type { Body } from './inputs/body.ts';

/** A call of one of the three operations. */
export type PetCall = ListCall | CreateCall | GetCall;

interface CallOf<Operation extends string> extends Call {
  readonly operation: Operation;
  readonly credential: Credential;
}

export interface ListCall extends CallOf<'listPets'> {
  /** As they stand in the query, before percent-encoding; undefined for none. */
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

export interface ListQuery {
  readonly limit?: number | string | undefined;
  readonly status?: string | undefined;
}

export function listPets({ limit: bound, status }: ListQuery, credential: Credential): ListCall {
  const limit = bound?.toString();
  const parameters = Object.entries({ limit, status }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const search = parameters.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
  const path = search === '' ? PETS_PATH : `${PETS_PATH}?${search}`;
  const words = parameters.map(({ name, value }) => `${name}=${value}`).join(' and ');
  return {
    operation: 'listPets',
    credential,
    limit,
    status,
    request: { operation: 'listPets', method: 'GET', path, credential },
    description: `listPets${words === '' ? '' : ` with ${words}`}${withCredential(credential)}`,
    equivalence: `list ${credential.name} ${limit} ${status}`,
    effect: 'reads',
  };
}

export function createPet(body: Body, credential: Credential): CreateCall {
  const { bytes, contentType } = body;
  return {
    operation: 'createPet',
    credential,
    body,
    request: { operation: 'createPet', method: 'POST', path: PETS_PATH, credential, body: bytes, contentType },
    description: `createPet with ${body.label}${withCredential(credential)}`,
    equivalence: `create ${credential.name} ${equivalenceOf(body)}`,
    effect: body.kind === 'invalid' || !credential.valid ? 'must not create' : 'may create',
  };
}

/** All of the body counts, but for the serial numbers in the names of the run's own animals. */
function equivalenceOf(body: Body): string {
  if (body.kind !== 'valid') return body.label;
  const { name, categoryId, status } = body.pet;
  return `${body.label} ${name.replace(/[A-Za-z0-9]+/g, 'x')} ${categoryId} ${status}`;
}

export function getPet(id: bigint | string, credential: Credential): GetCall {
  const petId = `${id}`;
  return {
    operation: 'getPet',
    credential,
    petId,
    request: { operation: 'getPet', method: 'GET', path: petPath(petId), credential },
    description: `getPet of ${petId}${withCredential(credential)}`,
    equivalence: `get ${credential.name} ${petId}`,
    effect: 'reads',
  };
}

const withCredential = ({ valid, name }: Credential): string => (valid ? '' : ` with ${name}`);

/** The same call with the right key. */
export function authorised(call: PetCall, key: Credential): PetCall {
  if (call.operation === 'listPets') return listPets(call, key);
  return call.operation === 'createPet' ? createPet(call.body, key) : getPet(call.petId, key);
}

/** The limit of a list call, where it is one that must be accepted: given and valid, or the default. */
export function limitOf({ limit }: ListCall): number | undefined {
  if (limit === undefined) return LIMIT.default;
  const value = /^[1-9]\d*$/.test(limit) ? Number(limit) : Number.NaN;
  return value >= LIMIT.minimum && value <= LIMIT.maximum ? value : undefined;
}

/** The status filter of a list call: one of the enumeration, `absent`, or `invalid`. */
export function filterOf({ status }: ListCall): PetStatus | 'absent' | 'invalid' {
  if (status === undefined) return 'absent';
  return PET_STATUSES.find((known) => known === status) ?? 'invalid';
}

/** The id that a call asks for, where it is an integer in plain digits. */
export function idOf(call: PetCall): bigint | undefined {
  return call.operation === 'getPet' && /^-?\d{1,19}$/.test(call.petId) ? BigInt(call.petId) : undefined;
}

/** Which of the parameters of a list call are present and valid; one that is left out may be either. */
export type Asking = Partial<Record<'limit' | 'status', 'valid' | 'absent'>>;

/** Whether a list call asks for what must be honoured: valid parameters, present or absent as `asking` says. */
export function asksFor(call: ListCall, asking: Asking): boolean {
  if (filterOf(call) === 'invalid' || limitOf(call) === undefined) return false;
  return (['limit', 'status'] as const).every(
    (name) => asking[name] === undefined || asking[name] === (call[name] === undefined ? 'absent' : 'valid'),
  );
}
