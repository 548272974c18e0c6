// Part 4.1 · List all animals
import {
  check,
  defaultPages,
  delayInWords,
  inTurn,
  LIMIT,
  listPets,
  orderOf,
  type Pages,
  PET_STATUSES,
  queries,
  sideBySide,
} from '../src/petstore/index.ts';
import * as inputs from '../src/petstore/inputs/index.ts';
import * as rules from '../src/petstore/rules/index.ts';
import * as spaces from '../src/petstore/space/index.ts';

const EVERY_FILTER = [undefined, ...PET_STATUSES];

/** Ways to write a query that every run tries. */
const ENCODED = [
  ...Object.values(spaces.ENCODINGS).flatMap(({ examples }) => examples),
  ...spaces.LOOSE_AT_AN_END,
  spaces.INSIDE_ONLY,
];
/** How many limits are drawn to go with a filter. */
const DRAWN = 1;
/** Limits that go with every filter in every run. */
const BESIDE_THE_USUAL = [LIMIT.default + 1, LIMIT.maximum - 1, LIMIT.maximum];

/** Limits that a service need not honour; each goes with a filter, every second one where many animals match. */
const OPEN_LIMITS = [LIMIT.maximum + 1, '9223372036854775808', '0150', '', '1e3'];

/** How many queries are sent before anything is added, after the first animals, and while nothing else is in flight. */
const AS_FOUND = 4;
const AT_FIRST = 2;
const ALONE = 3;

/** The connections that a check tries, with two requests each. */
const EVERY_CONNECTION = [spaces.NEW_CONNECTION, spaces.AFTER_A_GOOD_KEY, spaces.AFTER_A_REFUSAL].flatMap((one) => [
  one,
  one,
]);

const sent =
  (pages: Pages) =>
  async (request: spaces.ListRequest, circumstances?: spaces.Circumstances): Promise<void> => {
    await pages.ask(under(request, circumstances));
  };

const under = (request: spaces.ListRequest, circumstances?: spaces.Circumstances): spaces.ListRequest => ({
  ...request,
  form: spaces.under(circumstances, request.form ?? { name: '' }),
});

export const listPetsChecks = [
  check('LIST-1', 'listing answers 200 with an array of animals', {
    everyAnswer: [rules.isAnswered('LIST-1'), rules.isAPageOfAnimals],
    exercise: async ({ api }) => {
      await api.list();
    },
  }),

  check('LIST-2', 'a page never holds more animals than its limit', {
    stage: 'full',
    everyAnswer: rules.page({ limit: 'valid', status: 'absent' }, rules.holdsAtMostItsLimit),
    covers: [queries(['valid'], ['absent'])],
    exercise: async ({ api, collection, pages, forEach, draw, cover }) => {
      const encodings = [...ENCODED, ...draw(spaces.anyEncoding(), inputs.REVEALING_LIMITS.length)];
      await collection.moreThanAPage();
      await sideBySide(
        forEach(
          inTurn(inTurn(inputs.REVEALING_LIMITS, encodings), spaces.FORMS_OF_A_GET),
          async ([[limit, encoding], form]) => {
            await api.send(listPets({ limit, ...encoding }, api.key, form));
          },
        ),
        cover(spaces.LIST_QUERIES, sent(pages), [spaces.NEW_CONNECTION, spaces.AFTER_A_REFUSAL, spaces.TWICE]),
      );
    },
  }),

  check('LIST-3', 'a page without a limit holds at most 20 animals', {
    everyAnswer: rules.page({ limit: 'absent' }, rules.holdsAtMostItsLimit),
    covers: [queries(['absent'], ['absent'])],
    exercise: async ({ api, collection, cover, pages }) => {
      await collection.nearlyAPage();
      await sideBySide(api.send(listPets({ looseMark: 'behind' }, api.key)), cover(spaces.LIST_QUERIES, sent(pages)));
    },
  }),

  check('LIST-4', 'no limit and limit=20 give pages of the same size', {
    stage: 'full',
    exercise: async ({ api, collection, forEach, expect }) => {
      await collection.moreThanAPage();
      await forEach(EVERY_FILTER, async (status) => {
        const pages = await defaultPages(api, status);
        if (pages !== undefined) expect(rules.haveTheDefaultSize, ...pages);
      });
    },
  }),

  check('LIST-4.few', 'no limit and limit=20 give pages of the same size before anything is added, too', {
    stage: 'first entries',
    exercise: async ({ collection, expect }) => {
      await collection.firstLook();
      for (const pages of collection.model.defaultsThatDiffered) expect(rules.hadTheDefaultSize, ...pages);
    },
  }),

  check('LIST-5', 'every limit from 1 to 100 is accepted', {
    everyAnswer: rules.isAnswered('LIST-5'),
    exercise: async ({ api }) => {
      await api.send(listPets({ limit: LIMIT.maximum / 2 }, api.key));
    },
  }),

  check('LIST-5.alone', 'a list that is asked for alone is answered as among others', {
    stage: 'alone',
    exercise: async ({ api, collection, forEach, draw, pages }) => {
      await collection.moreThanAPage();
      await forEach(draw(spaces.anyOf(spaces.LIST_QUERIES), ALONE), (request) => sent(pages)(request, spaces.ALONE));
      // Run together, the limit of one reads as that of the other and the length of its status.
      for (const query of [{ limit: 14 }, { limit: 1, status: 'sold' as const }]) await api.list(query);
    },
  }),

  check('LIST-6', 'a filtered page holds only animals with that status', {
    stage: 'first entries',
    everyAnswer: [rules.isAnswered('LIST-6'), rules.page({ limit: 'absent' }, rules.holdsOnlyItsStatus)],
    covers: [queries(['absent'], ['valid'])],
    exercise: async ({ api, collection, forEach, cover, pages }) => {
      await forEach([...PET_STATUSES, undefined], async (status) => {
        await collection.anAnimalWith(status);
      });
      await sideBySide(
        forEach(inTurn(ENCODED, PET_STATUSES), async ([encoding, status]) => {
          await api.send(listPets({ status, ...encoding }, api.key));
        }),
        cover(spaces.LIST_QUERIES, sent(pages), [spaces.AFTER_A_GOOD_KEY, spaces.AFTER_A_REFUSAL, spaces.TWICE]),
      );
    },
  }),

  check('LIST-7', 'a page is never empty while an animal that matches it exists', {
    stage: 'first entries',
    everyAnswer: rules.page({}, rules.showsMatchingAnimals),
    exercise: async ({ api, collection, forEach, expect }) => {
      await collection.firstLook();
      for (const { listed, filtered } of collection.model.emptyBesideOthers) {
        expect(rules.isNotEmptyBeside, listed, filtered);
      }
      await forEach(EVERY_FILTER, async (status) => {
        await collection.anAnimalWith(status ?? 'available');
        // A service that filters or limits first, in the order of the query, may find none.
        const orders = status === undefined ? [false] : [false, true];
        await sideBySide(...orders.map((statusFirst) => api.list({ limit: LIMIT.minimum, status, statusFirst })));
      });
    },
  }),

  check('LIST-8', 'a page never holds the same id twice', {
    everyAnswer: rules.everyPage(rules.holdsEveryIdOnce),
    exercise: async ({ api, collection }) => {
      const { rarerStatus: status } = collection;
      await collection.anAnimalWith(status);
      // An animal that matches both of two filters is listed once, although there is room for more.
      await api.send(listPets({ limit: LIMIT.maximum, status: [status, status] }, api.key));
      await api.list({ limit: 2 });
    },
  }),

  check('LIST-9', 'with limit and status together, both hold', {
    everyAnswer: [
      rules.isAnswered('LIST-9'),
      rules.page({ limit: 'valid', status: 'valid' }, rules.holdsAtMostItsLimit),
      rules.page({ limit: 'valid', status: 'valid' }, rules.holdsOnlyItsStatus),
    ],
    covers: [queries(['valid'], ['valid'])],
    exercise: async ({ collection, cover, pages }) => {
      await collection.nearlyAPage();
      await cover(spaces.LIST_QUERIES, sent(pages), spaces.AT_ONE_MOMENT);
    },
  }),

  check('LIST-9.found', 'what must hold of a page holds before anything is added', {
    stage: 'initial',
    exercise: ({ pages, forEach, draw }) => forEach(draw(spaces.anyOf(spaces.LIST_QUERIES), AS_FOUND), sent(pages)),
  }),

  check('LIST-9.first', 'what must hold of a page holds when the first animals are added', {
    stage: 'initial',
    exercise: async ({ collection, forEach, draw, pages }) => {
      const ofAll: Promise<void>[] = [];
      await collection.firstAnimal();
      const plain: readonly spaces.ListRequest[] = [{ query: {} }, { query: { status: 'sold' } }];
      await forEach([...plain, ...draw(spaces.anyOf(spaces.LIST_QUERIES), AT_FIRST)], async (request) => {
        const status = pages.statusOf(request);
        if (status === undefined) {
          const sending = sent(pages)(request);
          ofAll.push(sending);
          return sending;
        }
        // Queries without a filter come first, while there is a single animal.
        await Promise.resolve();
        await Promise.allSettled([...ofAll, collection.listBeforeAdding(status)]);
        await collection.firstAnimal(status);
        await pages.ask(request);
      });
    },
  }),

  check('LIST-9.later', 'with limit and status together, both hold, also where many animals match', {
    stage: 'full',
    exercise: async ({ api, collection, forEach, draw }) => {
      await collection.moreThanAPage();
      const limits = [LIMIT.default, LIMIT.maximum, ...draw(inputs.anyLimit(), DRAWN)];
      const pairs = [
        ...limits.map((limit) => ({ limit, status: collection.statusOfMoreThan(limit) })),
        ...PET_STATUSES.flatMap((status) => BESIDE_THE_USUAL.map((limit) => ({ limit, status }))),
      ];
      const queries = inTurn(pairs, inTurn(spaces.WAYS_TO_WRITE_TWO, [false, true]));
      await forEach(inTurn(queries, spaces.FORMS_OF_A_GET), async ([[pair, [encoding, statusFirst]], form]) => {
        await api.send(listPets({ ...pair, statusFirst, ...encoding }, api.key, form));
      });
    },
  }),

  check('LIST-9.exact', 'a limit next to the number of animals that match is honoured', {
    stage: 'full',
    covers: [queries(['fitting'], ['absent', 'valid'])],
    exercise: async ({ pages, cover, forEach }) => {
      const beside = [-1, 1].flatMap((more) => PET_STATUSES.map((status) => ({ more, status })));
      await sideBySide(
        forEach(beside, async ({ more, status }) => {
          await pages.ask({ query: { status }, fitting: { more } });
        }),
        cover(spaces.LIST_QUERIES, sent(pages)),
      );
    },
  }),

  check(
    'LIST-10',
    'a limit that is out of range or written in an unusual way is refused, or gives a page as one in range does',
    {
      stage: 'full',
      everyAnswer: [rules.isAnswered('LIST-10'), rules.everyPage(rules.isUsablePage)],
      covers: [queries(['open'], ['absent', 'valid'])],
      exercise: async ({ api, collection, cover, forEach, permits, pages }) => {
        await collection.moreThanAPage();
        const asks = async (request: spaces.ListRequest, circumstances?: spaces.Circumstances): Promise<void> => {
          const { reply } = await pages.ask(under(request, circumstances));
          const limits = [request.query.limit].flat().map((limit) => `${limit}`);
          permits(
            reply,
            (status) => `answers ${status === 200 ? 'a page' : status} to a limit`,
            inputs.limitInWords(limits),
          );
        };
        const status = collection.statusOfMoreThan(LIMIT.maximum);
        await sideBySide(
          forEach(OPEN_LIMITS, async (limit) => {
            await asks({ query: { limit, status } });
          }),
          forEach(spaces.MALFORMED.limit, async (query) => {
            await api.send(listPets(query, api.key));
          }),
          cover(spaces.LIST_QUERIES, asks, [...spaces.AT_ONE_MOMENT, ...EVERY_CONNECTION]),
        );
      },
    },
  ),

  check('LIST-11', 'a status filter outside the enumeration is refused, or the page is empty', {
    stage: 'first entries',
    everyAnswer: [rules.isAnswered('LIST-11'), rules.everyPage(rules.holdsNothingElse)],
    covers: [queries(['absent', 'valid', 'fitting', 'open'], ['open'])],
    exercise: async ({ api, collection, cover, permits, forEach, pages }) => {
      await collection.oneOfEachStatus();
      await sideBySide(
        // Some parsers take a semicolon for the end of a parameter.
        api.send(listPets({ status: 'sold;pending' }, api.key)),
        forEach(PET_STATUSES, async (status) => {
          // A cached answer to one must not be given to the other.
          await api.list({ status });
          await api.send(listPets({ status: status.toUpperCase() }, api.key));
        }),
        forEach(spaces.MALFORMED.status, async (query) => {
          await api.send(listPets(query, api.key));
        }),
        cover(
          spaces.LIST_QUERIES,
          async (request, circumstances: spaces.Circumstances | undefined) => {
            const { call, reply } = await pages.ask(under(request, circumstances));
            if (call.asked.status.kind !== 'unknown') return;
            permits(
              reply,
              (status) => `answers ${status === 200 ? 'an empty page' : status} to an unknown status filter`,
            );
          },
          [...spaces.AT_ONE_MOMENT, ...EVERY_CONNECTION],
        ),
      );
    },
  }),

  check('LIST-12', 'the order of the list and the length of its pages are recorded', {
    stage: 'full',
    exercise: async ({ api, collection, observe }) => {
      const { animals, length } = await api.longestPage();
      if (animals.length > 1) observe(`lists ${orderOf(animals)}`);
      const isShort = length < LIMIT.maximum && collection.model.created.length > LIMIT.maximum;
      if (isShort) observe('gives fewer animals than are asked for with', `limit=${LIMIT.maximum}`);
    },
  }),

  check('LIST-13', 'how soon the list shows a new animal is recorded', {
    stage: 'first entries',
    exercise: async ({ api, pages, aPet, observe, inconclusive }) => {
      const search = await pages.lookFor(await api.create(aPet('sold')), 'sold');
      if (search.kind !== 'shown') {
        return inconclusive('out-of-sight', 'no page was long enough to show an animal created by this run');
      }
      const soon = delayInWords(search);
      if (soon !== undefined) observe(`shows a new animal in the list ${soon}`, undefined, search.page.reply);
    },
  }),
];
