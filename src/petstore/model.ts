import fc from 'fast-check';
import { brief } from '../engine/breach.ts';
import type { CheckContext } from '../engine/context.ts';
import { type NewPet, PET_STATUSES } from './inputs/new-pet.ts';
import { type Mark, plainPets } from './inputs/new-pets.ts';
import type { Created } from './ledger.ts';
import { breach } from './rules.ts';

/** One step of a walk through the interface; `which` picks one of the animals that the walk has added so far. */
export type Step =
  | { readonly do: 'add'; readonly pet: NewPet }
  | { readonly do: 'get'; readonly which: number }
  | { readonly do: 'list'; readonly status: (typeof PET_STATUSES)[number] | undefined; readonly limit: number };

/** Sequences of steps, beginning with an addition. */
export function walks(mark: Mark): fc.Arbitrary<readonly Step[]> {
  const add = plainPets(mark).map((pet): Step => ({ do: 'add', pet }));
  const get = fc.nat({ max: 20 }).map((which): Step => ({ do: 'get', which }));
  const list = fc
    .record({
      status: fc.option(fc.constantFrom(...PET_STATUSES), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 100 }),
    })
    .map((query): Step => ({ do: 'list', ...query }));
  const step = fc.oneof({ weight: 2, arbitrary: add }, { weight: 3, arbitrary: get }, { weight: 2, arbitrary: list });
  return fc.tuple(add, fc.array(step, { minLength: 3, maxLength: 10 })).map(([first, rest]) => [first, ...rest]);
}

/**
 * Takes the steps one by one and holds each answer against a model: the animals that the walk itself has added.
 * Others may add animals meanwhile, so the model says nothing of theirs.
 */
export async function walk(context: CheckContext, steps: readonly Step[]): Promise<void> {
  const model: { readonly pet: NewPet; readonly animal: Created }[] = [];
  for (const step of steps) {
    if (step.do === 'add') {
      const animal = await context.service.create(step.pet);
      const twin = model.find((entry) => entry.animal.id === animal.id);
      if (twin !== undefined) {
        const fault = breach(
          'model',
          `two animals of one walk were given the id ${animal.id}`,
          'another id',
          `${animal.id}`,
        );
        context.broken(fault, twin.animal.exchange, animal.exchange);
      }
      model.push({ pet: step.pet, animal });
    } else if (step.do === 'get') {
      const entry = model[step.which % model.length];
      if (entry === undefined) continue;
      const reply = await context.service.get(entry.animal.id);
      const { name } = reply.animals[0] ?? {};
      if (name !== entry.pet.name) {
        const fault = breach(
          'model',
          `animal ${entry.animal.id} has become another one`,
          brief(entry.pet.name),
          brief(name ?? 'no name'),
        );
        context.broken(fault, entry.animal.exchange, reply.exchange);
      }
    } else {
      await context.service.list({ limit: step.limit, ...(step.status === undefined ? {} : { status: step.status }) });
    }
  }
}
