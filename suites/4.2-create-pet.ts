// Part 4.2 · Add an animal
import {
  anyMalformed,
  anyWrong,
  check,
  createPet,
  duplicateMembers,
  emptyBodies,
  escapedNames,
  everyLackingBody,
  everyMalformed,
  everyNonObject,
  everyWrong,
  getPet,
  type InvalidBody,
  inArray,
  missing,
  namelessIn,
  newPets,
  otherMediaTypes,
  PET_STATUSES,
  renamed,
  unusualCategory,
  type Vocabulary,
  validBody,
  writtenForms,
  wrong,
} from '../src/petstore/index.ts';
import {
  areTwoAnimals,
  isKnownByItsId,
  isMadeOf,
  isNotOfARefused,
  isReadAs,
  isTheCreatedAnimal,
} from '../src/petstore/rules/animals.ts';
import { accepts } from '../src/petstore/rules/rule.ts';

const isRefused =
  ({ api }: Vocabulary) =>
  (body: InvalidBody): Promise<void> =>
    api.refuses(createPet(body, api.key), 400);

export const createPetChecks = [
  check('CREATE-1', 'a valid body is accepted with 201 and the created animal', {
    everyAnswer: [accepts('CREATE-1'), isTheCreatedAnimal],
    exercise: ({ api, naming, forAll }) =>
      forAll(newPets(naming), 20, async (pet) => {
        await api.create(pet);
      }),
  }),

  check('CREATE-2', 'a body that lacks a required member is refused with 400', {
    exercise: (vocabulary) => vocabulary.forEach(everyLackingBody(vocabulary.aPet('available')), isRefused(vocabulary)),
  }),

  check('CREATE-3', 'a request without a body is refused with 400', {
    exercise: (vocabulary) => vocabulary.forEach(emptyBodies(vocabulary.aPet('available')), isRefused(vocabulary)),
  }),

  check('CREATE-4', 'a body that is not well-formed JSON is refused with 400', {
    exercise: async (vocabulary) => {
      const pet = vocabulary.aPet('available');
      await vocabulary.forEach(everyMalformed(pet), isRefused(vocabulary));
      await vocabulary.forAll(anyMalformed(pet), 25, isRefused(vocabulary));
    },
  }),

  check('CREATE-5', 'a name that is not a string is refused with 400', {
    exercise: async (vocabulary) => {
      const pet = vocabulary.aPet('available');
      await vocabulary.forEach(everyWrong(pet, 'name'), isRefused(vocabulary));
      await vocabulary.forAll(anyWrong(pet, 'name'), 15, isRefused(vocabulary));
    },
  }),

  check('CREATE-6', 'a categoryId that is not an int64 is refused with 400', {
    exercise: async (vocabulary) => {
      const pet = vocabulary.aPet('available');
      await vocabulary.forEach(everyWrong(pet, 'categoryId'), isRefused(vocabulary));
      await vocabulary.forAll(anyWrong(pet, 'categoryId'), 20, isRefused(vocabulary));
    },
  }),

  check('CREATE-7', 'a status that is not one of the three is refused with 400', {
    exercise: async (vocabulary) => {
      const pet = vocabulary.aPet('available');
      await vocabulary.forEach(everyWrong(pet, 'status'), isRefused(vocabulary));
      await vocabulary.forAll(anyWrong(pet, 'status'), 20, isRefused(vocabulary));
    },
  }),

  check('CREATE-8', 'JSON that is not an object is refused with 400', {
    exercise: (vocabulary) => vocabulary.forEach(everyNonObject(vocabulary.aPet('available')), isRefused(vocabulary)),
  }),

  check('CREATE-9', 'a refused body leaves no animal behind', {
    phase: 'fresh',
    everyAnswer: isNotOfARefused('body'),
    exercise: async ({ api, collection, naming, aPet, forEach }) => {
      const bodies = [
        ...namelessIn(unusualCategory(naming), aPet('sold')),
        missing(aPet('sold'), 'categoryId'),
        renamed(aPet('pending'), 'categoryId', 'category_id'),
        wrong(aPet('sold'), 'categoryId', 'null'),
        wrong(aPet('pending'), 'categoryId', '"1"'),
        wrong(aPet('sold'), 'categoryId', '1000000000000000000000000000000'),
        wrong(aPet('available'), 'status', '"pending|sold"'),
        wrong(aPet('available'), 'status', '"unavailable"'),
        inArray(aPet('available')),
      ];
      await api.create(aPet('sold'));
      await forEach(bodies, async (body) => {
        api.precondition(await api.send(createPet(body, api.key)), 400, 'CREATE-2 to CREATE-8');
      });
      await collection.showsWhatIsAddedNext('sold', 'pending');
    },
  }),

  check('CREATE-9.all', 'none of the bodies that were refused in this run became an animal', {
    phase: 'quiet',
    exercise: async ({ api, collection, aPet }) => {
      await api.create(aPet('sold'));
      await collection.everyLongestPage();
      await collection.fetchUnusedIds();
    },
  }),

  check('CREATE-10', 'the same body twice gives two animals', {
    everyAnswer: accepts('CREATE-10'),
    exercise: async ({ api, aPet, expect }) => {
      const pet = aPet('available');
      const first = await api.create(validBody(pet));
      const second = await api.create(validBody(pet, 'CREATE-10', 'a body that was sent before'));
      expect(areTwoAnimals(first.reply, second.reply));
      await Promise.all([api.get(first.id), api.get(second.id)]);
    },
  }),

  check('CREATE-11', 'an animal is known by the id in its 201', {
    exercise: ({ api, collection, aPet, forEach, expect, notApplicable }) =>
      forEach(PET_STATUSES, async (status) => {
        const pet = aPet(status);
        const animal = await api.create(pet);
        const reply = await api.eventually(
          () => api.send(getPet(animal.id, api.key)),
          (seen) => seen.status !== 404,
        );
        if (collection.model.getPetMayBeGone && reply.status !== 200) notApplicable('getPet was removed, as announced');
        expect(isKnownByItsId(pet, animal, reply));
        await api.get(animal.id);
      }),
  }),

  check('CREATE-12', 'a valid body is accepted in every form that JSON allows', {
    everyAnswer: accepts('CREATE-12'),
    exercise: async ({ api, aPet, forEach, expect }) => {
      const pet = { ...aPet(), status: 'pending' } as const;
      const forms = [...writtenForms(pet, 'CREATE-12'), ...escapedNames(aPet(), 'CREATE-12')];
      await forEach(forms, async (body) => {
        const { reply } = await api.create(body);
        expect(isReadAs(body, reply));
      });
    },
  }),

  check('CREATE-13', 'a body whose Content-Type is missing or not JSON is taken, or refused with 400 or 415', {
    exercise: async ({ api, collection, aPet, forEach, permits, expect }) => {
      await collection.anAnimal();
      await forEach(otherMediaTypes(aPet('available')), async (body) => {
        const reply = await api.send(createPet(body, api.key));
        permits(reply, { 201: 'accepts', 400: 'answers 400 to', 415: 'answers 415 to' }, body.label);
        expect(isMadeOf(body, reply));
      });
    },
  }),

  check('CREATE-14', 'a body in which a member stands twice is taken, or refused', {
    exercise: async ({ api, collection, aPet, forEach, permits, expect }) => {
      await collection.anAnimal();
      await forEach(duplicateMembers(aPet('available')), async (body) => {
        const reply = await api.send(createPet(body, api.key));
        permits(reply, { 201: 'accepts', 400: 'refuses' }, body.label);
        expect(isMadeOf(body, reply));
      });
    },
  }),

  check('CREATE-15', 'whether the 201 has a Location is recorded', {
    exercise: async ({ api, aPet, observe }) => {
      const reply = await api.control(createPet(validBody(aPet('available')), api.key));
      observe(`sends ${reply.header('location') === undefined ? 'no' : 'a'} Location with a 201`);
    },
  }),
];
