import type { Credential } from '../http/credential.ts';
import type { WireRequest } from '../http/exchange.ts';
import type { Body } from './inputs/body.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT, SMALLEST_LIMIT } from './inputs/limits.ts';
import { PET_STATUSES, type PetStatus } from './inputs/new-pet.ts';

/** A call of one of the three operations, as a check means it. */
export type Call = ListCall | CreateCall | GetCall;

export interface ListCall {
  readonly operation: 'listPets';
  readonly credential: Credential;
  /** As it stands in the query; undefined for none. */
  readonly limit: string | undefined;
  readonly status: string | undefined;
}

export interface CreateCall {
  readonly operation: 'createPet';
  readonly credential: Credential;
  readonly body: Body;
}

export interface GetCall {
  readonly operation: 'getPet';
  readonly credential: Credential;
  /** As it stands in the path. */
  readonly petId: string;
}

/** The limit that a list call asks for, where it is one that must be accepted: 1 to 100, or the default. */
export function limitOf(call: ListCall): number | undefined {
  if (call.limit === undefined) return DEFAULT_LIMIT;
  if (!/^[1-9]\d{0,2}$/.test(call.limit)) return undefined;
  const limit = Number(call.limit);
  return limit >= SMALLEST_LIMIT && limit <= LARGEST_LIMIT ? limit : undefined;
}

/** The status filter of a list call: one of the enumeration, `none`, or `odd` for anything else. */
export function filterOf(call: ListCall): PetStatus | 'none' | 'odd' {
  if (call.status === undefined) return 'none';
  return PET_STATUSES.find((status) => status === call.status) ?? 'odd';
}

/** The request that makes a call, exactly as it goes on the wire. */
export function wireOf(call: Call): WireRequest {
  const { operation, credential } = call;
  switch (operation) {
    case 'listPets': {
      const query = [
        ...(call.limit === undefined ? [] : [`limit=${encodeURIComponent(call.limit)}`]),
        ...(call.status === undefined ? [] : [`status=${encodeURIComponent(call.status)}`]),
      ].join('&');
      return { operation, method: 'GET', path: query === '' ? '/pets' : `/pets?${query}`, credential };
    }
    case 'createPet': {
      const { bytes, contentType } = call.body;
      return {
        operation,
        method: 'POST',
        path: '/pets',
        credential,
        ...(bytes === undefined ? {} : { body: bytes }),
        ...(contentType === undefined ? {} : { contentType }),
      };
    }
    case 'getPet':
      return { operation, method: 'GET', path: `/pets/${call.petId}`, credential };
  }
}

/** A query of listPets as a check writes it. */
export interface ListQuery {
  readonly limit?: number | string;
  readonly status?: string;
}

export function listing(query: ListQuery, credential: Credential): ListCall {
  const { limit, status } = query;
  return { operation: 'listPets', credential, limit: limit === undefined ? undefined : `${limit}`, status };
}

export function creating(body: Body, credential: Credential): CreateCall {
  return { operation: 'createPet', body, credential };
}

export function getting(petId: bigint | string, credential: Credential): GetCall {
  return { operation: 'getPet', petId: `${petId}`, credential };
}

/** The id that a get call asks for, where it is an integer in plain digits. */
export function idOf(call: Call): bigint | undefined {
  return call.operation === 'getPet' && /^-?\d{1,19}$/.test(call.petId) ? BigInt(call.petId) : undefined;
}

/** A call in a few words. */
export function describe(call: Call): string {
  const credential = call.credential.right ? '' : ` with ${call.credential.name}`;
  switch (call.operation) {
    case 'listPets': {
      const parts = [
        ...(call.limit === undefined ? [] : [`limit=${call.limit}`]),
        ...(call.status === undefined ? [] : [`status=${call.status}`]),
      ];
      return `listPets${parts.length === 0 ? '' : ` with ${parts.join(' and ')}`}${credential}`;
    }
    case 'createPet':
      return `createPet with ${call.body.label}${credential}`;
    case 'getPet':
      return `getPet of ${call.petId}${credential}`;
  }
}
