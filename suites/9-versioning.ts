// Part 9 · Versioning
import { check, createPet, getPet, listPets, REMOVAL_DATE_IN_WORDS } from '../src/petstore/index.ts';
import * as inputs from '../src/petstore/inputs/index.ts';
import * as rules from '../src/petstore/rules/index.ts';

export const versioning = [
  check('VERS-1', 'all operations are found under the base address, which ends in /v1', {
    everyAnswer: rules.staysUnderItsVersion,
    exercise: async ({ api, collection, expect }) => {
      const { succeeded, getPetMayBeGone } = collection.model;
      const listed = await api.send(listPets({}, api.key));
      expect(rules.isFoundUnder(api.basePath, succeeded.has('listPets')), listed);
      const fetched = await api.send(getPet(await collection.anAnimal(), api.key));
      if (!getPetMayBeGone) expect(rules.isFoundUnder(api.basePath, succeeded.has('getPet')), fetched);
      await api.list();
    },
  }),

  check('VERS-1.createPet', 'createPet is found under the base address', {
    exercise: async ({ api, collection, aPet, expect }) => {
      const refused = await api.send(createPet(inputs.missing(aPet(), 'name'), api.key));
      expect(rules.isFoundUnder(api.basePath, collection.model.succeeded.has('createPet')), refused);
    },
  }),

  check('VERS-3', 'getPet works although it is deprecated, until 5 December 2030', {
    everyAnswer: rules.worksUntilItsRemoval,
    exercise: async ({ api, collection, expect, notApplicable }) => {
      if (collection.model.getPetMayBeGone) notApplicable(`the removal date, ${REMOVAL_DATE_IN_WORDS}, has come`);
      const id = await collection.anAnimal();
      const reply = await api.send(getPet(id, api.key));
      expect(rules.isNotRemovedEarly(collection.model.succeeded.has('getPet')), reply);
      await api.get(id);
    },
  }),

  check('VERS-4', 'from 5 December 2030, getPet works as before or answers 404 or 410', {
    everyAnswer: rules.isAnswered('VERS-4'),
    exercise: async ({ api, collection, permits, notApplicable }) => {
      if (!collection.model.getPetMayBeGone) {
        notApplicable(`it applies on and after ${REMOVAL_DATE_IN_WORDS} (--today sets the date)`);
      }
      const reply = await api.send(getPet(await collection.anAnimal(), api.key));
      permits(reply, (status) => `${status === 200 ? 'still answers' : `answers ${status} to`} getPet`);
    },
  }),

  check('VERS-5', 'whether getPet announces its deprecation in headers is recorded', {
    exercise: async ({ api, collection, observe }) => {
      const reply = await api.send(getPet(await collection.anAnimal(), api.key));
      const headers = ['Deprecation', 'Sunset'].filter((name) => reply.header(name) !== undefined);
      const sent = headers.length === 0 ? 'no Deprecation or Sunset header' : `${headers.join(' and ')} with getPet`;
      observe(`sends ${sent}`, undefined, reply);
    },
  }),
];
