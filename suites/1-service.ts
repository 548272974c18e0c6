// Part 1 · What the service does
import {
  check,
  createPet,
  followSequence,
  getPet,
  inTurn,
  LIMIT,
  listPets,
  operationSequences,
  PET_STATUSES,
  type PetCall,
  recalls,
  sideBySide,
  validBody,
} from '../src/petstore/index.ts';
import * as inputs from '../src/petstore/inputs/index.ts';
import * as rules from '../src/petstore/rules/index.ts';
import * as spaces from '../src/petstore/space/index.ts';

/** Every how many fetches the same animal is fetched again. */
const FETCHED_AGAIN = 8;
/** Every how many bodies one is sent that must be refused. */
const REFUSED_OFTEN = 4;
/** The smoke profile looks for the animals that other checks add, at the end. */
const NONE_IN_SMOKE = 0;
/** The step in which limits are gone through, so that all are reached. */
const LIMIT_STEP = 37;
/** A limit that few other requests of the run have, so that no cache holds its page. */
const SELDOM_ASKED_FOR = LIMIT.maximum - 3;
/** Limits that cut the page, and none. */
const LATE_LIMITS = [undefined, LIMIT.minimum, 7, LIMIT.default];
const EVERY_FILTER = [undefined, ...PET_STATUSES];
/** Ways to write an id, the plain one more often than the others. */
const WRITTEN = ['as needed', 'every character', 'as needed', 'the first character', 'as needed'] as const;

/**
 * How many answers of each operation are collected: with 299, a fault in 1 of 100 of them is seen with a probability of
 * 95 %, with 2,995 one in 1 of 1,000 (0.99^299 and 0.999^2995 are just below 5 %).
 */
const ENOUGH_ANSWERS = { smoke: 0, standard: 299, thorough: 2_995 } as const;
/** How many of those are successes, for faults that only a success shows. */
const ENOUGH_SUCCESSES = { smoke: 0, standard: 0, thorough: 299 } as const;

export const service = [
  check('SERV-1', 'animals that were added are in the list, whatever they are', {
    stage: 'few entries',
    exercise: async ({ api, collection, naming, aPet, forEach, fewerInSmoke, pages }) => {
      await forEach([...PET_STATUSES, undefined], async (status) => {
        await collection.anAnimalWith(status);
      });
      const fetching: Promise<unknown>[] = [];
      await forEach(fewerInSmoke(inputs.petsOfEveryKind(aPet, naming), NONE_IN_SMOKE), async (pet) => {
        const { id } = await api.create(pet);
        // Never again is so little in flight when an animal is new. The rules judge what getPet answers.
        const fetched = api.send(getPet(id, api.key));
        fetching.push(fetched);
        // Whether it stays is asked below, even if the list ends this check first.
        fetched.catch(() => {});
      });
      const looking = pages.lookForOwn().then((looks) => pages.lookForOwnWithTightLimits(looks));
      await sideBySide(looking, ...fetching);
    },
  }),

  check('SERV-1.later', 'animals that were added are in the list at the end of the run', {
    stage: 'aged',
    looksBack: true,
    exercise: async ({ collection, pages }) => {
      await collection.aged();
      await pages.lookForOwn();
    },
  }),

  check('SERV-1.remembered', 'what an earlier run added is still there', {
    stage: 'first entries',
    recalls: true,
    exercise: recalls('SERV-1'),
  }),

  check('SERV-1.model', 'any sequence of adding, getting and listing agrees with what was done', {
    exercise: async (vocabulary) => {
      if (vocabulary.profile === 'smoke') return;
      await vocabulary.forAll(operationSequences(vocabulary.naming), 2, (steps) => followSequence(vocabulary, steps));
    },
  }),

  check('SERV-2', 'every response is sent as application/json', {
    everyAnswer: rules.isSentAsJson,
    exercise: async ({ controls }) => {
      await Promise.all([controls.succeedOnceEach(), controls.failOnceEach()]);
    },
  }),

  check('SERV-3', 'every body is strict JSON in UTF-8', {
    everyAnswer: [rules.isStrictJson, rules.isCodedAsAsked],
    exercise: async ({ controls }) => {
      await Promise.all([controls.succeedOnceEach(), controls.failOnceEach()]);
    },
  }),

  check('SERV-3.coded', 'a page that was compressed for one client is not sent to another that does not accept it', {
    stage: 'full',
    exercise: async ({ api }) => {
      for (const form of spaces.CODED_THEN_PLAIN) await api.list({ limit: SELDOM_ASKED_FOR }, form);
    },
  }),

  check('SERV-4', 'no request makes the service fail with a 5xx', {
    everyAnswer: rules.isNoServerError,
    exercise: ({ api, aPet, forEach }) =>
      sideBySide(
        forEach(inputs.garbage(aPet), async (body) => {
          await api.send(createPet(body, api.key));
        }),
        forEach(spaces.FORMS_THAT_NAME_A_CODING, async (form) => {
          await api.send(createPet(inputs.notJson(aPet('available')), api.key, form));
        }),
      ),
  }),

  check('SERV-4.later', 'requests of every kind are still answered as at first when the run has lasted for a while', {
    stage: 'aged',
    looksBack: true,
    exercise: async ({ api, collection, aPet, forEach }) => {
      if (!collection.lingers) return;
      const id = await collection.anAnimal();
      await collection.aged();
      const { key, token } = api;
      await forEach(
        [
          ...[inputs.NO_KEY, inputs.oneInventedKey(token)].flatMap((other) => [
            listPets({}, other),
            getPet(id, other),
            createPet(validBody(aPet()), other),
          ]),
          ...inTurn(EVERY_FILTER, LATE_LIMITS).map(([status, limit]) => listPets({ status, limit }, key)),
          ...[inputs.NOBODYS_ID, 'abc'].map((none) => getPet(none, key)),
          createPet(inputs.missing(aPet(), 'name'), key),
          createPet(validBody(aPet()), key),
        ],
        async (call) => {
          await api.send(call);
        },
      );
    },
  }),

  check('SERV-5', 'every request is answered by one whole response in time', {
    stage: 'aged',
    looksBack: true,
    everyAnswer: rules.isAnsweredInFull,
    exercise: async ({ api, collection }) => {
      const gets = collection.someOfItsOwn(1).map(({ id }) => getPet(id, api.key));
      const calls = [listPets({ limit: LIMIT.minimum }, api.key), ...gets];
      // A connection that died may have been closed while idle; new connections rule that out.
      api.lookIntoResets();
      do await sideBySide(...calls.map((call) => api.send(call)));
      while (api.doubtsResets);
    },
  }),
];

/** What is still to be sent once all other requests are. */
export const often = [
  check('SERV-4.often', 'the answers stay right, however many there are', {
    stage: 'alone',
    repeats: true,
    requests: { thorough: 4_000 },
    looksBack: true,
    exercise: async ({ api, collection, profile, aPet, forEach }) => {
      const { answers, successes } = collection.model;
      const enough = ENOUGH_ANSWERS[profile];
      const missing = (operation: PetCall['operation']): readonly number[] => {
        const length = Math.max(enough - answers[operation], ENOUGH_SUCCESSES[profile] - successes[operation]);
        return Array.from({ length: Math.max(0, length) }, (_, at) => at);
      };
      const own = collection.someOfItsOwn(enough);
      const shared = await collection.anAnimal();
      const gets = inTurn(missing('getPet'), spaces.FORMS_OF_A_GET).map(([at, form]) => () => {
        // One of them is fetched again and again, which shows limits that are counted for each animal.
        const id = at % FETCHED_AGAIN === 0 ? shared : (own[at % own.length]?.id ?? shared);
        return api.get(inputs.percentEncoded(`${id}`, WRITTEN[at % WRITTEN.length]), form);
      });
      const queries = inTurn(inTurn(missing('listPets'), EVERY_FILTER), spaces.FORMS_OF_A_GET);
      const lists = queries.map(([[at, status], form]) => () => {
        return api.list({ status, limit: inputs.EVERY_LIMIT[(at * LIMIT_STEP) % inputs.EVERY_LIMIT.length] }, form);
      });
      // Some bodies are refused, so that there are more answers than animals.
      const creations = missing('createPet').map((at) => () => {
        const pet = aPet(PET_STATUSES[at % PET_STATUSES.length]);
        return at % REFUSED_OFTEN === 0 ? api.send(createPet(inputs.notJson(pet), api.key)) : api.create(pet);
      });
      await forEach([...gets, ...lists, ...creations], async (send) => {
        await send();
      });
    },
  }),
];
