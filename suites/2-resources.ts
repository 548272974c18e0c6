// Part 2 · Resources and their fields
import {
  accepts,
  allOf,
  breach,
  brief,
  check,
  madeOf,
  onAnimal,
  onCreated,
  onSchema,
  seeAnimals,
  shown,
  boundText,
} from '../src/petstore/index.ts';
import { soundBody } from '../src/petstore/inputs/body.ts';
import { INT64_EDGES, int64s } from '../src/petstore/inputs/int64.ts';
import { OPEN_NAMES, TRICKY_NAMES } from '../src/petstore/inputs/names.ts';
import { PET_STATUSES } from '../src/petstore/inputs/new-pet.ts';
import { newPets } from '../src/petstore/inputs/new-pets.ts';
import { clientIds, integersWrittenOtherwise, openName, unknownMembers } from '../src/petstore/inputs/open-bodies.ts';

const ACCEPTED_OR_REFUSED = { 201: 'accepts', 400: 'refuses' };

export const resources = [
  check('RES-1', 'the status of an animal is one of the three, and never null', {
    always: onSchema('status-value', 'available, pending, sold, or no status', 'pet.status'),
    provoke: seeAnimals,
  }),

  check('RES-2', 'every animal has a name, a string', {
    always: onSchema('name', 'a name that is a string', 'pet.name'),
    provoke: seeAnimals,
  }),

  check('RES-3', 'every animal has a categoryId, an int64', {
    always: onSchema('category-id', 'a categoryId that is an int64', 'pet.categoryId'),
    provoke: seeAnimals,
  }),

  check('RES-4', 'every animal has an id, an int64', {
    always: onSchema('id', 'an id that is an int64', 'pet.id'),
    provoke: seeAnimals,
  }),

  check('RES-5', 'no id is given twice, to animals added at the same moment either', {
    always: (reply, known) => {
      const { call, exchange } = reply;
      const id = reply.animals[0]?.id;
      if (call.operation !== 'createPet' || id === undefined) return 'silent';
      const earlier = known.ledger.find(id);
      if (earlier === undefined && !known.seenBefore(id, exchange.sentAt)) return 'holds';
      const whose = earlier === undefined ? 'an animal that the list had shown before' : 'an animal of this run';
      const fault = breach('id-twice', `the id ${id} is that of ${whose}`, 'an id of its own', `${id} again`);
      return earlier === undefined ? fault : { ...fault, against: earlier.exchange };
    },
    provoke: async (context) => {
      const twin = context.aPet('available');
      const others = Array.from({ length: 25 }, () => context.aPet('available'));
      await context.each([...others, ...Array.from({ length: 15 }, () => twin)], async (pet) => {
        await context.service.create(pet);
      });
    },
  }),

  check('RES-6', 'a name comes back exactly as it was sent, code point by code point', {
    always: allOf(
      accepts('RES-6'),
      onCreated(({ name }, animal) => {
        if (animal.name === undefined) return 'silent';
        if (animal.name === name) return 'holds';
        return breach('name-changed', 'the name came back changed', brief(name), brief(animal.name));
      }),
    ),
    provoke: async (context) => {
      const { service, mark } = context;
      const comesBack = async (name: string): Promise<void> => {
        const { id } = await service.create(
          soundBody({ ...context.aPet('available'), name }, 'RES-6', `the name ${brief(name)}`),
        );
        await service.get(id);
      };
      await context.each(TRICKY_NAMES, comesBack);
      await context.every(
        newPets(mark).map(({ name }) => name),
        30,
        comesBack,
      );
    },
  }),

  check('RES-7', 'any int64 is accepted as categoryId and comes back digit by digit', {
    always: allOf(
      accepts('RES-7'),
      onCreated(({ categoryId }, animal) => {
        if (animal.categoryId === undefined) return 'silent';
        if (animal.categoryId === categoryId) return 'holds';
        return breach('category-changed', 'the categoryId came back changed', `${categoryId}`, `${animal.categoryId}`);
      }),
    ),
    provoke: async (context) => {
      const { service, mark } = context;
      const comesBack = async (categoryId: bigint): Promise<void> => {
        const pet = { ...context.aPet('available'), categoryId };
        const { id } = await service.create(soundBody(pet, 'RES-7', `the categoryId ${categoryId}`));
        await service.get(id);
      };
      if (mark.categories.length > 0) {
        await context.each(mark.categories, comesBack);
        return;
      }
      await context.each(INT64_EDGES, comesBack);
      await context.every(int64s(), 20, comesBack);
    },
  }),

  check('RES-8', 'an animal has the status that was sent with it', {
    always: onCreated(({ status }, animal) => {
      if (status === undefined) return 'silent';
      if (animal.status === status) return 'holds';
      return breach('status-changed', 'the status came back changed', status, animal.statusText ?? 'no status');
    }),
    provoke: async (context) => {
      await context.each([...PET_STATUSES, ...PET_STATUSES], async (status) => {
        await context.service.create(context.aPet(status));
      });
    },
  }),

  check('RES-9', 'the 201, getPet and listPets agree on every field of an animal', {
    phase: 'fresh',
    always: onAnimal((animal, { call }, known) => {
      if (call.operation === 'createPet' || animal.id === undefined) return 'silent';
      const elsewhere = known.createdUnderOtherId(animal);
      if (elsewhere !== undefined) {
        const message = `${call.operation} shows the animal that was created with the id ${elsewhere.id} under another one`;
        return { ...breach('other-id', message, `${elsewhere.id}`, `${animal.id}`), against: elsewhere.exchange };
      }
      const created = known.ledger.find(animal.id);
      if (created === undefined) return 'silent';
      const fields = ['name', 'categoryId', 'status'] as const;
      const differing = fields.find((field) => created[field] !== animal[field]);
      if (differing === undefined) return 'holds';
      const message = `${call.operation} shows another ${differing} of animal ${animal.id} than its 201`;
      const fault = breach('disagreement', message, shown(created[differing]), shown(animal[differing]));
      return { ...fault, against: created.exchange };
    }),
    provoke: async (context) => {
      const { service } = context;
      await context.each([...PET_STATUSES, undefined], async (status) => {
        const { id } = await service.create({
          ...context.aPet(status),
          ...(context.mark.categories.length > 0 ? {} : { categoryId: -9007199254740995n }),
        });
        await service.get(id);
        await service.eventually(
          () => service.list({ limit: 100, ...(status === undefined ? {} : { status }) }),
          (page) => page.pageLength === 100 || page.animals.some((animal) => animal.id === id),
        );
      });
    },
  }),

  check('RES-10', 'a name at the margin is taken exactly, or refused', async (context) => {
    await context.anAnimal();
    await context.each(OPEN_NAMES, async (open) => {
      const reply = await context.service.tryCreate(openName(context.aPet('available'), open));
      context.permits(reply, ACCEPTED_OR_REFUSED, open.label);
      const name = reply.animals[0]?.name;
      if (reply.isSuccess && !open.lossy && name !== boundText(open.name)) {
        context.broken(
          breach('name-changed', `${open.label} came back changed`, brief(open.name), brief(name ?? 'no name')),
          reply.exchange,
        );
      }
    });
  }),

  check('RES-11', 'a member that a NewPet does not have is ignored, echoed or refused', async (context) => {
    await context.anAnimal();
    await context.each(unknownMembers(context.aPet('available')), async (body) => {
      const reply = await context.service.tryCreate(body);
      context.permits(reply, { 201: 'accepts unknown members', 400: 'refuses unknown members' });
      madeOf(context, body, reply);
    });
  }),

  check('RES-12', 'an id that the client sends is refused, or the service assigns its own', async (context) => {
    const { service } = context;
    const existing = await context.anAnimal();
    await context.each(clientIds(context.aPet('available'), existing), async ({ body, id }) => {
      const reply = await service.tryCreate(body);
      context.permits(reply, {
        201: 'ignores an id that the client sends',
        400: 'refuses an id that the client sends',
      });
      if (reply.isSuccess && reply.animals[0]?.id === id) {
        context.broken(
          breach('client-id', 'the id of the client was taken', 'an id that the service assigned', `${id}`),
          reply.exchange,
        );
      }
    });
    await service.get(existing);
  }),

  check(
    'RES-13',
    'an integer with a fraction of zero or an exponent is taken at its value, or refused',
    async (context) => {
      await context.anAnimal();
      await context.each(integersWrittenOtherwise(context.aPet('available')), async (body) => {
        const reply = await context.service.tryCreate(body);
        context.permits(reply, {
          201: 'accepts integers written as 1.0 or 1e2',
          400: 'refuses integers written as 1.0 or 1e2',
        });
        madeOf(context, body, reply);
      });
    },
  ),

  check(
    'RES-14',
    'a category that is not known is accepted, or refused where the known ones are named',
    async (context) => {
      await context.anAnimal();
      const named = context.mark.categories.length > 0;
      const categories = INT64_EDGES.filter((category) => !context.mark.categories.includes(category)).slice(0, 8);
      await context.each(categories, async (categoryId) => {
        const { bytes, contentType, label, pet } = soundBody(
          { ...context.aPet('available'), categoryId },
          'RES-14',
          `the categoryId ${categoryId}`,
        );
        const reply = await context.service.tryCreate({
          kind: 'open',
          bytes,
          contentType,
          label,
          pet,
        });
        context.permits(
          reply,
          named ? { 201: 'accepts any category', 400: 'refuses an unknown category' } : { 201: 'accepts any category' },
        );
      });
    },
  ),
];
