import { boundText } from '../../contract/bounded-json.ts';
import { type Judgement, violates } from '../../engine/violation.ts';
import type { CreateCall } from '../calls.ts';
import { JSON_TYPE, type NewPet, type OpenBody, type ValidBody } from '../inputs/body.ts';
import { AGREED_FIELDS, type PetReply } from '../reply.ts';
import { because, whyAccepted } from './reasons.ts';
import { type PetRule, shown, told } from './rule.ts';

/** Bodies of more bytes than this may be too large for a service: 413 is permitted then. */
const CERTAINLY_READ = 65_536;

/** Statuses that the way in which a body is sent permits, whatever is in it. */
function permittedByForm({ form, body }: CreateCall): readonly number[] {
  return [...(form.chunked === true ? [411] : []), ...((body.bytes?.length ?? 0) > CERTAINLY_READ ? [413] : [])];
}

/** The statuses with which a call that adds an animal may be answered: what its body is decides. */
export function permittedTo(call: CreateCall): readonly number[] {
  const { body } = call;
  const byForm = permittedByForm(call);
  if (body.kind === 'valid') return [201, ...byForm];
  if (body.kind === 'open') return [...Object.keys(body.readings ?? {}).map(Number), ...byForm];
  // That JSON is taken for JSON with a charset parameter too is another requirement's concern.
  return [400, ...(body.contentType === JSON_TYPE ? [] : [415]), ...byForm];
}

/** The requirement that an answer belongs to that says nothing of the body; undefined where it does say something. */
export function elsewhere({ status, call: { credential } }: PetReply): string | undefined {
  if (status === undefined) return 'SERV-5';
  if (status >= 500) return 'SERV-4';
  return status === 401 && credential.valid ? 'AUTH-1' : undefined;
}

/**
 * Every call, sent with the right key, that adds an animal, and whose body is this requirement's; answers that say
 * nothing of the body are other requirements' concern.
 */
function onBody(
  kind: 'invalid' | 'open',
  requirement: string,
  judge: (reply: PetReply, call: CreateCall) => Judgement,
): PetRule {
  return (reply) => {
    const { call } = reply;
    if (call.operation !== 'createPet' || call.body.kind !== kind || call.body.requirement !== requirement) {
      return 'irrelevant';
    }
    return call.credential.valid && elsewhere(reply) === undefined ? judge(reply, call) : 'irrelevant';
  };
}

const listed = (statuses: readonly number[]): string =>
  statuses.length === 1 ? `${statuses[0]}` : `one of ${statuses.join(', ')}`;

function whyPermitted(reply: PetReply, call: CreateCall): string | undefined {
  return call.body.kind === 'invalid' ? reply.requestFault : whyAccepted(call);
}

function isPermitted(reply: PetReply, call: CreateCall): Judgement {
  const permitted = permittedTo(call);
  const { status = 0 } = reply;
  if (permitted.includes(status)) return 'holds';
  const message = `answers ${status} to ${call.description}`;
  return violates(reply, 'status', message, because(listed(permitted), whyPermitted(reply, call)), `${status}`);
}

/** Part 4.2: every body whose defect is this requirement's is refused. */
export function refuses(requirement: string): PetRule {
  return onBody('invalid', requirement, isPermitted);
}

/** Every body that is open by this requirement is answered as it permits, and taken for what it certainly says. */
export function takesOrRefuses(requirement: string): PetRule {
  return onBody('open', requirement, (reply, call) => {
    const judgement = isPermitted(reply, call);
    if (judgement !== 'holds' || call.body.kind !== 'open') return judgement;
    return isMadeOf(call.body, reply);
  });
}

/** Where a body was accepted, the animal holds what the body certainly says, and an id of the service's own. */
function isMadeOf(body: OpenBody, reply: PetReply): Judgement {
  const [animal] = reply.animals;
  if (animal === undefined) return 'holds';
  if (body.clientId !== undefined && animal.id === body.clientId) {
    const actual = `${body.clientId}`;
    return violates(reply, 'client-id', 'the id of the client was taken', 'an id that the service assigned', actual);
  }
  const field = differingField(body.pet, reply);
  if (field === undefined) return 'holds';
  const message = `accepts ${body.label}, and the ${field} came back changed`;
  return violates(reply, 'accepted-changed', message, shown(body.pet[field] ?? ''), told(field, animal));
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
  if (call.body.isCrossed === true || !call.credential.valid || elsewhere(reply) !== undefined) return 'irrelevant';
  return isPermitted(reply, call);
};

/** Where a valid body was accepted, the animal holds what the body says. */
export function isReadAs(body: ValidBody, reply: PetReply): Judgement {
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
