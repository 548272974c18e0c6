// Part 5 · Authentication
import {
  type Credential,
  check,
  createPet,
  getPet,
  inventedKeys,
  listPets,
  missing,
  missingKeys,
  NO_KEY,
  NOBODYS_ID,
  nearMisses,
  oneInventedKey,
  otherCases,
  otherSchemes,
  type PetCall,
  type PetCheck,
  sentAs,
  someWrongKeys,
  type Vocabulary,
  validBody,
  wrong,
} from '../src/petstore/index.ts';
import { isNotOfARefused } from '../src/petstore/rules/animals.ts';
import { givesAccess } from '../src/petstore/rules/responses.ts';

type CallWith = (credential: Credential) => PetCall;

/** Calls of each operation that must succeed but for their credential, in each form that the operation has. */
const CALLS: Readonly<Record<PetCall['operation'], (vocabulary: Vocabulary) => Promise<readonly CallWith[]>>> = {
  listPets: async () =>
    [{}, { limit: 5 }, { status: 'available' }, { limit: 5, status: 'sold' }].map(
      (query) => (credential) => listPets(query, credential),
    ),
  createPet: async ({ aPet }) =>
    [validBody(aPet('available')), validBody(aPet())].map((body) => (credential) => createPet(body, credential)),
  getPet: async ({ collection }) => {
    const id = await collection.anAnimal();
    return [(credential) => getPet(id, credential)];
  },
};

/** One check for each operation: accepted with the right key, and refused with 401 with each of these instead. */
function refusesEverywhere(
  requirement: string,
  title: string,
  credentials: (token: string) => readonly Credential[],
): readonly PetCheck[] {
  return Object.entries(CALLS).map(([operation, calls]) =>
    check(`${requirement}.${operation}`, `${operation}: ${title}`, {
      exercise: async (vocabulary) => {
        const { api, forEach } = vocabulary;
        const forms = await calls(vocabulary);
        await forEach(
          credentials(api.token).flatMap((credential) => forms.map((form) => form(credential))),
          (call) => api.refuses(call, 401),
        );
      },
    }),
  );
}

export const authentication = [
  check('AUTH-1', 'the API key as the bearer token gives access', {
    everyAnswer: givesAccess,
    exercise: async ({ api, collection }) => {
      await api.list();
      await api.get(await collection.anAnimal());
    },
  }),

  ...refusesEverywhere('AUTH-2', 'a request without a key is refused with 401', missingKeys),
  ...refusesEverywhere('AUTH-3', 'a request with an invalid key is refused with 401', inventedKeys),
  ...refusesEverywhere('AUTH-4', 'a key that is nearly the right one is refused with 401', nearMisses),
  ...refusesEverywhere('AUTH-5', 'the right key, not sent as a bearer token, is refused with 401', otherSchemes),

  check('AUTH-6', 'a connection on which a good key was sent gives no access without one', {
    exercise: async ({ api, collection }) => {
      const id = await collection.anAnimal();
      const wrongKey = oneInventedKey(api.token);
      // On a connection that never saw the key, the same requests are refused.
      const fresh = await api.sendOnOneConnection([listPets({}, NO_KEY), getPet(id, NO_KEY)]);
      for (const reply of fresh) api.precondition(reply, 401, 'AUTH-2');
      const replies = await api.sendOnOneConnection([
        listPets({}, api.key),
        listPets({}, NO_KEY),
        getPet(id, api.key),
        getPet(id, NO_KEY),
        listPets({}, api.key),
        getPet(id, wrongKey),
        listPets({}, wrongKey),
      ]);
      for (const reply of replies) {
        const { credential, operation } = reply.call;
        if (credential.valid) api.precondition(reply, 200, operation === 'listPets' ? 'LIST-1' : 'GET-1');
        else api.expectStatus(reply, [401]);
      }
    },
  }),

  check('AUTH-7', 'an animal that was sent without a valid key is not added', {
    phase: 'fresh',
    everyAnswer: isNotOfARefused('key'),
    exercise: async ({ api, collection, aPet, forEach }) => {
      await api.create(aPet('sold'));
      await forEach(someWrongKeys(api.token), async (credential) => {
        const refused = await api.send(createPet(validBody(aPet('sold')), credential));
        api.precondition(refused, 401, 'AUTH-2 to AUTH-4');
      });
      await collection.showsWhatIsAddedNext('sold');
    },
  }),

  check('AUTH-7.all', 'nothing that was sent in this run without a valid key became an animal', {
    phase: 'quiet',
    exercise: async ({ api, collection, aPet }) => {
      await api.create(aPet('sold'));
      await collection.fetchUnusedIds();
    },
  }),

  check('AUTH-8', 'the scheme in other letter cases is accepted, or refused with 401', {
    exercise: async ({ api, forEach, permits }) => {
      await api.list();
      api.precondition(await api.send(listPets({}, NO_KEY)), 401, 'AUTH-2');
      await forEach(otherCases(api.token), async (credential) => {
        permits(await api.send(listPets({}, credential)), {
          200: 'accepts the scheme in other letter cases',
          401: 'refuses the scheme in other letter cases',
        });
      });
    },
  }),

  check('AUTH-9', 'with no valid key and another fault, either error comes, and nothing is created', {
    exercise: async ({ api, collection, aPet, forEach, permits }) => {
      const id = await collection.anAnimal();
      const credentials = [NO_KEY, oneInventedKey(api.token)];
      for (const credential of credentials) {
        for (const call of [
          listPets({}, credential),
          getPet(id, credential),
          createPet(validBody(aPet()), credential),
        ]) {
          api.precondition(await api.send(call), 401, 'AUTH-2');
        }
      }
      const bodies = [
        missing(aPet(), 'name'),
        missing(aPet(), 'categoryId'),
        missing(aPet(), 'name', 'categoryId'),
        wrong(aPet(), 'status', '"0"'),
        wrong(aPet(), 'status', '"none"'),
        wrong(aPet(), 'status', '"Sold"'),
      ];
      const mediaTypes = [sentAs(aPet(), undefined), sentAs(aPet(), 'text/plain')];
      const faults: readonly { readonly call: CallWith; readonly otherwise: readonly number[] }[] = [
        ...bodies.map((body) => ({ call: (key: Credential) => createPet(body, key), otherwise: [400] })),
        ...mediaTypes.map((body) => ({ call: (key: Credential) => createPet(body, key), otherwise: [400, 415] })),
        { call: (key) => getPet(NOBODYS_ID, key), otherwise: [404] },
        { call: (key) => getPet('abc', key), otherwise: [400, 404] },
        { call: (key) => listPets({ limit: 0 }, key), otherwise: [400] },
        { call: (key) => listPets({ limit: 'abc' }, key), otherwise: [400] },
        { call: (key) => listPets({ status: 'unknown' }, key), otherwise: [400] },
      ];
      const twoFaults = faults.flatMap((fault) => credentials.map((credential) => ({ ...fault, credential })));
      await forEach(twoFaults, async ({ call, otherwise, credential }) => {
        const readings = Object.fromEntries(otherwise.map((status) => [status, `answers ${status} before 401`]));
        permits(await api.send(call(credential)), { ...readings, 401: 'answers 401 before any other error' });
      });
    },
  }),

  check('AUTH-10', 'whether a 401 has a WWW-Authenticate header is recorded', {
    exercise: async ({ api, observe }) => {
      const reply = await api.send(listPets({}, NO_KEY));
      api.precondition(reply, 401, 'AUTH-2');
      observe(`sends ${reply.header('www-authenticate') === undefined ? 'no ' : ''}WWW-Authenticate with a 401`);
    },
  }),
];
