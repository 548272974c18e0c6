import { boundText } from '../../contract/bounded-json.ts';
import { type Judgement, violates, violatesByStatus } from '../../engine/violation.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { CreateCall } from '../calls.ts';
import type { CollectionModel } from '../collection-model.ts';
import { JSON_TYPE, type NewPet, type OpenBody, type ValidBody } from '../inputs/body.ts';
import { AGREED_FIELDS, type PetReply } from '../reply.ts';
import { ownerOfAny } from './owner.ts';
import { because, whyAccepted } from './reasons.ts';
import { type PetRule, permittedByForm, shown, told } from './rule.ts';

/** The statuses with which a call that adds an animal may be answered: what its body is decides. */
export function permittedTo(call: CreateCall): readonly number[] {
  const { body } = call;
  const byForm = permittedByForm(call);
  if (body.kind === 'valid') return [201, ...byForm];
  if (body.kind === 'open') return [...Object.keys(body.readings ?? {}).map(Number), ...byForm];
  // That JSON is taken for JSON with a charset parameter too is another requirement's concern.
  return [400, ...(body.contentType === JSON_TYPE ? [] : [415]), ...byForm];
}

/**
 * Every call, sent with the right key, that adds an animal, and whose body is this requirement's; answers that say
 * nothing of the body are other requirements' concern.
 */
function onBody(
  kind: 'invalid' | 'open',
  requirement: string,
  judge: (reply: PetReply, call: CreateCall, model: CollectionModel) => Judgement,
): PetRule {
  return (reply, model) => {
    const { call } = reply;
    if (call.operation !== 'createPet' || call.body.kind !== kind || call.body.requirement !== requirement) {
      return 'irrelevant';
    }
    return call.credential.valid && ownerOfAny(reply) === undefined ? judge(reply, call, model) : 'irrelevant';
  };
}

const listed = (statuses: readonly number[]): string =>
  statuses.length === 1 ? `${statuses[0]}` : `one of ${statuses.join(', ')}`;

function whyPermitted(reply: PetReply, call: CreateCall): string | undefined {
  return call.body.kind === 'invalid' ? reply.requestFault : whyAccepted(call);
}

function isPermitted(reply: PetReply, call: CreateCall, control?: Exchange): Judgement {
  const permitted = permittedTo(call);
  const { status = 0 } = reply;
  if (permitted.includes(status)) return 'holds';
  const message = `answers ${status} to ${call.description}`;
  const expected = because(listed(permitted), whyPermitted(reply, call));
  return violatesByStatus(reply, 'status', message, permitted, expected, control);
}

/** Part 4.2: every body whose defect is this requirement's is refused. */
export function refuses(requirement: string): PetRule {
  return onBody('invalid', requirement, (reply, call) => isPermitted(reply, call));
}

/**
 * Every body that is open by this requirement is answered as it permits, and taken for what it certainly says. Of a
 * service that has accepted no valid body, it says nothing.
 */
export function takesOrRefuses(requirement: string): PetRule {
  return onBody('open', requirement, (reply, call, { control }) => {
    if (control === undefined || call.body.kind !== 'open') return 'irrelevant';
    const judgement = isPermitted(reply, call, control);
    return judgement === 'holds' ? isMadeOf(call.body, reply, control) : judgement;
  });
}

/** Where a body was accepted, the animal holds what the body certainly says, and an id of the service's own. */
function isMadeOf(body: OpenBody, reply: PetReply, control: Exchange): Judgement {
  const [animal] = reply.animals;
  if (animal === undefined) return 'holds';
  if (body.clientId !== undefined && animal.id === body.clientId) {
    const actual = `${body.clientId}`;
    const expected = 'an id that the service assigned';
    return violates(reply, 'client-id', 'the id of the client was taken', expected, actual, control);
  }
  const { oneOf } = body;
  if (oneOf !== undefined && !oneOf.values.includes(`${animal[oneOf.field]}`)) {
    const { field, values } = oneOf;
    const message = `accepts ${body.label}, and the ${field} is neither of the two`;
    return violates(reply, 'accepted-changed', message, values.map(shown).join(' or '), told(field, animal), control);
  }
  const field = differingField(body.pet, reply);
  if (field === undefined) return 'holds';
  const message = `accepts ${body.label}, and the ${field} came back changed`;
  return violates(reply, 'accepted-changed', message, shown(body.pet[field] ?? ''), told(field, animal), control);
}

/** A valid body whose form is this requirement's is read as what it says. */
export function readsAsWritten(requirement: string): PetRule {
  return (reply) => {
    const { call } = reply;
    if (call.operation !== 'createPet' || call.body.kind !== 'valid' || call.body.isCrossed === true)
      return 'irrelevant';
    if (call.body.requirement !== requirement || reply.animals.length === 0) return 'irrelevant';
    return isReadAs(call.body, reply);
  };
}

/** A valid body that is sent in chunks is accepted, or refused for its missing length. */
export const isTakenInChunks: PetRule = (reply) => {
  const { call } = reply;
  if (call.operation !== 'createPet' || call.body.kind !== 'valid' || call.form.chunked !== true) return 'irrelevant';
  if (call.body.isCrossed === true || !call.credential.valid || ownerOfAny(reply) !== undefined) return 'irrelevant';
  // What is unusual about the body itself is to blame before its chunks are, where it is known.
  const isPlain = call.body.requirement === 'CREATE-16' || call.body.requirement === 'CREATE-1';
  return isPlain || call.body.hidesItsOwner === true ? isPermitted(reply, call) : 'irrelevant';
};

/** Where a valid body was accepted, the animal holds what the body says. */
function isReadAs(body: ValidBody, reply: PetReply): Judgement {
  const field = differingField(body.pet, reply);
  if (field === undefined) return 'holds';
  const message = `${body.label}: the ${field} is not the one that the body says`;
  return violates(reply, 'misread', message, shown(body.pet[field] ?? ''), told(field, reply.animals[0]));
}

/** A body of which several things are unusual is answered as it must be. */
export function isTaken(body: ValidBody, reply: PetReply): Judgement {
  const { call } = reply;
  if (call.operation !== 'createPet') return 'irrelevant';
  const judgement = isPermitted(reply, call);
  return judgement === 'holds' ? isReadAs(body, reply) : judgement;
}

/** A long text is known by its stand-in alone. */
function differingField(pet: Partial<NewPet>, { animals: [animal] }: PetReply) {
  return AGREED_FIELDS.find((field) => {
    const [sent, stored] = [pet[field], animal?.[field]];
    if (animal === undefined || sent === undefined) return false;
    return (typeof sent === 'string' ? boundText(sent) : sent) !== stored;
  });
}
