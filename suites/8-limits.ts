// Part 8 · Limits
import { check, LIMIT, listPets } from '../src/petstore/index.ts';
import { everyPage, holds, holdsAtMostTheMaximum } from '../src/petstore/rules/pages.ts';
import { listingSucceedsWithLimit } from '../src/petstore/rules/rule.ts';

export const limits = [
  check('LIM-1', 'limit=1 is accepted and gives one animal', {
    everyAnswer: listingSucceedsWithLimit(LIMIT.minimum),
    exercise: async ({ api, collection, expect }) => {
      await collection.anAnimal();
      const page = await api.eventually(
        () => api.list({ limit: LIMIT.minimum }),
        ({ length }) => length === 1,
      );
      expect((seen) => holds(LIMIT.minimum, seen), page.reply);
    },
  }),

  check('LIM-2', 'limit=100 is accepted, and no page is longer', {
    phase: 'still',
    everyAnswer: [listingSucceedsWithLimit(LIMIT.maximum), everyPage(holdsAtMostTheMaximum)],
    exercise: async ({ api, collection, forEach }) => {
      await collection.outgrowsAPage();
      await api.list({ limit: LIMIT.maximum });
      await forEach([LIMIT.maximum + 1, LIMIT.minimum - 1], async (limit) => {
        await api.send(listPets({ limit }, api.key));
      });
    },
  }),

  check('LIM-3', 'whether the service limits the rate of requests is recorded', {
    phase: 'end',
    exercise: async ({ api, collection, observe }) => {
      if (collection.model.answers.listPets === 0) await api.list({ limit: LIMIT.minimum });
      observe(api.throttled === 0 ? 'no rate limit reached' : 'limits the rate of requests (429)');
    },
  }),
];
