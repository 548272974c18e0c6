// Part 4.3 · Get an animal (deprecated)
import {
  anyNotInt64,
  check,
  EDGE_IDS,
  farIds,
  getPet,
  neighboursOf,
  notInt64,
  plainPets,
} from '../src/petstore/index.ts';
import {
  hasTheIdAskedFor,
  isAnAnimal,
  isFoundAsListed,
  isFoundWhile,
  isNotLost,
  isNotMissing,
} from '../src/petstore/rules/animals.ts';

/** At the end of the run, its oldest animal is at least so old (ms). */
const LATER_MS = 1_500;
/** Most animals of others that are fetched, and most of the run's own. */
const MOST_OF_OTHERS = 10;
const MOST_OWN = 60;

export const getPetChecks = [
  check('GET-1', 'an animal that exists is answered with 200', {
    everyAnswer: [isFoundWhile('no longer new'), isAnAnimal],
    exercise: async ({ api, collection, expect }) => {
      const id = await collection.anAnimal();
      const reply = await api.eventually(
        () => api.send(getPet(id, api.key)),
        ({ status }) => status !== 404,
      );
      if (!collection.model.getPetMayBeGone) expect(isNotMissing(id, reply));
      await api.get(id);
    },
  }),

  check('GET-1.listed', 'an animal that the list shows is answered with 200', {
    phase: 'fresh',
    exercise: ({ collection }) => collection.fetchesAsListed(MOST_OF_OTHERS, isFoundAsListed),
  }),

  check('GET-2', 'an identifier that no animal has is answered with 404', {
    exercise: async ({ api, collection, forEach, forAll }) => {
      await api.get(await collection.anAnimal());
      await forAll(farIds(), 25, async (id) => {
        api.expectStatus(await api.send(getPet(id, api.key)), [404]);
      });
      await forEach(EDGE_IDS, async (id) => {
        const reply = await api.send(getPet(id, api.key));
        // Somebody's animal may have this very id; then it is GET-3 that judges the answer.
        if (reply.animals[0]?.id !== id) api.expectStatus(reply, [404]);
      });
    },
  }),

  check('GET-3', 'the animal that comes back has exactly the id that was asked for', {
    everyAnswer: hasTheIdAskedFor,
    exercise: async ({ api, collection, forEach }) => {
      const id = await collection.anAnimal();
      await api.get(id);
      await forEach(neighboursOf(id), async (neighbour) => {
        await api.send(getPet(neighbour, api.key));
      });
    },
  }),

  check('GET-4', 'an animal can be fetched as soon as it was created', {
    everyAnswer: isFoundWhile('new'),
    exercise: ({ api, naming, forAll }) =>
      forAll(plainPets(naming), 15, async (pet) => {
        const { id } = await api.create(pet);
        await api.get(id);
      }),
  }),

  check('GET-4.later', 'an animal can still be fetched at the end of the run', {
    phase: 'quiet',
    exercise: async ({ api, collection, profile, forEach, expect }) => {
      await collection.anAnimal();
      if (profile !== 'smoke') await collection.isAsOldAs(LATER_MS);
      await forEach(collection.someOfItsOwn(MOST_OWN), async (animal) => {
        const reply = await api.send(getPet(animal.id, api.key));
        if (!collection.model.getPetMayBeGone) expect(isNotLost(animal, reply));
      });
    },
  }),

  check('GET-5', 'a petId that is not an int64 is answered with 404 or 400', {
    exercise: async ({ api, collection, forEach, forAll, permits }) => {
      const isRefused = async (petId: string): Promise<void> => {
        permits(await api.send(getPet(petId, api.key)), {
          400: 'answers 400 to a petId that is not an int64',
          404: 'answers 404 to a petId that is not an int64',
        });
      };
      await forEach(notInt64(await collection.anAnimal()), isRefused);
      await forAll(anyNotInt64(), 15, isRefused);
    },
  }),
];
