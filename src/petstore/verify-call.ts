import type { Contract } from '../contract/contract.ts';
import { readJson } from '../contract/json.ts';
import type { PetCall } from './calls.ts';
import { MEMBERS } from './contract-facts.ts';

/**
 * Reads every body again as it will be sent: a valid one must fit the schema, and an invalid one must not, in the way
 * that it claims.
 *
 * @returns what the suite got wrong; undefined where nothing is
 */
export function verifyCall(call: PetCall, contract: Contract): string | undefined {
  if (call.operation !== 'createPet' || call.body.kind === 'open') return undefined;
  const { body } = call;
  const wanted = body.kind === 'valid' ? 'no fault' : `a fault of ${body.failsAs}`;
  const found = faultOf(body.bytes, contract);
  if (found === wanted) return undefined;
  const text = body.bytes === undefined ? '(no body)' : new TextDecoder().decode(body.bytes).slice(0, 200);
  return `the suite built "${body.label}" and found ${found} in it instead of ${wanted}: ${text}`;
}

function faultOf(bytes: Uint8Array | undefined, contract: Contract): string {
  const json = bytes === undefined ? undefined : readJson(bytes, MEMBERS);
  if (json?.kind !== 'json') return 'a fault of syntax';
  return contract.validateRequest('createPet', json).length > 0 ? 'a fault of schema' : 'no fault';
}
