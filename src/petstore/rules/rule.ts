import { overall, type Rule } from '../../engine/check.ts';
import { isSuspicion, type Judgement, quote, type Suspicion, showing } from '../../engine/violation.ts';
import type { Response } from '../../http/exchange.ts';
import type { CollectionModel } from '../collection-model.ts';
import { type Animal, fieldText, type PetReply } from '../reply.ts';

/** A value in a few words. */
export function shown(value: string | bigint): string {
  return typeof value === 'bigint' ? `${value}` : quote(value);
}

/** A field as a person reads it, and in the service's own words where it is not what it must be. */
export function readable(
  field: keyof typeof NOTHING,
  animal: Pick<Animal, typeof field | 'source'> | undefined,
): string {
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
