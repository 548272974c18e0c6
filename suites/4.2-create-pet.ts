// Part 4.2 · Add an animal
import {
  additions,
  adds,
  check,
  createPet,
  defectsOf,
  getPet,
  type InvalidBody,
  isRefused,
  PET_STATUSES,
  type PetCheck,
  type PetReply,
  readingOf,
  refusesEach,
  sentInChunks,
  sideBySide,
  type Vocabulary,
  validBody,
} from '../src/petstore/index.ts';
import * as inputs from '../src/petstore/inputs/index.ts';
import * as rules from '../src/petstore/rules/index.ts';
import * as spaces from '../src/petstore/space/index.ts';

/** A check that sends every body with a defect of its requirement; the rule also judges those of other checks. */
const refusesItsDefects = (requirement: string, title: string): PetCheck =>
  check(requirement, title, {
    everyAnswer: rules.isAnswered(requirement),
    covers: defectsOf(requirement),
    exercise: sendsItsDefects,
  });

async function sendsItsDefects(vocabulary: Vocabulary): Promise<void> {
  const refuses = refusesEach(vocabulary);
  await sideBySide(
    vocabulary.cover(spaces.MALFORMED_BODIES, refuses),
    vocabulary.cover(spaces.DEFECTIVE_BODIES, refuses),
    vocabulary.cover(spaces.REFUSED_MEDIA, refuses),
  );
}

export const createPetChecks = [
  check('CREATE-1', 'a valid body is accepted with 201 and the created animal', {
    everyAnswer: [rules.isAnswered('CREATE-1'), rules.isTheCreatedAnimal],
    covers: [additions('with a usual name')],
    exercise: async (vocabulary) => {
      const { collection, cover } = vocabulary;
      await collection.anAnimalWith('available');
      await cover(spaces.NEW_PETS, (addition) => adds(vocabulary, addition));
    },
  }),

  refusesItsDefects('CREATE-2', 'a body that lacks a required member is refused with 400'),
  check('CREATE-3', 'a request without a body is refused with 400', {
    everyAnswer: rules.isAnswered('CREATE-3'),
    covers: defectsOf('CREATE-3'),
    exercise: async (vocabulary) => {
      const { aPet, forEach } = vocabulary;
      await sideBySide(
        forEach(inputs.withoutABody(aPet, inputs.TYPES_WITH_A_PARSER), async (body) => {
          await isRefused(vocabulary, body);
        }),
        sendsItsDefects(vocabulary),
      );
    },
  }),

  check('CREATE-4', 'a body that is not well-formed JSON is refused with 400', {
    everyAnswer: rules.isAnswered('CREATE-4'),
    covers: defectsOf('CREATE-4'),
    exercise: async (vocabulary) => {
      const { aPet, forAll } = vocabulary;
      await sideBySide(
        forAll(inputs.anyMalformed(aPet('available')), 3, async (body) => {
          await isRefused(vocabulary, body);
        }),
        sendsItsDefects(vocabulary),
      );
    },
  }),

  refusesItsDefects('CREATE-5', 'a name that is not a string is refused with 400'),
  refusesItsDefects('CREATE-6', 'a categoryId that is not an int64 is refused with 400'),
  refusesItsDefects('CREATE-7', 'a status that is not one of the three is refused with 400'),
  refusesItsDefects('CREATE-8', 'JSON that is not an object is refused with 400'),

  check('CREATE-9', 'a refused body leaves no animal behind, and changes none', {
    stage: 'first entries',
    everyAnswer: rules.isNotOfARefused('body'),
    exercise: async (vocabulary) => {
      const { api, collection, aPet, forEach, fewerInSmoke, expect, pages } = vocabulary;
      const { id, pet: existing } = await collection.anAnimalWith('sold');
      const [sold, pending] = [aPet('sold'), aPet('pending')];
      const bodies = [
        ...inputs.nameless(aPet('sold'), id),
        ...inputs.refusedWithId(() => aPet('sold'), id),
        inputs.defective(aPet('pending'), 'categoryId missing, category_id in its place'),
        inputs.wrong(pending, 'categoryId', '"1"'),
        inputs.wrong(sold, 'categoryId', '1000000000000000000000000000000'),
        inputs.wrong(aPet('available'), 'status', '"pending|sold"'),
        inputs.defective(aPet('available'), 'the body is an array that holds a valid body'),
      ];
      const refuses = async (body: InvalidBody): Promise<PetReply> => {
        const reply = await api.send(createPet(body, api.key));
        api.precondition(reply);
        return reply;
      };
      const changesNothing = async (): Promise<void> => {
        const before = await api.get(id);
        const refused = await refuses(inputs.wrong({ ...existing, status: 'pending' }, 'categoryId', '"1"'));
        expect(rules.isUnchangedByWhatWasRefused, before, refused, await api.get(id));
      };
      const leavesNothing = async (): Promise<void> => {
        await forEach(bodies, async (body) => {
          await refuses(body);
        });
        await pages.addAndLookFor(...fewerInSmoke([sold, pending]));
      };
      await sideBySide(changesNothing(), leavesNothing());
    },
  }),

  check('CREATE-9.all', 'none of the bodies that were refused in this run became an animal', {
    stage: 'aged',
    looksBack: true,
    exercise: async ({ collection, pages }) => {
      await collection.aged();
      await sideBySide(pages.everyLongestPage(), pages.getUnusedIds());
    },
  }),

  check('CREATE-10', 'the same body twice gives two animals', {
    everyAnswer: rules.isAnswered('CREATE-10'),
    exercise: async ({ api, collection, expect, fewerInSmoke }) => {
      const [first, bare] = await Promise.all([collection.anAnimalWith('available'), collection.anAnimalWith()]);
      const again = ({ pet }: typeof first) =>
        createPet(validBody(pet, 'CREATE-10', 'a body that was sent before'), api.key);
      const sent = await api.sendAtOneMoment(fewerInSmoke([again(first), again(first), again(bare)]));
      for (const replies of [
        [first.reply, ...sent.slice(0, 2)],
        [bare.reply, ...sent.slice(2)],
      ]) {
        for (const [at, reply] of replies.entries()) {
          for (const earlier of replies.slice(0, at)) expect(rules.areTwoAnimals, earlier, reply);
        }
      }
      await Promise.all(sent.flatMap(({ created }) => (created ? api.get(created.id) : [])));
    },
  }),

  check('CREATE-11', 'an animal is known by the id in its 201', {
    exercise: ({ api, collection, forEach, expect, notApplicable }) =>
      forEach([...PET_STATUSES, undefined], async (status) => {
        const { pet, ...animal } = await collection.anAnimalWith(status);
        const reply = await api.eventually(
          () => api.send(getPet(animal.id, api.key)),
          (seen) => seen.status !== 404,
        );
        const isGone = reply.status === 404 || reply.status === 410;
        if (collection.model.getPetMayBeGone && isGone) notApplicable('getPet was removed, as announced');
        expect((seen) => rules.isKnownByItsId(pet, animal, seen), reply);
      }),
  }),

  check('CREATE-12', 'a valid body is accepted in every form that JSON allows, and read as it is written', {
    everyAnswer: [rules.isAnswered('CREATE-12'), rules.readsAsWritten('CREATE-12')],
    covers: [{ space: spaces.WRITTEN_FORMS, where: {} }],
    exercise: async (vocabulary) => {
      const { cover } = vocabulary;
      await cover(spaces.WRITTEN_FORMS, (addition) => adds(vocabulary, addition));
    },
  }),

  check('CREATE-13', 'a body whose Content-Type is missing or not JSON is taken, or refused with 400 or 415', {
    everyAnswer: [rules.isAnswered('CREATE-13'), rules.isTakenForWhatItSays('CREATE-13')],
    exercise: async (vocabulary) => {
      const { collection, aPet, aRarerPet, forEach, fewerInSmoke } = vocabulary;
      await collection.anAnimal();
      await forEach(
        inputs.otherFormats(() => aPet('available')),
        readingOf(vocabulary),
      );
      await forEach(fewerInSmoke(inputs.otherMediaTypes(aRarerPet)), readingOf(vocabulary));
    },
  }),

  check('CREATE-14', 'a body in which a member stands twice is taken, or refused', {
    everyAnswer: [rules.isAnswered('CREATE-14'), rules.isTakenForWhatItSays('CREATE-14')],
    exercise: async (vocabulary) => {
      const { collection, aPet, forEach, fewerInSmoke } = vocabulary;
      await collection.anAnimal();
      await forEach(fewerInSmoke(inputs.duplicateMembers(aPet)), readingOf(vocabulary));
    },
  }),

  check('CREATE-15', 'whether the 201 has a Location is recorded', {
    exercise: async ({ collection, observe }) => {
      const { reply } = await collection.anAnimalWith('available');
      observe(`sends ${reply.header('location') === undefined ? 'no' : 'a'} Location with a 201`, undefined, reply);
    },
  }),

  check('CREATE-16', 'a body in chunks is taken as with a length, or refused for its missing length', {
    everyAnswer: rules.isAnswered('CREATE-16'),
    exercise: async (vocabulary) => {
      const { collection, observe } = vocabulary;
      await collection.anAnimal();
      const reply = await sentInChunks(vocabulary);
      observe(`${reply.status === 411 ? 'answers 411 to' : 'accepts'} a body in chunks`, undefined, reply);
    },
  }),

  check('CREATE-17', 'a body with a byte order mark, or not in UTF-8, is taken, or refused', {
    everyAnswer: [rules.isAnswered('CREATE-17'), rules.isTakenForWhatItSays('CREATE-17')],
    exercise: async (vocabulary) => {
      const { collection, aPet, forEach, fewerInSmoke } = vocabulary;
      await collection.anAnimal();
      await forEach(fewerInSmoke(inputs.otherEncodings(aPet)), readingOf(vocabulary));
    },
  }),
];
