// Part 3 · States and transitions
import { check, createPet, validBody } from '../src/petstore/index.ts';
import { agreesOnAnOmittedStatus } from '../src/petstore/rules/animals.ts';
import { accepts } from '../src/petstore/rules/rule.ts';

export const states = [
  check('STATE-1', 'an animal can be added without a status', {
    everyAnswer: accepts('STATE-1'),
    exercise: async ({ api, aPet }) => {
      await api.send(createPet(validBody(aPet(), 'STATE-1', 'a body without a status'), api.key));
    },
  }),

  check('STATE-2', 'an omitted status becomes one of the three or stays absent, and all operations agree on it', {
    phase: 'fresh',
    everyAnswer: agreesOnAnOmittedStatus,
    exercise: async ({ api, aPet, observe }) => {
      const animal = await api.create(validBody(aPet(), 'STATE-1', 'a body without a status'));
      await api.get(animal.id);
      const { status } = animal;
      observe(status === undefined ? 'leaves out an omitted status' : `gives an omitted status the value ${status}`);
    },
  }),
];
