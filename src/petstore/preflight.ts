import { parseJson } from '../contract/json.ts';
import type { PreflightRequests } from '../engine/service.ts';
import { type Exchange, headerOf, type Response } from '../http/exchange.ts';
import { createPet, getPet, listPets } from './calls.ts';
import { LIMIT } from './contract-facts.ts';
import { bytesOf, JSON_TYPE } from './inputs/body.ts';
import { rightKey } from './inputs/credentials.ts';
import { NOBODYS_ID } from './inputs/nobodys-id.ts';
import { memberOf } from './reply.ts';

/** It lacks every member, so nothing can come of it. */
const EMPTY_OBJECT = {
  kind: 'open',
  label: 'an empty object',
  bytes: bytesOf('{}'),
  contentType: JSON_TYPE,
  pet: {},
} as const;

/** The requests that show whether a target is a Pet Store that can be judged. */
export const PREFLIGHT: PreflightRequests = {
  unknownTargetCode: 'not-a-pet-store',
  first: (token) => listPets({ limit: LIMIT.minimum }, rightKey(token)).request,
  others: (token, readOnly) => {
    const key = rightKey(token);
    const readings = [
      getPet(NOBODYS_ID, key).request,
      // A service that knows the header in one letter case only is to be judged for that.
      listPets({ limit: LIMIT.minimum }, key, { name: '', keyHeader: 'authorization' }).request,
    ];
    return readOnly ? readings : [...readings, createPet(EMPTY_OBJECT, key).request];
  },
  isRight: ({ answer }) => answer.kind === 'response' && answer.status === 200 && Array.isArray(jsonIn(answer)),
  isPlausible,
};

function jsonIn({ body }: Response): unknown {
  const json = parseJson(body);
  return json.kind === 'json' ? json.value : undefined;
}

/** JSON under a success (or what claims to be), something like an Error, a 5xx or no answer at all. */
function isPlausible({ answer }: Exchange): boolean {
  if (answer.kind !== 'response' || answer.status >= 500) return true;
  const isSuccess = answer.status < 300;
  if (isSuccess && headerOf(answer, 'content-type')?.toLowerCase().startsWith('application/json')) return true;
  const value = jsonIn(answer);
  if (typeof value !== 'object' || value === null) return false;
  return isSuccess || ['code', 'message', 'status'].filter((name) => memberOf(value, name) !== undefined).length >= 2;
}
