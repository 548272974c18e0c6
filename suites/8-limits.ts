// Part 8 · Limits
import { allOf, breach, check, onPage, succeeds } from '../src/petstore/index.ts';
import { LARGEST_LIMIT, SMALLEST_LIMIT } from '../src/petstore/inputs/limits.ts';

const asksForLimit = (limit: number) =>
  succeeds(200, (call) => call.operation === 'listPets' && call.status === undefined && call.limit === `${limit}`);

export const limits = [
  check('LIM-1', 'limit=1 is accepted and gives one animal', {
    always: asksForLimit(SMALLEST_LIMIT),
    provoke: async (context) => {
      const { service } = context;
      await context.anAnimal();
      const page = await service.eventually(
        () => service.list({ limit: SMALLEST_LIMIT }),
        ({ pageLength }) => pageLength === 1,
      );
      if (page.pageLength !== 1) {
        context.broken(
          breach(
            'smallest-limit',
            `limit=1 gives ${page.pageLength} animals`,
            '1 animal',
            `${page.pageLength} animals`,
          ),
          page.exchange,
        );
      }
    },
  }),

  check('LIM-2', 'limit=100 is accepted, and no page is longer', {
    always: allOf(
      asksForLimit(LARGEST_LIMIT),
      onPage(({ length, call }) =>
        length <= LARGEST_LIMIT
          ? 'holds'
          : breach(
              'page-too-long',
              `limit=${call.limit ?? '(none)'} gives ${length} animals`,
              'at most 100',
              `${length} animals`,
            ),
      ),
    ),
    provoke: async (context) => {
      await context.moreThanAPage();
      await context.service.list({ limit: LARGEST_LIMIT });
      await context.each(['101', '1000', '0', '-1'], async (limit) => {
        await context.service.tryList({ limit });
      });
    },
  }),

  check('LIM-3', 'whether the service limits the rate of requests is recorded', {
    phase: 'quiet',
    provoke: async (context) => {
      const { service } = context;
      await service.list({ limit: 1 });
      context.observe(
        service.throttled === 0
          ? 'limits no rate that this run came near to'
          : `answered 429 at times (${service.throttled})`,
      );
    },
  }),
];
