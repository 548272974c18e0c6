import { integerAt, parseJson } from '../contract/json.ts';
import type { RecordedRequest } from '../engine/plan.ts';
import { Inconclusive } from '../engine/signals.ts';
import { type Credential, rightKey } from '../http/credential.ts';
import { type Call, creating, getting, listing } from './call.ts';
import { MEMBERS } from './fault-subject.ts';
import type { Body } from './inputs/body.ts';
import { inventedKeys, missingKeys, nearMisses, otherCases, otherSchemes } from './inputs/keys.ts';
import type { NewPet } from './inputs/new-pet.ts';
import { PET_STATUSES } from './inputs/new-pet.ts';

/** A call as it can be written to a file: without any key. */
export function recordOf(call: Call): RecordedRequest {
  const common = { operation: call.operation, credential: call.credential.name };
  switch (call.operation) {
    case 'listPets':
      return {
        ...common,
        ...(call.limit === undefined ? {} : { limit: call.limit }),
        ...(call.status === undefined ? {} : { status: call.status }),
      };
    case 'getPet':
      return { ...common, petId: call.petId };
    case 'createPet': {
      const { body } = call;
      return {
        ...common,
        label: body.label,
        bodyIsSound: body.kind === 'sound',
        ...(body.bytes === undefined ? {} : { bodyBase64: Buffer.from(body.bytes).toString('base64') }),
        ...(body.contentType === undefined ? {} : { contentType: body.contentType }),
      };
    }
  }
}

/**
 * The call that a record was made of; a credential is found again by its name, and built from the key.
 *
 * @throws Inconclusive where this key is another one, of which no such credential can be made
 */
export function callOf(record: RecordedRequest, key: string, owner: string): Call {
  const credential = credentialNamed(record.credential, key);
  switch (record.operation) {
    case 'listPets':
      return listing(
        {
          ...(record.limit === undefined ? {} : { limit: record.limit }),
          ...(record.status === undefined ? {} : { status: record.status }),
        },
        credential,
      );
    case 'getPet':
      return getting(record.petId ?? '', credential);
    case 'createPet':
      return creating(bodyOf(record, owner), credential);
  }
}

function bodyOf(record: RecordedRequest, owner: string): Body {
  const bytes = new Uint8Array(Buffer.from(record.bodyBase64 ?? '', 'base64'));
  const label = record.label ?? 'the recorded body';
  const contentType = record.contentType;
  const pet = record.bodyIsSound === true ? petIn(bytes) : undefined;
  if (pet !== undefined && contentType !== undefined) return { kind: 'sound', label, bytes, contentType, pet, owner };
  return { kind: 'open', label, bytes, contentType, pet: {} };
}

function petIn(bytes: Uint8Array): NewPet | undefined {
  const reading = parseJson(bytes, MEMBERS);
  if (reading.kind !== 'json' || typeof reading.value !== 'object' || reading.value === null) return undefined;
  const { value } = reading;
  const name: unknown = Reflect.get(value, 'name');
  const status = PET_STATUSES.find((known) => known === Reflect.get(value, 'status'));
  const categoryId = integerAt(reading, '/categoryId');
  if (typeof name !== 'string' || categoryId === undefined) return undefined;
  return { name, categoryId, ...(status === undefined ? {} : { status }) };
}

function credentialNamed(name: string, key: string): Credential {
  const all = [...missingKeys(), ...inventedKeys(key), ...nearMisses(key), ...otherSchemes(key), ...otherCases(key)];
  const right = rightKey(key);
  const found = name === right.name ? right : all.find((credential) => credential.name === name);
  if (found !== undefined) return found;
  const reason = `nothing can be made of this key that is "${name}"; replay with the key of the recorded run`;
  throw new Inconclusive('credential-unknown', reason);
}
