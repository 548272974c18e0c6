import fc from 'fast-check';
import { LIMIT, PET_STATUSES, type PetStatus } from './contract-facts.ts';
import type { NewPet } from './inputs/body.ts';
import { type Naming, plainPets } from './inputs/new-pets.ts';
import type { Created } from './reply.ts';
import { idGivenTwice, isStill } from './rules/animals.ts';
import type { Vocabulary } from './vocabulary.ts';

/** One step of a sequence; `which` picks one of the animals that the sequence has added so far. */
type Step =
  | { readonly do: 'add'; readonly pet: NewPet }
  | { readonly do: 'get'; readonly which: number }
  | { readonly do: 'list'; readonly status: PetStatus | undefined; readonly limit: number };

/** Sequences of steps, beginning with an addition. */
export function operationSequences(naming: Naming): fc.Arbitrary<readonly Step[]> {
  const add = plainPets(naming).map((pet): Step => ({ do: 'add', pet }));
  const get = fc.nat({ max: 20 }).map((which): Step => ({ do: 'get', which }));
  const list = fc
    .record({
      status: fc.option(fc.constantFrom(...PET_STATUSES), { nil: undefined }),
      limit: fc.integer({ min: LIMIT.minimum, max: LIMIT.maximum }),
    })
    .map((query): Step => ({ do: 'list', ...query }));
  const step = fc.oneof({ weight: 1, arbitrary: add }, { weight: 3, arbitrary: get }, { weight: 2, arbitrary: list });
  return fc.tuple(add, fc.array(step, { minLength: 4, maxLength: 6 })).map(([first, rest]) => [first, ...rest]);
}

/**
 * Takes the steps one by one and holds each answer against a model: the animals that the sequence itself has added.
 * Others may add animals meanwhile, so the model says nothing of theirs.
 */
export async function followSequence({ api, expect }: Vocabulary, steps: readonly Step[]): Promise<void> {
  const model: { readonly pet: NewPet; readonly animal: Created }[] = [];
  for (const step of steps) {
    if (step.do === 'add') {
      const animal = await api.create(step.pet);
      const twin = model.find((entry) => entry.animal.id === animal.id);
      if (twin !== undefined) expect((reply) => idGivenTwice(twin.animal, reply), animal.reply);
      model.push({ pet: step.pet, animal });
    } else if (step.do === 'get') {
      const entry = model[step.which % model.length];
      if (entry === undefined) continue;
      expect((reply) => isStill(entry.pet, entry.animal, reply), await api.get(entry.animal.id));
    } else {
      await api.list(step);
    }
  }
}
