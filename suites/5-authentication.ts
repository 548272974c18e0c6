// Part 5 · Authentication
import {
  breach,
  type Call,
  type Check,
  type CheckContext,
  check,
  creating,
  getting,
  listing,
  looksForInList,
  onAnimal,
  probeGaps,
} from '../src/petstore/index.ts';
import { soundBody } from '../src/petstore/inputs/body.ts';
import { lackingMembers, wrongMembers } from '../src/petstore/inputs/defects.ts';
import {
  inventedKeys,
  missingKeys,
  NO_KEY,
  nearMisses,
  otherCases,
  otherSchemes,
} from '../src/petstore/inputs/keys.ts';
import { otherMediaTypes } from '../src/petstore/inputs/open-bodies.ts';

type Credential = ReturnType<typeof missingKeys>[number];

type CallWith = (credential: Credential) => Call;

/** Calls of each operation that are sound but for their credential, in each form that the operation has. */
const OPERATIONS = {
  listPets: async () =>
    [{}, { limit: 5 }, { status: 'available' }, { limit: 5, status: 'sold' }].map(
      (query): CallWith =>
        (credential) =>
          listing(query, credential),
    ),
  createPet: async (context: CheckContext) =>
    [context.aPet('available'), context.aPet()].map((pet): CallWith => {
      const body = soundBody(pet);
      return (credential) => creating(body, credential);
    }),
  getPet: async (context: CheckContext) => {
    const id = await context.anAnimal();
    return [(credential: Credential) => getting(id, credential)];
  },
} satisfies Record<string, (context: CheckContext) => Promise<readonly CallWith[]>>;

/** One check for each operation: accepted with the right key, and refused with 401 with each of these instead. */
function refusedEverywhere(
  id: string,
  title: string,
  credentials: (key: string) => readonly Credential[],
): readonly Check[] {
  return Object.entries(OPERATIONS).map(([operation, prepare]) =>
    check(`${id}.${operation}`, `${operation}: ${title}`, async (context) => {
      const { service } = context;
      const calls = (await prepare(context)).map((call) => ({ call, control: call(service.right) }));
      const pairs = credentials(service.key).flatMap((credential) => calls.map((form) => ({ ...form, credential })));
      await context.each(pairs, async ({ call, control, credential }) => {
        await service.contrast(control, call(credential), 401);
      });
    }),
  );
}

export const authentication = [
  check('AUTH-1', 'the API key as the bearer token gives access', {
    always: ({ call, status }) => {
      if (!call.credential.right || status === undefined) return 'silent';
      return status === 401
        ? breach('key-refused', `${call.operation} refuses the right key`, 'access', '401')
        : 'holds';
    },
    provoke: async (context) => {
      const { service } = context;
      await service.list();
      await service.get(await context.anAnimal());
    },
  }),

  ...refusedEverywhere('AUTH-2', 'a request without a key is refused with 401', missingKeys),
  ...refusedEverywhere('AUTH-3', 'a request with an invalid key is refused with 401', inventedKeys),
  ...refusedEverywhere('AUTH-4', 'a key that is nearly the right one is refused with 401', nearMisses),
  ...refusedEverywhere('AUTH-5', 'the right key, not sent as a bearer token, is refused with 401', otherSchemes),

  check('AUTH-6', 'a connection on which a good key was sent gives no access without one', async (context) => {
    const { service } = context;
    const id = await context.anAnimal();
    const [wrong = NO_KEY] = inventedKeys(service.key);
    // On a connection that never saw the key, the same requests are refused.
    const controls = await service.sendOnOneConnection([listing({}, NO_KEY), getting(id, NO_KEY)]);
    for (const reply of controls) context.control(reply, 401, 'AUTH-2');
    const replies = await service.sendOnOneConnection([
      listing({}, service.right),
      listing({}, NO_KEY),
      getting(id, service.right),
      getting(id, NO_KEY),
      listing({}, service.right),
      getting(id, wrong),
      listing({}, wrong),
    ]);
    for (const reply of replies) {
      if (reply.call.credential.right)
        context.control(reply, 200, reply.call.operation === 'listPets' ? 'LIST-1' : 'GET-1');
      else service.expectStatus(reply, [401]);
    }
  }),

  check('AUTH-7', 'an animal that was sent without a valid key is not added', {
    phase: 'fresh',
    always: onAnimal((animal, _reply, known) => {
      const refusal = known.refusalOf(animal);
      if (refusal?.because !== 'key') return 'silent';
      const message = `an animal was added although its key was refused (id ${animal.id})`;
      return { ...breach('refused-but-stored', message, 'no such animal', 'the animal'), against: refusal.exchange };
    }),
    provoke: async (context) => {
      const { service } = context;
      await service.create(context.aPet('sold'));
      await context.each(
        [NO_KEY, ...inventedKeys(service.key).slice(0, 2), ...nearMisses(service.key).slice(0, 3)],
        async (credential) => {
          const refused = await service.tryCreate(soundBody(context.aPet('sold')), credential);
          context.control(refused, 401, 'AUTH-2 to AUTH-4');
        },
      );
      const after = await service.create(context.aPet('sold'));
      const sighting = await looksForInList(context, after, 'sold');
      if (sighting.kind !== 'shown') {
        context.inconclusive(
          'out-of-sight',
          'the list never showed an animal of ours, so it would not show what was added',
        );
      }
    },
  }),

  check('AUTH-7.all', 'nothing that was sent in this run without a valid key became an animal', {
    phase: 'quiet',
    provoke: async (context) => {
      await context.service.create(context.aPet('sold'));
      const probed = await probeGaps(context);
      if (probed === undefined) {
        context.inconclusive(
          'out-of-sight',
          'ids are not given in order, so animals that the list does not show cannot be found',
        );
      }
    },
  }),

  check('AUTH-8', 'the scheme in other letter cases is accepted, or refused with 401', async (context) => {
    const { service } = context;
    await service.list();
    context.control(await service.tryList({}, NO_KEY), 401, 'AUTH-2');
    await context.each(otherCases(service.key), async (credential) => {
      const reply = await service.tryList({}, credential);
      context.permits(reply, {
        200: 'accepts the scheme in other letter cases',
        401: 'refuses the scheme in other letter cases',
      });
    });
  }),

  check(
    'AUTH-9',
    'with no valid key and another fault, either error comes, and nothing is created',
    async (context) => {
      const { service } = context;
      const [wrong = NO_KEY] = inventedKeys(service.key);
      const bodies = [
        ...lackingMembers(context.aPet()).slice(0, 3),
        ...wrongMembers(context.aPet(), 'status').slice(-3),
      ];
      const nobody = 2n ** 61n + 7n;
      const id = await context.anAnimal();
      const sound = soundBody(context.aPet());
      for (const credential of [NO_KEY, wrong]) {
        context.control(await service.tryList({}, credential), 401, 'AUTH-2');
        context.control(await service.tryGet(id, credential), 401, 'AUTH-2');
        context.control(await service.tryCreate(sound, credential), 401, 'AUTH-2');
      }
      const faulty: readonly { readonly call: (credential: Credential) => Call; readonly other: readonly number[] }[] =
        [
          ...bodies.map((body) => ({ call: (credential: Credential) => creating(body, credential), other: [400] })),
          ...otherMediaTypes(context.aPet())
            .slice(0, 2)
            .map((body) => ({ call: (credential: Credential) => creating(body, credential), other: [400, 415] })),
          { call: (credential) => getting(nobody, credential), other: [404] },
          { call: (credential) => getting('abc', credential), other: [400, 404] },
          { call: (credential) => listing({ limit: 0 }, credential), other: [400] },
          { call: (credential) => listing({ limit: 'abc' }, credential), other: [400] },
          { call: (credential) => listing({ status: 'unknown' }, credential), other: [400] },
        ];
      await context.each(
        faulty.flatMap((row) => [NO_KEY, wrong].map((credential) => ({ ...row, credential }))),
        async ({ call, other, credential }) => {
          const reply = await service.send(call(credential));
          const readings = Object.fromEntries(other.map((status) => [status, `answers ${status} before 401`]));
          context.permits(reply, { ...readings, 401: 'answers 401 before any other error' });
        },
      );
    },
  ),

  check('AUTH-10', 'whether a 401 has a WWW-Authenticate header is recorded', async (context) => {
    const reply = await context.service.tryList({}, NO_KEY);
    context.control(reply, 401, 'AUTH-2');
    context.observe(
      reply.header('www-authenticate') === undefined
        ? 'sends no WWW-Authenticate with a 401'
        : 'sends WWW-Authenticate with a 401',
    );
  }),
];
