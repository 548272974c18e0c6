// Part 4.1 · List all animals
import {
  anyInvalidLimit,
  anyListQuery,
  check,
  EVERY_LIMIT,
  LIMIT,
  LIMITS_NOT_INTEGERS,
  LIMITS_OUT_OF_RANGE,
  LIST_QUERIES,
  listPets,
  orderOf,
  type Page,
  PET_STATUSES,
  STATUS_FILTERS_OUTSIDE,
  type Vocabulary,
} from '../src/petstore/index.ts';
import { isAPageOfAnimals } from '../src/petstore/rules/animals.ts';
import {
  everyPage,
  haveTheDefaultSize,
  holdsAtMostItsLimit,
  holdsEveryIdOnce,
  holdsOnlyItsStatus,
  isEmptyPage,
  isNotEmptyBeside,
  isNotEmptyInVain,
  isUsablePage,
  page,
} from '../src/petstore/rules/pages.ts';
import { listingSucceeds } from '../src/petstore/rules/rule.ts';

const EVERY_FILTER = [undefined, ...PET_STATUSES];

export const listPetsChecks = [
  check('LIST-1', 'listing answers 200 with an array of animals', {
    everyAnswer: [listingSucceeds({ limit: 'absent', status: 'absent' }), isAPageOfAnimals],
    exercise: async ({ api }) => {
      await api.list();
    },
  }),

  check('LIST-2', 'a page never holds more animals than its limit', {
    everyAnswer: page({ limit: 'valid', status: 'absent' }, holdsAtMostItsLimit),
    exercise: async ({ api, collection, forEach }) => {
      await collection.outgrowsAPage();
      await forEach(EVERY_LIMIT, async (limit) => {
        await api.list({ limit });
      });
    },
  }),

  check('LIST-3', 'a page without a limit holds at most 20 animals', {
    everyAnswer: page({ limit: 'absent' }, holdsAtMostItsLimit),
    exercise: async ({ api, collection, forEach }) => {
      await collection.outgrowsAPage();
      await forEach(EVERY_FILTER, async (status) => {
        await api.list({ status });
      });
    },
  }),

  check('LIST-4', 'no limit and limit=20 give pages of the same size', {
    phase: 'quiet',
    exercise: async ({ api, collection, forEach, expect }) => {
      await collection.outgrowsAPage();
      await forEach([undefined, 'available'], async (status) => {
        const compare = async () =>
          haveTheDefaultSize(
            await api.list({ status }),
            await api.list({ status, limit: LIMIT.default }),
            await api.list({ status }),
          );
        // Others may add and remove animals; only a difference that stays is one.
        const first = await compare();
        const second = typeof first === 'string' ? first : await compare();
        expect(typeof second === 'string' ? second : await compare());
      });
    },
  }),

  check('LIST-5', 'every limit from 1 to 100 is accepted', {
    everyAnswer: listingSucceeds({ limit: 'valid', status: 'absent' }),
    exercise: ({ api, forEach }) =>
      forEach(EVERY_LIMIT, async (limit) => {
        await api.list({ limit });
      }),
  }),

  check('LIST-5.alone', 'a list that is asked for alone is answered as among others', {
    phase: 'quiet',
    exercise: async ({ api, collection, cover }) => {
      await collection.outgrowsAPage();
      await cover(LIST_QUERIES, async ({ query, form }) => {
        await api.send(listPets(query, api.key, form));
      });
    },
  }),

  check('LIST-6', 'a filtered page holds only animals with that status', {
    phase: 'fresh',
    everyAnswer: [listingSucceeds({ limit: 'absent', status: 'valid' }), page({ limit: 'absent' }, holdsOnlyItsStatus)],
    exercise: async ({ api, aPet, forEach }) => {
      await forEach([...PET_STATUSES, undefined], async (status) => {
        await api.create(aPet(status));
      });
      await forEach(PET_STATUSES, async (status) => {
        await api.send(listPets({ status }, api.key));
      });
    },
  }),

  check('LIST-7', 'a page is never empty while an animal that matches it exists', {
    phase: 'fresh',
    everyAnswer: everyPage(isNotEmptyInVain),
    exercise: ({ api, aPet, forEach, expect }) =>
      forEach(EVERY_FILTER, async (status) => {
        const animal = await api.create(aPet(status ?? 'available'));
        for (const limit of [undefined, LIMIT.minimum, 2, LIMIT.maximum]) {
          const isNotEmpty = ({ length }: Page): boolean => length > 0;
          expect(isNotEmptyBeside(animal, await api.eventually(() => api.list({ limit, status }), isNotEmpty)));
        }
      }),
  }),

  check('LIST-8', 'a page never holds the same id twice', {
    everyAnswer: everyPage(holdsEveryIdOnce),
    exercise: ({ api, forEach }) =>
      forEach([undefined, 2, 50, LIMIT.maximum], async (limit) => {
        await api.list({ limit });
      }),
  }),

  check('LIST-9', 'with limit and status together, both hold', {
    everyAnswer: [
      listingSucceeds({ limit: 'valid', status: 'valid' }),
      page({ limit: 'valid', status: 'valid' }, holdsAtMostItsLimit),
      page({ limit: 'valid', status: 'valid' }, holdsOnlyItsStatus),
    ],
    exercise: async ({ api, collection, forEach, forAll }) => {
      await collection.outgrowsAPage();
      const limits = [LIMIT.minimum, 5, LIMIT.default, LIMIT.maximum];
      const corners = PET_STATUSES.flatMap((status) => limits.map((limit) => ({ status, limit })));
      await forEach(corners, async (query) => {
        await api.send(listPets(query, api.key));
      });
      await forAll(anyListQuery(), 25, async (query) => {
        await api.send(listPets(query, api.key));
      });
    },
  }),

  check('LIST-10', 'a limit out of range or not an integer is refused, or the page is at most 100', {
    exercise: async (vocabulary) => {
      const { collection, forEach, forAll } = vocabulary;
      await collection.outgrowsAPage();
      await forEach(LIMITS_OUT_OF_RANGE, (limit) => isRefusedOrUsable(vocabulary, limit));
      await forEach(LIMITS_NOT_INTEGERS, (limit) => isRefusedOrUsable(vocabulary, limit));
      await forAll(anyInvalidLimit(), 15, (limit) => isRefusedOrUsable(vocabulary, limit));
    },
  }),

  check('LIST-11', 'a status filter outside the enumeration is refused, or the page is empty', {
    exercise: async ({ api, forEach, permits, expect }) => {
      await api.list();
      await forEach(STATUS_FILTERS_OUTSIDE, async (status) => {
        const reply = await api.send(listPets({ status }, api.key));
        permits(reply, {
          200: 'answers an empty page to an unknown status filter',
          400: 'answers 400 to an unknown status filter',
        });
        expect(isEmptyPage(reply));
      });
    },
  }),

  check('LIST-12', 'the order of the list and the length of its pages are recorded', {
    phase: 'quiet',
    exercise: async ({ collection, observe }) => {
      const { animals, length } = await collection.longestPage();
      if (animals.length > 1) observe(`lists ${orderOf(animals)}`);
      const isShort = length < LIMIT.maximum && collection.model.created.length > LIMIT.maximum;
      if (isShort) observe(`gives pages of ${length} where ${LIMIT.maximum} are asked for`);
    },
  }),

  check('LIST-13', 'how soon the list shows a new animal is recorded', {
    phase: 'fresh',
    exercise: async ({ api, collection, aPet, observe, inconclusive }) => {
      const search = await collection.lookFor(await api.create(aPet('sold')), 'sold');
      if (search.kind !== 'shown') {
        return inconclusive(
          'out-of-sight',
          'the list never showed an animal of this run: its pages are full of others',
        );
      }
      const { milliseconds } = search;
      const soon = milliseconds < AT_ONCE_MS ? 'at once' : `after ${(milliseconds / 1_000).toFixed(1)} s`;
      observe(`shows a new animal in the list ${soon}`);
    },
  }),
];

const AT_ONCE_MS = 250;

async function isRefusedOrUsable({ api, permits, expect }: Vocabulary, limit: string): Promise<void> {
  const kind = /^-?\d+$/.test(limit) ? 'out of range' : 'that is not an integer';
  const reply = await api.eventually(
    () => api.send(listPets({ limit }, api.key)),
    ({ status, pageLength }) => status !== 200 || pageLength !== 0,
  );
  permits(reply, { 200: `answers a page to a limit ${kind}`, 400: `answers 400 to a limit ${kind}` });
  expect(isUsablePage(reply));
}
