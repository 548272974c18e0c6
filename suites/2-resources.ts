// Part 2 · Resources and their fields
import {
  BEYOND_A_DOUBLE,
  check,
  clientIds,
  createPet,
  INT64_EDGES,
  int64s,
  newPets,
  OPEN_NAMES,
  openCategory,
  openName,
  PET_STATUSES,
  quote,
  TRICKY_NAMES,
  UNKNOWN_CATEGORIES,
  unknownMembers,
  unusualIntegers,
  validBody,
} from '../src/petstore/index.ts';
import {
  agreesWithIts201,
  comesBackAsSent,
  hasACategoryId,
  hasAName,
  hasAnId,
  hasAnIdOfItsOwn,
  hasAStatusOfTheEnumeration,
  isExactlyNamed,
  isFetchedAsListed,
  isMadeOf,
  isNotTheClientsId,
} from '../src/petstore/rules/animals.ts';
import { accepts } from '../src/petstore/rules/rule.ts';

const MOST_OF_OTHERS = 10;

export const resources = [
  check('RES-1', 'the status of an animal is one of the three, and never null', {
    everyAnswer: hasAStatusOfTheEnumeration,
    exercise: ({ succeedOnceEach }) => succeedOnceEach(),
  }),

  check('RES-2', 'every animal has a name, a string', {
    everyAnswer: hasAName,
    exercise: ({ succeedOnceEach }) => succeedOnceEach(),
  }),

  check('RES-3', 'every animal has a categoryId, an int64', {
    everyAnswer: hasACategoryId,
    exercise: ({ succeedOnceEach }) => succeedOnceEach(),
  }),

  check('RES-4', 'every animal has an id, an int64', {
    everyAnswer: hasAnId,
    exercise: ({ succeedOnceEach }) => succeedOnceEach(),
  }),

  check('RES-5', 'no id is given twice, to animals added at the same moment either', {
    everyAnswer: hasAnIdOfItsOwn,
    exercise: async ({ api, aPet, forEach }) => {
      const twin = aPet('available');
      const others = Array.from({ length: 25 }, () => aPet('available'));
      const twins = Array.from({ length: 15 }, () => twin);
      await forEach([...others, ...twins], async (pet) => {
        await api.create(pet);
      });
    },
  }),

  check('RES-6', 'a name comes back exactly as it was sent, code point by code point', {
    everyAnswer: [accepts('RES-6'), comesBackAsSent('name')],
    exercise: async ({ api, naming, aPet, forEach, forAll }) => {
      const comesBack = async (name: string): Promise<void> => {
        const { id } = await api.create(validBody({ ...aPet('available'), name }, 'RES-6', `the name ${quote(name)}`));
        await api.get(id);
      };
      await forEach(TRICKY_NAMES, comesBack);
      await forAll(
        newPets(naming).map(({ name }) => name),
        30,
        comesBack,
      );
    },
  }),

  check('RES-7', 'any int64 is accepted as categoryId and comes back digit by digit', {
    everyAnswer: [accepts('RES-7'), comesBackAsSent('categoryId')],
    exercise: async ({ api, naming, aPet, forEach, forAll }) => {
      const comesBack = async (categoryId: bigint): Promise<void> => {
        const pet = { ...aPet('available'), categoryId };
        const { id } = await api.create(validBody(pet, 'RES-7', `the categoryId ${categoryId}`));
        await api.get(id);
      };
      if (naming.categories.length > 0) return forEach(naming.categories, comesBack);
      await forEach(INT64_EDGES, comesBack);
      await forAll(int64s(), 20, comesBack);
    },
  }),

  check('RES-8', 'an animal has the status that was sent with it', {
    everyAnswer: comesBackAsSent('status'),
    exercise: ({ api, aPet, forEach }) =>
      forEach([...PET_STATUSES, ...PET_STATUSES], async (status) => {
        await api.create(aPet(status));
      }),
  }),

  check('RES-9', 'the 201, getPet and listPets agree on every field of an animal', {
    phase: 'fresh',
    everyAnswer: agreesWithIts201,
    exercise: ({ api, collection, naming, aPet, forEach }) =>
      forEach([...PET_STATUSES, undefined], async (status) => {
        const pet = aPet(status);
        const animal = await api.create(naming.categories.length > 0 ? pet : { ...pet, categoryId: BEYOND_A_DOUBLE });
        await api.get(animal.id);
        await collection.lookFor(animal, status);
      }),
  }),

  check('RES-9.others', 'getPet and listPets agree on the animals of others too', {
    phase: 'early',
    exercise: ({ collection }) => collection.fetchesAsListed(MOST_OF_OTHERS, isFetchedAsListed),
  }),

  check('RES-10', 'a name at the margin is taken exactly, or refused', {
    exercise: async ({ api, collection, aPet, forEach, permits, expect }) => {
      await collection.anAnimal();
      await forEach(OPEN_NAMES, async (open) => {
        const reply = await api.send(createPet(openName(aPet('available'), open), api.key));
        permits(reply, { 201: 'accepts', 400: 'refuses' }, open.label);
        if (!open.lossy) expect(isExactlyNamed(open.name, open.label, reply));
      });
    },
  }),

  check('RES-11', 'a member that a NewPet does not have is ignored, echoed or refused', {
    exercise: async ({ api, collection, aPet, forEach, permits, expect }) => {
      await collection.anAnimal();
      await forEach(unknownMembers(aPet('available')), async (body) => {
        const reply = await api.send(createPet(body, api.key));
        permits(reply, { 201: 'accepts unknown members', 400: 'refuses unknown members' });
        expect(isMadeOf(body, reply));
      });
    },
  }),

  check('RES-12', 'an id that the client sends is refused, or the service assigns its own', {
    exercise: async ({ api, collection, aPet, forEach, permits, expect }) => {
      const existing = await collection.anAnimal();
      await forEach(clientIds(aPet('available'), existing), async ({ body, id }) => {
        const reply = await api.send(createPet(body, api.key));
        permits(reply, { 201: 'ignores an id that the client sends', 400: 'refuses an id that the client sends' });
        expect(isNotTheClientsId(id, reply));
      });
      await api.get(existing);
    },
  }),

  check('RES-13', 'an integer with a fraction of zero or an exponent is taken at its value, or refused', {
    exercise: async ({ api, collection, aPet, forEach, permits, expect }) => {
      await collection.anAnimal();
      await forEach(unusualIntegers(aPet('available')), async (body) => {
        const reply = await api.send(createPet(body, api.key));
        permits(reply, {
          201: 'accepts integers written as 1.0 or 1e2',
          400: 'refuses integers written as 1.0 or 1e2',
        });
        expect(isMadeOf(body, reply));
      });
    },
  }),

  check('RES-14', 'a category that is not known is accepted, or refused where the known ones are named', {
    exercise: async ({ api, collection, naming, aPet, forEach, permits }) => {
      await collection.anAnimal();
      const isKnown = (category: bigint): boolean => naming.categories.includes(category);
      const permitted =
        naming.categories.length > 0
          ? { 201: 'accepts any category', 400: 'refuses an unknown category' }
          : { 201: 'accepts any category' };
      await forEach(
        UNKNOWN_CATEGORIES.filter((category) => !isKnown(category)),
        async (categoryId) => {
          permits(await api.send(createPet(openCategory(aPet('available'), categoryId), api.key)), permitted);
        },
      );
    },
  }),
];
