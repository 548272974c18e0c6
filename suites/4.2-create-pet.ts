// Part 4.2 · Add an animal
import {
  accepts,
  allOf,
  breach,
  brief,
  type CheckContext,
  check,
  creating,
  looksForInList,
  madeOf,
  onAnimal,
  onSchema,
  probeGaps,
} from '../src/petstore/index.ts';
import { type BrokenBody, soundBody } from '../src/petstore/inputs/body.ts';
import {
  anyWrongMember,
  lackingMembers,
  missingBodies,
  namelessInCategories,
  notAnObject,
  wrongMembers,
} from '../src/petstore/inputs/defects.ts';
import { anyMalformed, malformedBodies } from '../src/petstore/inputs/malformed.ts';
import type { NewPet } from '../src/petstore/inputs/new-pet.ts';
import { newPets, unusualCategory } from '../src/petstore/inputs/new-pets.ts';
import { duplicateMembers, otherMediaTypes } from '../src/petstore/inputs/open-bodies.ts';
import { escapedNames, writtenForms } from '../src/petstore/inputs/written-forms.ts';

/** One sound body, and what is set against it: the same body with one defect. */
function refusals(context: CheckContext): {
  readonly base: NewPet;
  readonly refused: (body: BrokenBody) => Promise<void>;
} {
  const base = context.aPet('available');
  const control = creating(soundBody(base), context.service.right);
  return {
    base,
    refused: async (body) => {
      await context.service.contrast(control, creating(body, context.service.right), 400);
    },
  };
}

export const createPet = [
  check('CREATE-1', 'a valid body is accepted with 201 and the created animal', {
    always: allOf(accepts('CREATE-1'), onSchema('created', 'the created animal', 'pet')),
    provoke: (context) =>
      context.every(newPets(context.mark), 20, async (pet) => {
        await context.service.create(pet);
      }),
  }),

  check('CREATE-2', 'a body that lacks a required member is refused with 400', async (context) => {
    const { base, refused } = refusals(context);
    await context.each(lackingMembers(base), refused);
  }),

  check('CREATE-3', 'a request without a body is refused with 400', async (context) => {
    const { refused } = refusals(context);
    await context.each(missingBodies(), refused);
  }),

  check('CREATE-4', 'a body that is not well-formed JSON is refused with 400', async (context) => {
    const { base, refused } = refusals(context);
    await context.each(malformedBodies(base), refused);
    await context.every(anyMalformed(base), 25, refused);
  }),

  check('CREATE-5', 'a name that is not a string is refused with 400', async (context) => {
    const { base, refused } = refusals(context);
    await context.each(wrongMembers(base, 'name'), refused);
    await context.every(anyWrongMember(base, 'name'), 15, refused);
  }),

  check('CREATE-6', 'a categoryId that is not an int64 is refused with 400', async (context) => {
    const { base, refused } = refusals(context);
    await context.each(wrongMembers(base, 'categoryId'), refused);
    await context.every(anyWrongMember(base, 'categoryId'), 20, refused);
  }),

  check('CREATE-7', 'a status that is not one of the three is refused with 400', async (context) => {
    const { base, refused } = refusals(context);
    await context.each(wrongMembers(base, 'status'), refused);
    await context.every(anyWrongMember(base, 'status'), 20, refused);
  }),

  check('CREATE-8', 'JSON that is not an object is refused with 400', async (context) => {
    const { base, refused } = refusals(context);
    await context.each(notAnObject(base), refused);
  }),

  check('CREATE-9', 'a refused body leaves no animal behind', {
    phase: 'fresh',
    always: onAnimal((animal, _reply, known) => {
      const refusal = known.refusalOf(animal);
      if (refusal?.because !== 'body') return 'silent';
      const message = `an animal was made of a body that was refused (id ${animal.id})`;
      return { ...breach('refused-but-stored', message, 'no such animal', 'the animal'), against: refusal.exchange };
    }),
    provoke: async (context) => {
      const { service } = context;
      const wrongest = [
        ...namelessInCategories(unusualCategory(context.mark)),
        ...lackingMembers(context.aPet('sold')).slice(1, 2),
        ...lackingMembers(context.aPet('pending')).slice(7, 8),
        ...wrongMembers(context.aPet('sold'), 'categoryId').slice(0, 1),
        ...wrongMembers(context.aPet('pending'), 'categoryId').slice(4, 5),
        ...wrongMembers(context.aPet('sold'), 'categoryId').slice(-1),
        ...wrongMembers(context.aPet('available'), 'status').slice(-9, -7),
        ...notAnObject(context.aPet('available')).slice(-3, -2),
      ];
      await service.create(context.aPet('sold'));
      await context.each(wrongest, async (body) => {
        context.control(await service.tryCreate(body), 400, 'CREATE-2 to CREATE-8');
      });
      // What was added after the refusals is in the list: so would be what the refusals added.
      const after = await service.create(context.aPet('sold'));
      const sightings = [
        await looksForInList(context, after),
        await looksForInList(context, after, 'sold'),
        await looksForInList(context, await service.create(context.aPet('pending')), 'pending'),
      ];
      if (sightings.every(({ kind }) => kind !== 'shown')) {
        context.inconclusive(
          'out-of-sight',
          'the list never showed an animal of ours, so it would not show what a refusal left',
        );
      }
    },
  }),

  check('CREATE-9.all', 'none of the bodies that were refused in this run became an animal', {
    phase: 'quiet',
    provoke: async (context) => {
      await context.service.create(context.aPet('sold'));
      const probed = await probeGaps(context);
      await Promise.all(
        [undefined, 'available', 'pending', 'sold'].map((status) =>
          context.service.list({ limit: 100, ...(status === undefined ? {} : { status }) }),
        ),
      );
      if (probed === undefined)
        context.inconclusive(
          'out-of-sight',
          'ids are not given in order, so animals that the list does not show cannot be found',
        );
    },
  }),

  check('CREATE-10', 'the same body twice gives two animals', {
    always: accepts('CREATE-10'),
    provoke: async (context) => {
      const { service } = context;
      const body = soundBody(context.aPet('available'), 'CREATE-10', 'a body that was sent before');
      const [first, second] = [await service.create({ ...body, owner: 'CREATE-1' }), await service.create(body)];
      if (first.id === second.id) {
        context.broken(
          breach('one-animal', 'the second 201 names the first animal', 'another id', `${second.id}`),
          first.exchange,
          second.exchange,
        );
      }
      await Promise.all([service.get(first.id), service.get(second.id)]);
    },
  }),

  check('CREATE-11', 'an animal is known by the id in its 201', async (context) => {
    const { service } = context;
    await context.each(['available', 'pending', 'sold'] as const, async (status) => {
      const pet = context.aPet(status);
      const created = await service.create(pet);
      const reply = await service.eventually(
        () => service.tryGet(created.id),
        (seen) => seen.status !== 404,
      );
      if (context.getPetMayBeGone && reply.status !== 200)
        context.notApplicable('getPet was removed, as was announced');
      const name = reply.animals[0]?.name;
      if (reply.status === 404 || (reply.isSuccess && name !== pet.name)) {
        const fault = breach(
          'assigned-id',
          `the id ${created.id} in the 201 is not the id of the animal`,
          brief(pet.name),
          name === undefined ? 'no animal' : brief(name),
        );
        context.broken(fault, created.exchange, reply.exchange);
      }
      await service.get(created.id);
    });
  }),

  check('CREATE-12', 'a valid body is accepted in every form that JSON allows', {
    always: accepts('CREATE-12'),
    provoke: async (context) => {
      const pet = { ...context.aPet(), status: 'pending' } as const;
      await context.each(
        [...writtenForms(pet, 'CREATE-12'), ...escapedNames(context.aPet(), 'CREATE-12')],
        async (body) => {
          const created = await context.service.create(body);
          const wrong = (['name', 'categoryId', 'status'] as const).find(
            (field) => body.pet[field] !== undefined && body.pet[field] !== created[field],
          );
          if (wrong !== undefined) {
            const fault = breach(
              'misread',
              `${body.label}: the ${wrong} is not the one that the body says`,
              `${body.pet[wrong]}`,
              `${created[wrong]}`,
            );
            context.broken(fault, created.exchange);
          }
        },
      );
    },
  }),

  check(
    'CREATE-13',
    'a body whose Content-Type is missing or not JSON is taken, or refused with 400 or 415',
    async (context) => {
      await context.anAnimal();
      await context.each(otherMediaTypes(context.aPet('available')), async (body) => {
        const reply = await context.service.tryCreate(body);
        context.permits(reply, { 201: 'accepts', 400: 'answers 400 to', 415: 'answers 415 to' }, body.label);
        madeOf(context, body, reply);
      });
    },
  ),

  check('CREATE-14', 'a body in which a member stands twice is taken, or refused', async (context) => {
    await context.anAnimal();
    await context.each(duplicateMembers(context.aPet('available')), async (body) => {
      const reply = await context.service.tryCreate(body);
      context.permits(reply, { 201: 'accepts', 400: 'refuses' }, body.label);
      madeOf(context, body, reply);
    });
  }),

  check('CREATE-15', 'whether the 201 has a Location is recorded', async (context) => {
    const { service } = context;
    const reply = await service.control(creating(soundBody(context.aPet('available')), service.right));
    context.observe(
      reply.header('location') === undefined ? 'sends no Location with a 201' : 'sends a Location with a 201',
    );
  }),
];
