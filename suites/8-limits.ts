// Part 8 · Limits
import { check, LIMIT, listPets } from '../src/petstore/index.ts';
import * as rules from '../src/petstore/rules/index.ts';

export const limits = [
  check('LIM-1', 'limit=1 is accepted and gives one animal', {
    everyAnswer: rules.isAnswered('LIM-1'),
    exercise: async ({ api, collection, expect }) => {
      await collection.anAnimal();
      const page = await api.eventually(
        () => api.list({ limit: LIMIT.minimum }),
        ({ length }) => length === 1,
      );
      expect((seen) => rules.holds(LIMIT.minimum, seen), page.reply);
    },
  }),

  check('LIM-2', 'limit=100 is accepted, and no page is longer', {
    stage: 'full',
    everyAnswer: [rules.isAnswered('LIM-2'), rules.everyPage(rules.holdsAtMostTheMaximum)],
    exercise: async ({ api, collection, forEach }) => {
      await collection.moreThanAPage();
      await api.list({ limit: LIMIT.maximum });
      const { commonStatus } = collection;
      const queries = [{ limit: LIMIT.maximum + 1 }, { limit: LIMIT.minimum - 1, status: commonStatus }];
      await forEach(queries, async (query) => {
        await api.send(listPets(query, api.key));
      });
    },
  }),

  check('LIM-3', 'whether the service limits the rate of requests is recorded', {
    stage: 'aged',
    exercise: async ({ api, collection, observe }) => {
      if (collection.model.answers.listPets === 0) await api.list({ limit: LIMIT.minimum });
      if (api.throttled > 0) observe('limits the rate of requests (429)');
    },
  }),
];
