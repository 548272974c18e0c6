// Part 4.3 · Get an animal (deprecated)
import {
  allOf,
  breach,
  type CheckContext,
  check,
  idOf,
  onSchema,
  type Reply,
  succeeds,
} from '../src/petstore/index.ts';
import { anyNotInt64, EDGE_IDS, farIds, neighboursOf, notInt64 } from '../src/petstore/inputs/ids.ts';
import { LARGEST_LIMIT } from '../src/petstore/inputs/limits.ts';
import { PET_STATUSES } from '../src/petstore/inputs/new-pet.ts';
import { plainPets } from '../src/petstore/inputs/new-pets.ts';

/** From this age on (ms), an animal that is not found is not merely late. */
const NO_LONGER_NEW_MS = 2_000;

/** At the end of the run, the oldest animal is at least so old (ms). */
const LATER_MS = 1_500;

/** Most animals of others that are fetched. */
const MOST_LISTED = 20;

/** The ids on a page of animals that neither this run nor another has added. */
function strangersIn(page: Reply, { known }: CheckContext): readonly bigint[] {
  return page.animals.filter(({ name }) => !known.isOfARun(name)).flatMap(({ id }) => id ?? []);
}

export const getPet = [
  check('GET-1', 'an animal that exists is answered with 200', {
    always: allOf(
      succeeds(200, (call, reply, known) => {
        const created = idOf(call) === undefined ? undefined : known.ledger.find(idOf(call) ?? 0n);
        if (created === undefined || known.getPetMayBeGone) return false;
        const age = reply.exchange.sentAt - created.exchange.answeredAt;
        return age >= 0 && (age >= NO_LONGER_NEW_MS || reply.status !== 404);
      }),
      onSchema('animal', 'the animal', 'pet'),
    ),
    provoke: async (context) => {
      const { service } = context;
      const id = await context.anAnimal();
      const reply = await service.eventually(
        () => service.tryGet(id),
        ({ status }) => status !== 404,
      );
      if (reply.status === 404 && !context.getPetMayBeGone) {
        context.broken(breach('status', `answers 404 to an animal that exists (${id})`, '200', '404'), reply.exchange);
      }
      await service.get(id);
    },
  }),

  check('GET-1.listed', 'an animal that the list shows is answered with 200', {
    phase: 'fresh',
    provoke: async (context) => {
      const { service } = context;
      const queries = [{}, ...PET_STATUSES.map((status) => ({ status }))].map((filter) => ({
        limit: LARGEST_LIMIT,
        ...filter,
      }));
      const listed = await Promise.all(
        queries.map(async (query) => strangersIn(await service.list(query), context).map((id) => ({ id, query }))),
      );
      const others = listed.flat().filter(({ id }, at, all) => all.findIndex((other) => other.id === id) === at);
      // Of the run's own animals, other checks fetch enough.
      const chosen =
        others.length === 0
          ? [{ id: await context.anAnimal(), query: { limit: LARGEST_LIMIT } }]
          : others.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, MOST_LISTED);
      await context.each(chosen, async ({ id, query }) => {
        // Where it was deleted in the meantime, the list soon shows it no more.
        const look = async () => {
          const reply = await service.tryGet(id);
          const page = reply.status === 404 ? await service.list(query) : undefined;
          return { reply, page: page?.animals.some((animal) => animal.id === id) === true ? page : undefined };
        };
        const { reply, page } = await service.eventually(look, (seen) => seen.page === undefined);
        if (page === undefined || context.getPetMayBeGone) return;
        const message = `answers 404 to animal ${id}, which the list shows`;
        context.broken(breach('listed-not-found', message, '200', '404'), page.exchange, reply.exchange);
      });
    },
  }),

  check('GET-2', 'an identifier that no animal has is answered with 404', async (context) => {
    const { service } = context;
    await service.get(await context.anAnimal());
    await context.every(farIds(), 25, async (id) => {
      service.expectStatus(await service.tryGet(id), [404]);
    });
    await context.each(EDGE_IDS, async (id) => {
      const reply = await service.tryGet(id);
      // Somebody's animal may have this very id; then it is GET-3 that judges the answer.
      if (reply.animals[0]?.id !== id) service.expectStatus(reply, [404]);
    });
  }),

  check('GET-3', 'the animal that comes back has exactly the id that was asked for', {
    always: ({ call, isSuccess, animals: [animal] }) => {
      const asked = idOf(call);
      if (call.operation !== 'getPet' || !isSuccess || asked === undefined || animal?.id === undefined) return 'silent';
      return animal.id === asked
        ? 'holds'
        : breach(
            'another-id',
            `asked for ${asked}, the service answered with ${animal.id}`,
            `${asked}`,
            `${animal.id}`,
          );
    },
    provoke: async (context) => {
      const { service } = context;
      const id = await context.anAnimal();
      await service.get(id);
      await context.each(neighboursOf(id), async (neighbour) => {
        await service.tryGet(neighbour);
      });
    },
  }),

  check('GET-4', 'an animal can be fetched as soon as it was created', {
    always: succeeds(200, (call, reply, known) => {
      const created = idOf(call) === undefined ? undefined : known.ledger.find(idOf(call) ?? 0n);
      if (created === undefined || known.getPetMayBeGone) return false;
      const age = reply.exchange.sentAt - created.exchange.answeredAt;
      return age >= 0 && age < NO_LONGER_NEW_MS && (reply.status === 404 || reply.status === 200);
    }),
    provoke: (context) =>
      context.every(plainPets(context.mark), 15, async (pet) => {
        const { id } = await context.service.create(pet);
        await context.service.get(id);
      }),
  }),

  check('GET-4.later', 'an animal can still be fetched at the end of the run', {
    phase: 'quiet',
    provoke: async (context) => {
      await context.anAnimal();
      const [oldest] = context.known.ledger.all();
      if (context.profile !== 'smoke') await context.untilOldEnough(oldest, LATER_MS);
      // By name, which the seed decides; the order in which they were added is chance.
      const all = context.known.ledger.all().toSorted((one, other) => (one.name < other.name ? -1 : 1));
      const spread = all.filter((_, at) => at % Math.ceil(all.length / 60) === 0);
      await context.each(spread, async ({ id, exchange }) => {
        const reply = await context.service.tryGet(id);
        if (reply.status === 404 && !context.getPetMayBeGone) {
          context.broken(breach('lost', `animal ${id} is gone`, '200', '404'), exchange, reply.exchange);
        }
      });
    },
  }),

  check('GET-5', 'a petId that is not an int64 is answered with 404 or 400', async (context) => {
    const permitted = async (petId: string): Promise<void> => {
      const reply = await context.service.tryGet(petId);
      context.permits(reply, {
        400: 'answers 400 to a petId that is not an int64',
        404: 'answers 404 to a petId that is not an int64',
      });
    };
    await context.each(notInt64(await context.anAnimal()), permitted);
    await context.every(anyNotInt64(), 15, permitted);
  }),
];
