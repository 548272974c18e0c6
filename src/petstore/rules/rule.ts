import { overall, type Rule } from '../../engine/check.ts';
import {
  isSuspicion,
  type Judgement,
  quote,
  type Suspicion,
  showing,
  violates,
  violatesByStatus,
} from '../../engine/violation.ts';
import type { Response } from '../../http/exchange.ts';
import { type Asking, asksFor, type CreateCall, hasLoosePiece, idOf, limitOf, type PetCall } from '../calls.ts';
import type { CollectionModel } from '../collection-model.ts';
import { type Animal, fieldText, type PetReply } from '../reply.ts';
import { ownerOfAny } from './owner.ts';
import { because, whyAccepted } from './reasons.ts';

/** A value in a few words. */
export function shown(value: string | bigint): string {
  return typeof value === 'bigint' ? `${value}` : quote(value);
}

/** A field as a person reads it, and in the service's own words where it is not what it must be. */
export function told(field: keyof typeof NOTHING, animal: Pick<Animal, typeof field | 'source'> | undefined): string {
  const value = animal?.[field];
  return value === undefined ? ((animal && fieldText(animal, field)) ?? NOTHING[field]) : shown(value);
}

const NOTHING = { name: 'no name', categoryId: 'no categoryId', status: 'no status' };

/** What is true of every answer of the Pet Store. */
export type PetRule = Rule<PetReply, CollectionModel>;

/** Every response that the specification gives a body: a 2xx or a 4xx. */
export function onResponse(judge: (reply: PetReply, response: Response) => Judgement): PetRule {
  return (reply) => {
    const { response } = reply;
    if (response === undefined) return 'irrelevant';
    const { status } = response;
    const hasBody = (status >= 200 && status < 300 && status !== 204) || (status >= 400 && status < 500);
    return hasBody ? judge(reply, response) : 'irrelevant';
  };
}

/** Every 4xx, whatever was wrong with the request. */
export function onRefusal(judge: (reply: PetReply, response: Response) => Judgement): PetRule {
  return onResponse((reply, response) => (response.status >= 400 ? judge(reply, response) : 'irrelevant'));
}

/** Every animal in every reply. */
export function onAnimal(
  judge: (animal: Animal, reply: PetReply, model: CollectionModel) => Judgement | Suspicion,
): PetRule {
  return (reply, model) =>
    overall(reply.animals, (animal) => {
      const judgement = judge(animal, reply, model);
      if (typeof judgement === 'string') return judgement;
      const pointer = animal.source?.pointer ?? '';
      return isSuspicion(judgement)
        ? { ...judgement, violation: showing(judgement.violation, reply, pointer) }
        : showing(judgement, reply, pointer);
    });
}

/**
 * Every call, sent with the right key, that must succeed because of this requirement. A 401 and a 5xx belong to
 * other requirements.
 */
export function succeeds(
  status: number,
  when: (call: PetCall, reply: PetReply, model: CollectionModel) => boolean,
): PetRule {
  return (reply, model) => {
    const { call } = reply;
    if (!call.credential.valid || ownerOfAny(reply) !== undefined || !when(call, reply, model)) return 'irrelevant';
    if (reply.status === status) return 'holds';
    const message = `answers ${reply.status} to ${call.description}`;
    const expected = because(`${status}`, whyAccepted(call));
    // That an animal exists is known by the 201 that it was added with.
    return violatesByStatus(reply, 'status', message, [status], expected, model.find(idOf(call))?.exchange);
  };
}

/** Every list call that asks for what must be honoured is answered with a page. */
export function listingSucceeds(asking: Asking): PetRule {
  return succeeds(200, (call, { status }) => {
    if (call.operation !== 'listPets' || !asksFor(call, asking)) return false;
    return status !== 400 || !hasLoosePiece(call);
  });
}

/** Every list call with just this limit is answered with a page. */
export function listingSucceedsWithLimit(value: number): PetRule {
  const asking = { limit: 'valid', status: 'absent' } as const;
  return succeeds(200, (call, { status }) => {
    if (call.operation !== 'listPets' || !asksFor(call, asking) || limitOf(call) !== value) return false;
    return status !== 400 || !hasLoosePiece(call);
  });
}

/** Bodies of more bytes than this may be too large for a service: 413 is permitted then. */
const CERTAINLY_READ = 65_536;

/** Statuses that the way in which a body is sent permits, whatever is in it. */
export function permittedByForm({ form, body }: CreateCall): readonly number[] {
  return [...(form.chunked === true ? [411] : []), ...((body.bytes?.length ?? 0) > CERTAINLY_READ ? [413] : [])];
}

/**
 * Every valid body whose acceptance rests on this requirement is accepted. In chunks it may be refused for its missing
 * length, which is another requirement's concern, and a long one for its length.
 */
export function accepts(requirement: string): PetRule {
  return succeeds(201, (call, { status = 0 }) => {
    if (call.operation !== 'createPet' || call.body.kind !== 'valid') return false;
    if (call.body.isCrossed === true || call.body.hidesItsOwner === true) return false;
    return call.body.requirement === requirement && !permittedByForm(call).includes(status);
  });
}

/** A valid body that was refused, although all that is unusual about it is accepted, was refused for no reason. */
export const isNotRefusedForNoReason: PetRule = (reply) => {
  const { call } = reply;
  if (call.operation !== 'createPet' || call.body.kind !== 'valid') return 'irrelevant';
  const { refusedBefore } = call.body;
  if (refusedBefore?.answer.kind !== 'response') return 'irrelevant';
  const { status } = refusedBefore.answer;
  const message = `answers ${status} to ${call.description}, and then ${reply.statusText} to the same`;
  return violates(reply, 'refused-at-times', message, '201', `${status}`, refusedBefore);
};
