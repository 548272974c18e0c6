// Part 3 · States and transitions
import { additions, adds, check, PET_STATUSES } from '../src/petstore/index.ts';
import * as rules from '../src/petstore/rules/index.ts';
import * as spaces from '../src/petstore/space/index.ts';

export const states = [
  check('STATE-1', 'an animal can be added without a status', {
    everyAnswer: rules.isAnswered('STATE-1'),
    covers: [additions('without a status')],
    exercise: async (vocabulary) => {
      const { collection, cover } = vocabulary;
      await collection.anAnimalWith();
      await cover(spaces.NEW_PETS, (addition) => adds(vocabulary, addition));
    },
  }),

  check('STATE-2', 'an omitted status becomes one of the three or stays absent, and all operations agree on it', {
    stage: 'first entries',
    everyAnswer: rules.agreesOnAnOmittedStatus,
    exercise: async ({ api, collection, observe }) => {
      const animal = await collection.anAnimalWith();
      await api.get(animal.id);
      const { status } = animal;
      observe(status === undefined ? 'leaves out an omitted status' : `gives an omitted status the value ${status}`);
    },
  }),

  check('STATE-2.listed', 'an animal whose status was omitted is found by the status that it took', {
    stage: 'few entries',
    exercise: async ({ collection, notApplicable, pages }) => {
      const { status } = await collection.anAnimalWith();
      const taken = PET_STATUSES.find((one) => one === status);
      if (taken === undefined) return notApplicable('an omitted status stays absent, and no filter finds it');
      await pages.lookForOneWithoutStatus(taken);
    },
  }),
];
