import { violatesByStatus } from '../../engine/violation.ts';
import { askedId, asksFor, idOf, type PetCall } from '../calls.ts';
import type { CollectionModel } from '../collection-model.ts';
import { JSON_TYPE } from '../inputs/body.ts';
import type { KeyRequirement } from '../inputs/credentials.ts';
import type { PetReply } from '../reply.ts';
import type { PetRule } from './rule.ts';

/** The statuses with which a call may be refused for what is wrong with it beside its key; none where nothing is. */
function otherFaults(call: PetCall, model: CollectionModel): readonly number[] {
  switch (call.operation) {
    case 'listPets':
      return asksFor(call, {}) ? [] : [400];
    case 'createPet': {
      const { kind, contentType } = call.body;
      if (kind === 'valid') return [];
      return contentType === JSON_TYPE ? [400] : [400, 415];
    }
    case 'getPet': {
      const asked = askedId(call);
      if (asked.kind !== 'int64') return [400, 404];
      return model.find(asked.id) === undefined && !isOfOthers(call, model) ? [404] : [];
    }
  }
}

/** Whether a call asks for an animal that the run did not add and has seen: it exists, and may be gone at any time. */
function isOfOthers(call: PetCall, model: CollectionModel): boolean {
  const id = idOf(call);
  return (
    id !== undefined && model.find(id) === undefined && model.seenBefore(id, Number.POSITIVE_INFINITY) !== undefined
  );
}

/** Statuses beside 401 with which a call without a valid key may be refused although nothing else is wrong with it. */
function otherRefusals(call: PetCall, model: CollectionModel): readonly number[] {
  const { form, operation, credential } = call;
  return [
    // A parameter that is not known may be refused as such.
    ...(credential.query === undefined ? [] : [400]),
    ...(form.chunked === true ? [411] : []),
    ...(operation === 'getPet' && model.getPetMayBeGone ? [404, 410] : []),
    ...(operation === 'getPet' && isOfOthers(call, model) ? [404] : []),
  ];
}

/** The statuses that may answer a call whose only fault is its credential. */
export const refusalsOf = (call: PetCall, model: CollectionModel): readonly number[] => [
  401,
  ...otherRefusals(call, model),
];

function judged(reply: PetReply, permitted: readonly number[], model: CollectionModel) {
  const { call, status } = reply;
  if (status === undefined || status >= 500) return 'irrelevant';
  if (permitted.includes(status)) return 'holds';
  const code = status < 300 ? 'key-accepted' : 'status';
  const id = idOf(call);
  const seen = id === undefined ? undefined : model.seenBefore(id, reply.exchange.sentAt);
  const existing = model.find(id)?.exchange ?? seen;
  const message = `answers ${status} to ${call.description}`;
  const violation = violatesByStatus(reply, code, message, permitted, permitted.join(' or '), existing);
  const { source } = call.credential;
  if (source === undefined) return violation;
  // What a replay takes the credential from stands just before the request.
  const others = violation.proof.filter((one) => one !== source && one !== reply.exchange);
  return { ...violation, proof: [...others, source, reply.exchange] };
}

/** Part 5: a call whose only fault is a credential of this kind is refused with 401. */
export function isRefusedForItsKey(requirement: KeyRequirement, operation: PetCall['operation']): PetRule {
  return (reply, model) => {
    const { call } = reply;
    const { credential } = call;
    if (call.operation !== operation || credential.valid || credential.requirement !== requirement) return 'irrelevant';
    if (otherFaults(call, model).length > 0 && !hasTakenAnOpenBody(reply)) return 'irrelevant';
    return judged(reply, refusalsOf(call, model), model);
  };
}

/** Whether a body of which it is not said whether it is valid was accepted: then it was no fault. */
function hasTakenAnOpenBody({ call, status = 0 }: PetReply): boolean {
  return call.operation === 'createPet' && call.body.kind === 'open' && status < 300;
}

/** Part 5: a credential of which it is not said whether it is valid gives access, or is refused with 401. */
export const isTakenOrRefused: PetRule = (reply, model) => {
  const { call } = reply;
  if (call.credential.isOpen !== true) return 'irrelevant';
  const success = call.operation === 'createPet' ? 201 : 200;
  return judged(reply, [success, ...refusalsOf(call, model), ...otherFaults(call, model)], model);
};

/** Parts 5 and 7: a call with an invalid key and another fault is refused for either. */
export const isRefusedForEither: PetRule = (reply, model) => {
  const { call } = reply;
  if (call.credential.valid || call.credential.isOpen === true || hasTakenAnOpenBody(reply)) return 'irrelevant';
  const others = otherFaults(call, model);
  return others.length === 0 ? 'irrelevant' : judged(reply, [...refusalsOf(call, model), ...others], model);
};
