// Part 3 · States and transitions
import { check } from '../src/petstore/index.ts';
import { agreesOnAnOmittedStatus } from '../src/petstore/rules/animals.ts';
import { accepts } from '../src/petstore/rules/rule.ts';

export const states = [
  check('STATE-1', 'an animal can be added without a status', {
    everyAnswer: accepts('STATE-1'),
    exercise: async ({ collection }) => {
      await collection.anAnimalWith();
    },
  }),

  check('STATE-2', 'an omitted status becomes one of the three or stays absent, and all operations agree on it', {
    phase: 'fresh',
    everyAnswer: agreesOnAnOmittedStatus,
    exercise: async ({ api, collection, observe }) => {
      const animal = await collection.anAnimalWith();
      await api.get(animal.id);
      const { status } = animal;
      observe(status === undefined ? 'leaves out an omitted status' : `gives an omitted status the value ${status}`);
    },
  }),
];
