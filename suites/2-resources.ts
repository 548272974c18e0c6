// Part 2 · Resources and their fields
import {
  additions,
  adds,
  check,
  getPet,
  inTurn,
  PET_STATUSES,
  quote,
  readingOf,
  recalls,
  sideBySide,
  takesAReading,
  type Vocabulary,
  validBody,
} from '../src/petstore/index.ts';
import * as inputs from '../src/petstore/inputs/index.ts';
import * as rules from '../src/petstore/rules/index.ts';
import * as spaces from '../src/petstore/space/index.ts';

/** Animals that other checks add are in unusual categories too. */
const NONE_IN_SMOKE = 0;
/** The smoke profile sends more than one of the bodies that services most often get wrong. */
const MORE_IN_SMOKE = 2;
/** The statuses of animals that could have any: other checks add fewer of these, and each must exceed most limits. */
const LATER_STATUSES = PET_STATUSES.filter((status) => status !== 'available');

/** An animal as each operation answers it. */
const showAnAnimal = async ({ api, collection }: Vocabulary): Promise<void> => {
  await api.get(await collection.anAnimal());
  await api.list();
};

export const resources = [
  check('RES-1', 'the status of an animal is one of the three, and never null', {
    everyAnswer: rules.hasAStatusOfTheEnumeration,
    exercise: ({ controls }) => controls.succeedOnceEach(),
  }),

  check('RES-2', 'every animal has a name, a string', {
    everyAnswer: rules.hasAName,
    exercise: showAnAnimal,
  }),

  check('RES-3', 'every animal has a categoryId, an int64', {
    everyAnswer: rules.hasACategoryId,
    exercise: showAnAnimal,
  }),

  check('RES-4', 'every animal has an id, an int64', {
    everyAnswer: rules.hasAnId,
    exercise: showAnAnimal,
  }),

  check('RES-5', 'no id is given twice, to animals added at the same moment either', {
    everyAnswer: rules.hasAnIdOfItsOwn,
    exercise: async ({ api, collection, naming, aPet, forEach, fewerInSmoke }) => {
      const ids: bigint[] = [];
      await forEach(fewerInSmoke(inputs.namesakes(aPet(collection.commonStatus), naming), 2), async (pet) => {
        ids.push((await api.create(pet)).id);
      });
      await forEach(ids, async (id) => {
        await api.send(getPet(id, api.key));
      });
    },
  }),

  check('RES-5.remembered', 'the id of an animal that an earlier run added is still its own', {
    stage: 'first entries',
    recalls: true,
    exercise: recalls('RES-5'),
  }),

  check('RES-6', 'a name comes back exactly as it was sent, code point by code point', {
    everyAnswer: [rules.isAnswered('RES-6'), rules.comesBackAsSent('name')],
    covers: [additions('with an unusual name')],
    exercise: async (vocabulary) => {
      const { api, naming, aPet, cover, forAll, forEach, fewerInSmoke, expect } = vocabulary;
      const anyName = inputs.newPets(naming).map(({ name }) => name);
      const drawn = forAll(anyName, 3, async (name) => {
        await api.create(validBody({ ...aPet('available'), name }, 'RES-6', `the name ${quote(name)}`));
      });
      const covered = cover(spaces.NEW_PETS, (addition) => adds(vocabulary, addition));
      const nearlyEqual = forEach(
        fewerInSmoke(inTurn(inputs.NEARLY_EQUAL_NAMES, LATER_STATUSES)),
        async ([{ first, others }, status]) => {
          const pet = aPet(status);
          const named = (template: inputs.NameTemplate, label: string) =>
            api.create(validBody({ ...pet, name: inputs.nameFrom(template, pet.name) }, 'RES-6', label));
          const one = await named(first, 'the first of two names that are nearly equal');
          const differing = fewerInSmoke(Object.entries(others)).map(async ([difference, template]) => {
            const other = await named(template, `a name that differs by ${difference} from another`);
            expect(rules.areTwoAnimals, one.reply, other.reply);
            await api.get(other.id);
          });
          await sideBySide(...differing);
          await api.get(one.id);
        },
      );
      await sideBySide(drawn, covered, nearlyEqual);
    },
  }),

  check('RES-7', 'any int64 is accepted as categoryId and comes back digit by digit', {
    everyAnswer: [rules.isAnswered('RES-7'), rules.comesBackAsSent('categoryId')],
    exercise: ({ api, naming, aPet, forEach, fewerInSmoke }) =>
      forEach(
        fewerInSmoke(inTurn(inputs.revealingCategories(naming.categories), LATER_STATUSES), NONE_IN_SMOKE),
        async ([categoryId, status]) => {
          const pet = { ...aPet(status), categoryId };
          const { id } = await api.create(validBody(pet, 'RES-7', `the categoryId ${categoryId}`));
          await api.get(id);
        },
      ),
  }),

  check('RES-8', 'an animal has the status that was sent with it', {
    everyAnswer: rules.comesBackAsSent('status'),
    exercise: ({ collection, forEach }) =>
      forEach(PET_STATUSES, async (status) => {
        await collection.anAnimalWith(status);
      }),
  }),

  check('RES-9', 'the 201, getPet and listPets agree on every field of an animal', {
    stage: 'first entries',
    // A proof may know only one of two namesakes, so what a known id shows comes first.
    everyAnswer: [rules.agreesWithIts201, rules.isUnderItsOwnId],
    exercise: ({ api, collection, naming, aPet, forEach, pages }) =>
      forEach([...PET_STATUSES, undefined, inputs.anUnusualPet(aPet('sold'), naming)], async (kind) => {
        const isOdd = typeof kind === 'object';
        const animal = await (isOdd ? api.create(kind) : collection.anAnimalWith(kind));
        await sideBySide(api.get(animal.id), pages.lookFor(animal, isOdd ? kind.status : kind));
      }),
  }),

  check('RES-9.others', 'getPet and listPets agree on the animals of others too', {
    stage: 'first entries',
    exercise: ({ pages }) => pages.compareOthers('at first', rules.isFetchedAsListed),
  }),

  check('RES-9.later', 'getPet and listPets agree on the animals of others at the end of the run', {
    stage: 'full',
    exercise: ({ pages }) => pages.compareOthers('at last', rules.isFetchedAsListed),
  }),

  check('RES-9.remembered', 'an animal that an earlier run added is as it was', {
    stage: 'first entries',
    recalls: true,
    exercise: recalls('RES-9'),
  }),

  check('RES-10', 'a name at the margin is taken exactly, or refused', {
    everyAnswer: [rules.isAnswered('RES-10'), rules.isTakenForWhatItSays('RES-10')],
    exercise: async (vocabulary) => {
      const { collection, aRarerPet, forEach, fewerInSmoke } = vocabulary;
      await collection.anAnimal();
      await forEach(fewerInSmoke(inputs.openNames(aRarerPet), MORE_IN_SMOKE), readingOf(vocabulary));
    },
  }),

  check('RES-10.long', 'a very long name is taken exactly, or refused', {
    stage: 'alone',
    exercise: async (vocabulary) => {
      const { api, collection, profile, aRarerPet, forEach, fewerInSmoke } = vocabulary;
      await collection.anAnimal();
      await forEach(fewerInSmoke(inputs.longNames(aRarerPet)), readingOf(vocabulary));
      // A page that is cut by size is never empty, however long its first animal is.
      if (profile !== 'smoke') await api.list();
    },
  }),

  check('RES-11', 'a member that a NewPet does not have is ignored, echoed or refused', {
    everyAnswer: [rules.isAnswered('RES-11'), rules.isTakenForWhatItSays('RES-11')],
    exercise: async (vocabulary) => {
      const { api, collection, aPet, forEach, fewerInSmoke } = vocabulary;
      const existing = await collection.anAnimal();
      await forEach(
        fewerInSmoke(inputs.unknownMembers(aPet, existing, vocabulary.naming.categories), MORE_IN_SMOKE),
        async (body) => {
          const { created } = await takesAReading(vocabulary, body);
          // An ignored parameter must not hide the animal either; the rules of getPet say so.
          if (created !== undefined) await api.send(getPet(created.id, api.key));
        },
      );
    },
  }),

  check('RES-11.large', 'a large or deep member that a NewPet does not have is ignored, echoed or refused', {
    stage: 'alone',
    exercise: async (vocabulary) => {
      const { collection, aRarerPet, forEach, fewerInSmoke } = vocabulary;
      await collection.anAnimal();
      await forEach(fewerInSmoke(inputs.largeUnknownMembers(aRarerPet)), readingOf(vocabulary));
    },
  }),

  check('RES-12', 'an id that the client sends is refused, or the service assigns its own', {
    everyAnswer: [rules.isAnswered('RES-12'), rules.isTakenForWhatItSays('RES-12')],
    exercise: async (vocabulary) => {
      const { api, collection, aRarerPet, forEach, fewerInSmoke } = vocabulary;
      const existing = await collection.anAnimal();
      await forEach(fewerInSmoke(inputs.clientIds(aRarerPet, existing)), readingOf(vocabulary));
      await api.get(existing);
    },
  }),

  check('RES-13', 'an integer with a fraction of zero or an exponent is taken at its value, or refused', {
    everyAnswer: [rules.isAnswered('RES-13'), rules.isTakenForWhatItSays('RES-13')],
    exercise: async (vocabulary) => {
      const { collection, naming, aPet, draw, forEach, fewerInSmoke } = vocabulary;
      await collection.anAnimal();
      const drawn = draw(inputs.writtenIntegers(), 1);
      await forEach(fewerInSmoke(inputs.unusualIntegers(aPet, naming.categories, drawn)), readingOf(vocabulary));
    },
  }),

  check('RES-14', 'a category that is not known is accepted, or refused where the known ones are named', {
    everyAnswer: [rules.isAnswered('RES-14'), rules.isTakenForWhatItSays('RES-14')],
    exercise: async (vocabulary) => {
      const { collection, naming, aPet, forEach } = vocabulary;
      await collection.anAnimal();
      await forEach(inputs.unknownCategories(aPet, naming.categories), readingOf(vocabulary));
    },
  }),
];
