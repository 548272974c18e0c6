import {
  type CreateCall,
  createPet,
  decoded,
  type GetCall,
  getPet,
  type ListCall,
  listAsWritten,
  listPets,
  type PetCall,
  type RequestForm,
  withKey,
} from './calls.ts';
import { rightKey } from './inputs/credential.ts';
import { eachHeaderOf } from './space/request-forms.ts';

/**
 * Of a call with something unusual about it, the same call in plain words, and with each of several unusual things alone:
 * where one of these is answered as wrongly, the others are not to blame. A wrong key, or none, is one of these things.
 * None for a plain call.
 */
export function partsOf(call: PetCall, token: string): readonly PetCall[] {
  const ofRequest = call.operation === 'createPet' ? partsOfAnAddition(call) : partsOfARead(call);
  const parts = call.credential.valid ? ofRequest : [...ofRequest, withKey(call, rightKey(token))];
  return parts.filter(({ equivalence }) => equivalence !== call.equivalence);
}

function partsOfARead(call: ListCall | GetCall): readonly PetCall[] {
  const { credential, form } = call;
  const plain = call.operation === 'listPets' ? plainList(call) : getPet(plainSegment(call.petId), credential);
  const keys = (credential.parts ?? []).map((part) => withKey(plain, part));
  const forms = eachHeaderOf(form).map((part) => inForm(plain, part));
  return [plain, ...keys, inForm(call), ...forms];
}

function partsOfAnAddition(call: CreateCall): readonly PetCall[] {
  const { body, credential, form } = call;
  const keys = (credential.parts ?? []).map((part) => createPet(body, part));
  const bodies = body.kind === 'open' ? [] : (body.parts ?? []);
  const plain = body.kind === 'valid' && form.name !== '' ? body.plain : undefined;
  return [
    ...keys,
    ...bodies.map((part) => createPet(part, credential)),
    ...(plain === undefined ? [] : [createPet(plain, credential, form)]),
  ];
}

const inForm = (call: ListCall | GetCall, form?: RequestForm): PetCall =>
  call.operation === 'listPets'
    ? listAsWritten(call.search, call.credential, form)
    : getPet(call.petId, call.credential, form);

const plainList = ({ limits, statuses, credential }: ListCall): ListCall =>
  listPets({ limit: limits, status: statuses }, credential);

/** A segment of a path in which only those characters are percent-encoded that must be. */
function plainSegment(segment: string): string {
  const text = decoded(segment);
  if (text === undefined) return segment;
  return encodeURIComponent(text).replace(/%(?:2[46BC]|3[ABD]|40)/g, decodeURIComponent);
}
