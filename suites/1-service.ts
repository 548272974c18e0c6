// Part 1 · What the service does
import {
  check,
  createPet,
  followSequence,
  LIMIT,
  listPets,
  operationSequences,
  petsOfEveryKind,
  unusualBodies,
} from '../src/petstore/index.ts';
import { isAnsweredInFull, isNoServerError, isSentAsJson, isStrictJson } from '../src/petstore/rules/responses.ts';

export const service = [
  check('SERV-1', 'animals that were added are in the list, whatever they are', {
    phase: 'early',
    exercise: async ({ api, collection, aPet, forEach }) => {
      await forEach(petsOfEveryKind(aPet, collection.naming), async (pet) => {
        await api.create(pet);
      });
      await collection.showsItsOwn();
    },
  }),

  check('SERV-1.later', 'animals that were added are in the list at the end of the run', {
    phase: 'quiet',
    exercise: ({ collection }) => collection.showsItsOwn(),
  }),

  check('SERV-1.model', 'any sequence of adding, getting and listing agrees with what was done', {
    exercise: (vocabulary) =>
      vocabulary.forAll(operationSequences(vocabulary.naming), 6, (steps) => followSequence(vocabulary, steps)),
  }),

  check('SERV-2', 'every response is sent as application/json', {
    everyAnswer: isSentAsJson,
    exercise: async ({ succeedOnceEach, failOnceEach }) => {
      await Promise.all([succeedOnceEach(), failOnceEach()]);
    },
  }),

  check('SERV-3', 'every body is strict JSON in UTF-8', {
    everyAnswer: isStrictJson,
    exercise: async ({ succeedOnceEach, failOnceEach }) => {
      await Promise.all([succeedOnceEach(), failOnceEach()]);
    },
  }),

  check('SERV-4', 'no request makes the service fail with a 5xx', {
    everyAnswer: isNoServerError,
    exercise: ({ api, aPet, forEach }) =>
      forEach(unusualBodies(aPet()), async (body) => {
        await api.send(createPet(body, api.key));
      }),
  }),

  check('SERV-5', 'every request is answered by one whole response in time', {
    phase: 'quiet',
    everyAnswer: isAnsweredInFull,
    exercise: async ({ api }) => {
      // A connection that died may have been closed while it lay idle; on new connections that cannot be.
      do await api.send(listPets({ limit: LIMIT.minimum }, api.key));
      while (api.doubtsResets);
    },
  }),
];
