// Part 4.3 · Get an animal (deprecated)
import {
  check,
  getPet,
  INT64_MAX,
  ids,
  idsGivenLongAgo,
  idsGivenNow,
  idsSoFar,
  inTurn,
  knownIds,
  knownIdsOfAll,
  recalls,
  sideBySide,
  type Vocabulary,
} from '../src/petstore/index.ts';
import * as inputs from '../src/petstore/inputs/index.ts';
import * as rules from '../src/petstore/rules/index.ts';
import * as spaces from '../src/petstore/space/index.ts';

/** How many further ids are guessed that belong to no animal. */
const GUESSES = 1;
/** How an id is extended or interrupted: what results is a word, and names no animal. */
const DECORATED = 'signs and marks';
/** Ids of animals that are added when a request needs them. */
const GIVEN_NOW = 'given just now';
/** How many animals are added after the next ids were requested. */
const ADDED = { smoke: 1, standard: 1, thorough: 2 } as const;

/** The circumstances that a check tries, with one request each. */
const CIRCUMSTANCES = [spaces.NEW_CONNECTION, spaces.AFTER_A_GOOD_KEY, spaces.AFTER_A_REFUSAL, spaces.TWICE];

/** How many requests are sent while nothing else is in flight. */
const ALONE = 3;

/** The ids that requests use; unknown ones are created when needed. */
type Known = inputs.KnownIds | ((making?: string) => Promise<inputs.KnownIds>);

/** Sends a request of getPet; the rules judge the answer. */
const fetchesOne =
  ({ api }: Vocabulary, known: Known) =>
  async ({ petId, form, making, kind }: spaces.GetRequest, circumstances?: spaces.Circumstances): Promise<void> => {
    const ids = typeof known === 'function' ? await known(kind === GIVEN_NOW ? making : undefined) : known;
    await api.send(getPet(inputs.writtenId(petId, ids, making), api.key, spaces.under(circumstances, form)));
  };

/** Sends every request of getPet that belongs to this check, some of them under the given circumstances. */
const fetches = (
  vocabulary: Vocabulary,
  known: Known,
  circumstances: readonly spaces.Circumstances[] = [],
): Promise<void> => vocabulary.cover(spaces.GET_REQUESTS, fetchesOne(vocabulary, known), circumstances);

export const getPetChecks = [
  check('GET-1', 'an animal that exists is answered with 200', {
    everyAnswer: [rules.isAnswered('GET-1'), rules.isAnAnimal, rules.wasNeverMissing],
    covers: [ids(['given earlier', 'of another', 'percent-encoded digits'])],
    exercise: async (vocabulary) => {
      const { api, collection, expect } = vocabulary;
      const id = await collection.anAnimal();
      const reply = await api.eventually(
        () => api.send(getPet(id, api.key)),
        ({ status }) => status !== 404,
      );
      if (!collection.model.getPetMayBeGone) expect((seen) => rules.isNotMissing(id, seen), reply);
      await fetches(vocabulary, await knownIdsOfAll(vocabulary), CIRCUMSTANCES);
    },
  }),

  check('GET-1.listed', 'an animal that the list shows is answered with 200', {
    stage: 'first entries',
    exercise: ({ pages }) => pages.compareOthers('at first', rules.isFoundAsListed),
  }),

  check('GET-1.later', 'an animal that the list shows at the end of the run is answered with 200', {
    stage: 'full',
    exercise: ({ pages }) => pages.compareOthers('at last', rules.isFoundAsListed),
  }),

  check('GET-1.remembered', 'an animal of an earlier run that the list shows is answered with 200', {
    stage: 'first entries',
    recalls: true,
    exercise: recalls('GET-1'),
  }),

  check('GET-2', 'an identifier that no animal has is answered with 404', {
    everyAnswer: rules.isAnswered('GET-2'),
    covers: [ids(['an edge', 'far'])],
    exercise: async (vocabulary) => {
      const { api, cover, draw, forAll, forEach } = vocabulary;
      const known = await knownIds(vocabulary);
      await sideBySide(
        forAll(inputs.threeGuesses(known.own), 3, async (guesses) => {
          const replies = await Promise.all(guesses.map((id) => api.send(getPet(id, api.key))));
          const found = replies.filter(({ status }) => status !== 404);
          if (found.length === guesses.length) for (const reply of found) api.expectStatus(reply, [404]);
        }),
        forEach(draw(inputs.farIds(), GUESSES), async (id) => {
          api.expectStatus(await api.send(getPet(id, api.key)), [404]);
        }),
        // The rules judge the answers.
        forEach([...inputs.everyEdge(), ...draw(inputs.edgeIds(), 1)], async (id) => {
          await api.send(getPet(id, api.key));
        }),
        cover(spaces.GET_REQUESTS, async ({ petId, form, kind }) => {
          const reply = await api.send(getPet(inputs.writtenId(petId, known), api.key, form));
          // Among 2^62 ids, no animal has the one that is guessed.
          if (kind === 'far') api.expectStatus(reply, [404]);
        }),
      );
    },
  }),

  check('GET-3', 'the animal that comes back has exactly the id that was asked for', {
    everyAnswer: rules.hasTheIdAskedFor,
    covers: [ids(['beside one', 'in other bits or digits'])],
    exercise: async (vocabulary) => fetches(vocabulary, await knownIds(vocabulary), CIRCUMSTANCES),
  }),

  check('GET-4', 'an animal can be fetched as soon as it was created', {
    everyAnswer: rules.isAnswered('GET-4'),
    covers: [ids([GIVEN_NOW])],
    exercise: async (vocabulary) =>
      fetches(vocabulary, idsGivenNow(vocabulary, await knownIds(vocabulary)), CIRCUMSTANCES),
  }),

  check('GET-4.later', 'an animal can still be fetched at the end of the run', {
    stage: 'aged',
    looksBack: true,
    covers: [ids(['given long ago'])],
    exercise: async (vocabulary) => {
      const { api, collection, forEach, expect } = vocabulary;
      await collection.anAnimal();
      const own = collection.someOfMostTraits(spaces.ALL_FORMS_OF_A_GET.length);
      await collection.aged();
      await sideBySide(
        forEach(inTurn(own, spaces.ALL_FORMS_OF_A_GET), async ([animal, form]) => {
          const reply = await api.send(getPet(animal.id, api.key, form));
          if (collection.model.getPetMayBeGone) return;
          expect((seen) => rules.isNotLost(animal, seen), reply);
        }),
        idsGivenLongAgo(vocabulary).then((known) => fetches(vocabulary, known)),
      );
    },
  }),

  check('GET-4.requested-earlier', 'an id that was asked for before it was given is found once it is given', {
    stage: 'full',
    covers: [ids(['the next'])],
    exercise: async (vocabulary) => {
      const { api, collection, profile, aPet, forEach } = vocabulary;
      const added = ADDED[profile];
      const known = idsSoFar(vocabulary, await collection.anAnimal());
      const next = Array.from({ length: added }, (_, at) => known.newest + BigInt(at) + 1n);
      await sideBySide(
        forEach(
          next.filter((id) => id <= INT64_MAX),
          async (id) => {
            await api.send(getPet(id, api.key));
          },
        ),
        fetches(vocabulary, known),
        api.get(known.own),
      );
      await collection.lengthsKnown();
      await forEach(Array.from({ length: added }), async () => {
        const { id } = await api.create(aPet('available'));
        await api.get(id);
      });
    },
  }),

  check('GET-4.alone', 'a fetch that is alone is answered as among others', {
    stage: 'alone',
    exercise: async (vocabulary) => {
      const { draw, forEach } = vocabulary;
      const fetches = fetchesOne(vocabulary, idsGivenNow(vocabulary, await knownIdsOfAll(vocabulary)));
      await forEach(draw(spaces.anyOf(spaces.GET_REQUESTS), ALONE), (request) => fetches(request, spaces.ALONE));
    },
  }),

  check('GET-5', 'a petId that is not an int64 is answered with 404 or 400', {
    everyAnswer: [rules.isAnswered('GET-5'), rules.isReadAsItsNumber],
    covers: [ids(inputs.OPEN_ID_KINDS)],
    exercise: async (vocabulary) => {
      const { api, cover, permits, forAll, forEach } = vocabulary;
      const known = await knownIds(vocabulary);
      const asks = async (petId: string, kind: string, form?: spaces.GetRequest['form']): Promise<void> =>
        permits(
          await api.send(getPet(petId, api.key, form)),
          (status) => `${status === 200 ? 'reads' : `answers ${status} to`} a petId that is`,
          inputs.petIdInWords(kind, petId),
        );
      await sideBySide(
        forEach(inputs.decoratedIds(known), (petId) => asks(petId, DECORATED)),
        forAll(inputs.anyDecoratedId(known), 1, (petId) => asks(petId, DECORATED)),
        cover(
          spaces.GET_REQUESTS,
          ({ petId, form, kind }, circumstances: spaces.Circumstances | undefined) =>
            asks(inputs.writtenId(petId, known), kind, spaces.under(circumstances, form)),
          [...spaces.AT_ONE_MOMENT, ...CIRCUMSTANCES],
        ),
      );
    },
  }),
];
