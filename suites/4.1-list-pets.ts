// Part 4.1 · List all animals
import fc from 'fast-check';
import {
  allOf,
  asksFor,
  breach,
  check,
  looksForInList,
  onPage,
  onSchema,
  type Reply,
  succeeds,
  withinFilter,
  withinLimit,
} from '../src/petstore/index.ts';
import {
  ALL_LIMITS,
  LARGEST_LIMIT,
  LIMITS_NOT_INTEGERS,
  LIMITS_OUTSIDE,
  ODD_STATUS_FILTERS,
  oddLimits,
  SMALLEST_LIMIT,
} from '../src/petstore/inputs/limits.ts';
import { PET_STATUSES } from '../src/petstore/inputs/new-pet.ts';

export const listPets = [
  check('LIST-1', 'listing answers 200 with an array of animals', {
    always: allOf(
      succeeds(200, asksFor({ limit: 'none', status: 'none' })),
      onSchema('page', 'an array of animals', 'pets'),
    ),
    provoke: async ({ service }) => {
      await service.list();
    },
  }),

  check('LIST-2', 'a page never holds more animals than its limit', {
    always: onPage((page) => (asksFor({ limit: 'sound', status: 'none' })(page.call) ? withinLimit(page) : 'silent')),
    provoke: async (context) => {
      await context.moreThanAPage();
      await context.each(ALL_LIMITS, async (limit) => {
        await context.service.list({ limit });
      });
    },
  }),

  check('LIST-3', 'a page without a limit holds at most 20 animals', {
    always: onPage((page) => (asksFor({ limit: 'none' })(page.call) ? withinLimit(page) : 'silent')),
    provoke: async (context) => {
      await context.moreThanAPage();
      await context.each([undefined, ...PET_STATUSES], async (status) => {
        await context.service.list(status === undefined ? {} : { status });
      });
    },
  }),

  check('LIST-4', 'no limit and limit=20 give pages of the same size', {
    phase: 'quiet',
    provoke: async (context) => {
      const { service } = context;
      await context.moreThanAPage();
      await context.each([undefined, 'available'], async (status) => {
        const filter = status === undefined ? {} : { status };
        const differ = async (): Promise<readonly Reply[] | undefined> => {
          const pages = [
            await service.list(filter),
            await service.list({ limit: 20, ...filter }),
            await service.list(filter),
          ];
          const [first, middle, last] = pages.map(({ pageLength }) => pageLength);
          return first === last && first !== middle ? pages : undefined;
        };
        // Others may add and remove animals; only a difference that stays is one.
        const pages = (await differ()) && (await differ()) && (await differ());
        if (pages === undefined) return;
        const [first, middle] = pages.map(({ pageLength }) => `${pageLength} animals`);
        const fault = breach(
          'default-limit',
          'the default limit is not 20',
          `${first} with limit=20 as without`,
          middle ?? '',
        );
        context.broken(fault, ...pages.slice(0, 2).map(({ exchange }) => exchange));
      });
    },
  }),

  check('LIST-5', 'every limit from 1 to 100 is accepted', {
    always: succeeds(200, asksFor({ limit: 'sound', status: 'none' })),
    provoke: (context) =>
      context.each(ALL_LIMITS, async (limit) => {
        await context.service.list({ limit });
      }),
  }),

  check('LIST-6', 'a filtered page holds only animals with that status', {
    always: allOf(
      succeeds(200, asksFor({ limit: 'none', status: 'sound' })),
      onPage((page) => (asksFor({ limit: 'none' })(page.call) ? withinFilter(page) : 'silent')),
    ),
    provoke: async (context) => {
      const { service } = context;
      await context.each([...PET_STATUSES, undefined], async (status) => {
        await service.create(context.aPet(status));
      });
      await context.each(PET_STATUSES, async (status) => {
        await service.tryList({ status });
      });
    },
    phase: 'fresh',
  }),

  check('LIST-7', 'a page is never empty while an animal that matches it exists', {
    phase: 'fresh',
    always: onPage(({ call, length, reply }, known) => {
      const match = known.settledMatch(reply);
      if (call.status !== undefined && !asksFor({ status: 'sound' })(call)) return 'silent';
      if (match === undefined) return 'silent';
      if (length > 0) return 'holds';
      return {
        ...breach(
          'empty-page',
          `the page is empty though animal ${match.id} matches it`,
          'at least one animal',
          'none',
        ),
        against: match.exchange,
      };
    }),
    provoke: async (context) => {
      const { service } = context;
      await context.each([undefined, ...PET_STATUSES], async (status) => {
        const animal = await service.create(context.aPet(status ?? 'available'));
        for (const limit of [undefined, SMALLEST_LIMIT, 2, LARGEST_LIMIT]) {
          const query = { ...(limit === undefined ? {} : { limit }), ...(status === undefined ? {} : { status }) };
          const page = await service.eventually(
            () => service.list(query),
            ({ pageLength }) => (pageLength ?? 0) > 0,
          );
          if (page.pageLength === 0) {
            const fault = breach(
              'empty-page',
              `the page is empty though animal ${animal.id} matches it`,
              'at least one animal',
              'none',
            );
            context.broken(fault, animal.exchange, page.exchange);
          }
        }
      });
    },
  }),

  check('LIST-8', 'a page never holds the same id twice', {
    always: onPage(({ animals }) => {
      const ids = animals.flatMap(({ id }) => id ?? []);
      const twice = ids.find((id, at) => ids.indexOf(id) !== at);
      return twice === undefined
        ? 'holds'
        : breach('id-twice-in-page', `the page holds the id ${twice} twice`, 'every id once', `${twice} twice`);
    }),
    provoke: async (context) => {
      await context.each([undefined, 2, 50, LARGEST_LIMIT], async (limit) => {
        await context.service.list(limit === undefined ? {} : { limit });
      });
    },
  }),

  check('LIST-9', 'with limit and status together, both hold', {
    always: allOf(
      succeeds(200, asksFor({ limit: 'sound', status: 'sound' })),
      onPage((page) => (asksFor({ limit: 'sound', status: 'sound' })(page.call) ? withinLimit(page) : 'silent')),
      onPage((page) => (asksFor({ limit: 'sound', status: 'sound' })(page.call) ? withinFilter(page) : 'silent')),
    ),
    provoke: async (context) => {
      const { service } = context;
      await context.moreThanAPage();
      const corners = PET_STATUSES.flatMap((status) =>
        [SMALLEST_LIMIT, 5, 20, LARGEST_LIMIT].map((limit) => ({ status, limit })),
      );
      await context.each(corners, async (query) => {
        await service.tryList(query);
      });
      const queries = fc.record({
        status: fc.constantFrom(...PET_STATUSES),
        limit: fc.integer({ min: SMALLEST_LIMIT, max: LARGEST_LIMIT }),
      });
      await context.every(queries, 25, async (query) => {
        await service.tryList(query);
      });
    },
  }),

  check('LIST-10', 'a limit out of range or not an integer is refused, or the page is at most 100', async (context) => {
    await context.moreThanAPage();
    const permitted = async (limit: string): Promise<void> => {
      const { service } = context;
      const kind = /^-?\d+$/.test(limit) ? 'out of range' : 'that is not an integer';
      const page = await service.eventually(
        () => service.tryList({ limit }),
        ({ status, pageLength }) => status !== 200 || pageLength !== 0,
      );
      context.permits(page, { 200: `answers a page to a limit ${kind}`, 400: `answers 400 to a limit ${kind}` });
      const { pageLength } = page;
      if (pageLength === undefined || (pageLength > 0 && pageLength <= LARGEST_LIMIT)) return;
      const fault = pageLength === 0 ? 'empty-page' : 'page-too-long';
      context.broken(
        breach(fault, `limit=${limit} gives ${pageLength} animals`, '1 to 100', `${pageLength}`),
        page.exchange,
      );
    };
    await context.each(LIMITS_OUTSIDE, permitted);
    await context.each(LIMITS_NOT_INTEGERS, permitted);
    await context.every(oddLimits(), 15, permitted);
  }),

  check('LIST-11', 'a status filter outside the enumeration is refused, or the page is empty', async (context) => {
    await context.service.list();
    await context.each(ODD_STATUS_FILTERS, async (status) => {
      const page = await context.service.tryList({ status });
      context.permits(page, {
        200: 'answers an empty page to an unknown status filter',
        400: 'answers 400 to an unknown status filter',
      });
      if ((page.pageLength ?? 0) > 0) {
        const fault = breach(
          'filter',
          `status=${status} gives ${page.pageLength} animals`,
          'an empty page, or 400',
          `${page.pageLength} animals`,
        );
        context.broken(fault, page.exchange);
      }
    });
  }),

  check('LIST-12', 'the order of the list and the length of its pages are recorded', {
    phase: 'quiet',
    provoke: async (context) => {
      const page = await context.service.list({ limit: LARGEST_LIMIT });
      const ids = page.animals.flatMap(({ id }) => id ?? []);
      const ascending = ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? id));
      const descending = ids.every((id, at) => at === 0 || id < (ids[at - 1] ?? id));
      if (ids.length > 1)
        context.observe(
          ascending ? 'lists by ascending id' : descending ? 'lists by descending id' : 'lists in an order of its own',
        );
      const known = context.known.ledger.count;
      if (known > LARGEST_LIMIT && ids.length < LARGEST_LIMIT)
        context.observe(`gives pages of ${ids.length} where 100 are asked for`);
    },
  }),

  check('LIST-13', 'how soon the list shows a new animal is recorded', {
    phase: 'fresh',
    provoke: async (context) => {
      const animal = await context.service.create(context.aPet('sold'));
      const sighting = await looksForInList(context, animal, 'sold');
      if (sighting.kind !== 'shown')
        return context.inconclusive(
          'out-of-sight',
          'the list never showed an animal of ours: its pages are full of others',
        );
      const seconds = (sighting.milliseconds / 1_000).toFixed(1);
      context.observe(
        sighting.milliseconds < 250
          ? 'shows a new animal in the list at once'
          : `shows a new animal in the list after ${seconds} s`,
      );
    },
  }),
];
