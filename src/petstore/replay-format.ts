import { integerAt, parseJson } from '../contract/json.ts';
import { InconclusiveError } from '../engine/outcome-errors.ts';
import type { RecordedCall } from '../engine/plan.ts';
import type { ReplayFormat } from '../engine/service.ts';
import type { Credential } from '../http/credential.ts';
import { createPet, listPets, type PetCall } from './calls.ts';
import { MEMBERS, PET_STATUSES } from './contract-facts.ts';
import { type Body, type InvalidBody, type NewPet, validBody } from './inputs/body.ts';
import { credentialNamed } from './inputs/credentials.ts';
import { memberOf, type PetReply } from './reply.ts';

const TEXT = { type: 'string' };

/** How calls of the Pet Store are written to replay files. The credential is recorded by its name alone. */
export const REPLAY_FORMAT: ReplayFormat<PetReply> = {
  schema: {
    type: 'object',
    properties: {
      operation: { enum: ['listPets', 'createPet'] satisfies PetCall['operation'][] },
      credential: TEXT,
      limit: TEXT,
      status: TEXT,
      bodyBase64: TEXT,
      bodyIsSound: { type: 'boolean' },
      failsAs: { enum: ['syntax', 'schema'] satisfies InvalidBody['failsAs'][] },
      permitted: TEXT,
      certain: TEXT,
      clientId: TEXT,
      chunked: { type: 'boolean' },
      contentType: TEXT,
      label: TEXT,
    },
    required: ['operation', 'credential'],
  },
  record,
  restore,
};

/** Undefined for getPet: another run has other ids. */
function record(call: PetCall): RecordedCall | undefined {
  const { operation } = call;
  const credential = call.credential.name;
  if (operation === 'getPet') return undefined;
  if (operation === 'listPets') return { operation, credential, limit: call.limit, status: call.status };
  const { bytes, contentType, label, kind } = call.body;
  const bodyBase64 = bytes && Buffer.from(bytes).toString('base64');
  const sent = { operation, credential, label, bodyIsSound: kind === 'valid', bodyBase64, contentType };
  return { ...sent, chunked: call.form.chunked, ...expectationsOf(call.body) };
}

/** What must come of a body, where that does not follow from its bytes. */
function expectationsOf(body: Body): RecordedCall {
  if (body.kind === 'valid') return {};
  if (body.kind === 'invalid') return { failsAs: body.failsAs };
  const { readings, pet, clientId } = body;
  return {
    permitted: readings && JSON.stringify(readings),
    certain: JSON.stringify(Object.keys(pet)),
    clientId: clientId?.toString(),
  };
}

/** The call that a record was made of; its credential is found by its name, and built from the token. */
function restore(recorded: RecordedCall, token: string, requirement: string): PetCall {
  const text = (name: string): string | undefined => {
    const value = recorded[name];
    return typeof value === 'string' ? value : undefined;
  };
  const credential = credentialOf(text('credential') ?? '', token);
  if (text('operation') === 'listPets') {
    return listPets({ limit: text('limit'), status: text('status') }, credential);
  }
  const form = recorded['chunked'] === true ? { name: 'in chunks', chunked: true } : undefined;
  return createPet(bodyOf(recorded, requirement, text), credential, form);
}

function credentialOf(name: string, token: string): Credential {
  const credential = credentialNamed(name, token);
  if (credential !== undefined) return credential;
  const reason = `nothing can be made of this key that is "${name}"; replay with the key of the recorded run`;
  throw new InconclusiveError('credential-unknown', reason);
}

function bodyOf(recorded: RecordedCall, requirement: string, text: (name: string) => string | undefined): Body {
  const bytes = new Uint8Array(Buffer.from(text('bodyBase64') ?? '', 'base64'));
  const label = text('label') ?? 'the recorded body';
  const contentType = text('contentType');
  const pet = petIn(bytes);
  if (recorded['bodyIsSound'] === true && pet !== undefined && contentType !== undefined) {
    return { kind: 'valid', label, bytes, contentType, pet, requirement };
  }
  const failsAs = (['syntax', 'schema'] as const).find((known) => known === recorded['failsAs']);
  if (failsAs !== undefined) {
    const repaired = validBody({ name: 'a valid body', categoryId: 1n });
    return { kind: 'invalid', label, bytes, contentType, requirement, failsAs, repaired, traces: {} };
  }
  const readings: unknown = JSON.parse(text('permitted') ?? 'null');
  const certain: unknown = JSON.parse(text('certain') ?? '[]');
  const clientId = text('clientId');
  return {
    kind: 'open',
    label,
    bytes,
    contentType,
    requirement,
    ...(typeof readings === 'object' && readings !== null ? { readings: { ...readings } } : {}),
    pet: pet === undefined || !Array.isArray(certain) ? {} : only(pet, certain),
    clientId: clientId === undefined ? undefined : BigInt(clientId),
  };
}

const only = ({ name, categoryId, status }: NewPet, certain: readonly unknown[]): Partial<NewPet> => ({
  ...(certain.includes('name') ? { name } : {}),
  ...(certain.includes('categoryId') ? { categoryId } : {}),
  ...(certain.includes('status') ? { status } : {}),
});

function petIn(bytes: Uint8Array): NewPet | undefined {
  const json = parseJson(bytes, MEMBERS);
  if (json.kind !== 'json') return undefined;
  const name = memberOf(json.value, 'name');
  const status = PET_STATUSES.find((known) => known === memberOf(json.value, 'status'));
  const categoryId = integerAt(json, '/categoryId');
  if (typeof name !== 'string' || categoryId === undefined) return undefined;
  return { name, categoryId, status };
}
