import { boundText } from '../../contract/bounded-json.ts';
import { type Judgement, violates } from '../../engine/violation.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { NewPet, OpenBody, ValidBody } from '../inputs/body.ts';
import { AGREED_FIELDS, type PetReply } from '../reply.ts';
import { type PetRule, readable, shown } from './rule.ts';

/**
 * A body that is open by this requirement, and was accepted, is taken for what it certainly says. Of a service that has
 * accepted no valid body, it says nothing.
 */
export function isTakenForWhatItSays(requirement: string): PetRule {
  return (reply, { control }) => {
    const { call } = reply;
    if (control === undefined || call.operation !== 'createPet' || !call.credential.valid) return 'irrelevant';
    const { body } = call;
    return body.kind === 'open' && body.requirement === requirement ? isMadeOf(body, reply, control) : 'irrelevant';
  };
}

/** Where a body was accepted, the animal holds what the body certainly says, and an id of the service's own. */
function isMadeOf(body: OpenBody, reply: PetReply, control: Exchange): Judgement {
  const [animal] = reply.animals;
  if (animal === undefined) return 'holds';
  if (body.clientId !== undefined && animal.id === body.clientId) {
    const actual = `${body.clientId}`;
    const expected = 'an id that the service assigned';
    return violates(reply, 'client-id', 'the service used the id sent by the client', expected, actual, control);
  }
  const { oneOf } = body;
  if (oneOf !== undefined && !oneOf.values.includes(`${animal[oneOf.field]}`)) {
    const { field, values } = oneOf;
    const message = `accepts ${body.label}, and the ${field} is neither of the two`;
    return violates(
      reply,
      'accepted-changed',
      message,
      values.map(shown).join(' or '),
      readable(field, animal),
      control,
    );
  }
  const field = differingField(body.pet, reply);
  if (field === undefined) return 'holds';
  const message = `accepts ${body.label}, and the ${field} came back changed`;
  return violates(reply, 'accepted-changed', message, shown(body.pet[field] ?? ''), readable(field, animal), control);
}

/** A valid body whose form is this requirement's is read as what it says. */
export function readsAsWritten(requirement: string): PetRule {
  return (reply) => {
    const { call } = reply;
    if (call.operation !== 'createPet' || call.body.kind !== 'valid') return 'irrelevant';
    if (call.body.requirement !== requirement || reply.animals.length === 0) return 'irrelevant';
    return isReadAs(call.body, reply);
  };
}

/** Where a valid body was accepted, the animal holds what the body says. */
function isReadAs(body: ValidBody, reply: PetReply): Judgement {
  const field = differingField(body.pet, reply);
  if (field === undefined) return 'holds';
  const message = `${body.label}: the ${field} is not the one that the body says`;
  return violates(reply, 'misread', message, shown(body.pet[field] ?? ''), readable(field, reply.animals[0]));
}

/** A long text is known by its stand-in alone. */
function differingField(pet: Partial<NewPet>, { animals: [animal] }: PetReply) {
  return AGREED_FIELDS.find((field) => {
    const [sent, stored] = [pet[field], animal?.[field]];
    if (animal === undefined || sent === undefined) return false;
    return (typeof sent === 'string' ? boundText(sent) : sent) !== stored;
  });
}
