// Part 5 · Authentication
import {
  check,
  createPet,
  getPet,
  inTurn,
  type KeyCredential,
  type KeyRequirement,
  keys,
  LIMIT,
  listPets,
  type NewPet,
  type PetCall,
  type PetCheck,
  type PetReply,
  sideBySide,
  type Vocabulary,
  validBody,
} from '../src/petstore/index.ts';
import * as inputs from '../src/petstore/inputs/index.ts';
import * as rules from '../src/petstore/rules/index.ts';
import * as spaces from '../src/petstore/space/index.ts';

/** At most this many animals of the run are requested without a valid key. */
const MOST_OWN = 40;

/** How many requests without a valid key are the only ones in flight, and how many go on reused connections. */
const ALONE = 3;
const ON_USED_CONNECTIONS = 12;

/** Turns requests into calls, once the same operations have accepted the key. */
async function callsWithoutKey(
  { api, aPet, collection, controls }: Vocabulary,
  operations: readonly PetCall['operation'][],
  own: readonly bigint[] = [],
): Promise<(request: spaces.KeyRequest, circumstances?: spaces.Circumstances) => PetCall> {
  await Promise.all(operations.map(controls.accepts));
  const subjects = { id: operations.includes('getPet') ? await collection.anAnimal() : inputs.NOBODYS_ID, aPet, own };
  return ({ call, credential, form }, circumstances) =>
    spaces.callWith(call, spaces.credentialFor(credential, api.token), subjects, spaces.under(circumstances, form));
}

/** Sends every request without a valid key that belongs to this check. */
async function sendsWithoutKey(
  vocabulary: Vocabulary,
  operations: readonly PetCall['operation'][],
  judge: (call: PetCall) => Promise<void>,
): Promise<void> {
  const callOf = await callsWithoutKey(vocabulary, operations);
  await vocabulary.cover(
    spaces.KEY_REQUESTS,
    (request, circumstances: spaces.Circumstances | undefined) => judge(callOf(request, circumstances)),
    [spaces.NEW_CONNECTION, ...spaces.AT_ONE_MOMENT],
  );
}

/** Sends a call, and expects the answer to say something about the key; the rules judge it. */
const isJudged =
  ({ api }: Vocabulary) =>
  async (call: PetCall): Promise<void> =>
    api.mustSayMore(await api.send(call));

/** A request with the right key succeeds; any other is refused, whichever requirement says so. */
function obeysItsKey({ api }: Vocabulary, reply: PetReply): void {
  if (reply.call.credential.valid) api.precondition(reply);
  else api.expectPermitted(reply);
}

/** Reads are tried without a key early, while few other requests are in flight. */
const stageOf = (operation: PetCall['operation']) => (operation === 'createPet' ? 'growing' : 'first entries');

/** Calls of an operation that the request space does not have. */
type FurtherCalls = (vocabulary: Vocabulary, operation: PetCall['operation']) => readonly PetCall[];

/** One check for each operation: the right key is accepted, and each of these instead is refused with 401. */
function refusesEverywhere(
  requirement: KeyRequirement,
  title: string,
  furtherCalls: FurtherCalls = () => [],
): readonly PetCheck[] {
  return spaces.OPERATIONS.map((operation) =>
    check(`${requirement}.${operation}`, `${operation}: ${title}`, {
      stage: stageOf(operation),
      everyAnswer: rules.isAnswered(requirement, operation),
      covers: [keys([requirement], operation)],
      exercise: async (vocabulary) => {
        const judge = isJudged(vocabulary);
        await sendsWithoutKey(vocabulary, [operation], judge);
        await sideBySide(...furtherCalls(vocabulary, operation).map(judge));
      },
    }),
  );
}

/** The answer to a request of this operation with the right key. */
async function anAccepted(
  { api, collection }: Vocabulary,
  operation: PetCall['operation'],
): Promise<Pick<PetReply, 'exchange'>> {
  if (operation === 'createPet') return (await collection.anAnimalWith('available')).reply;
  return api.control(operation === 'listPets' ? listPets({}, api.key) : getPet(await collection.anAnimal(), api.key));
}

/** As {@link refusesEverywhere}, with no key at all, and with signs that a service might trust instead. */
function refusesWithoutKey(title: string): readonly PetCheck[] {
  return spaces.OPERATIONS.map((operation, nth) =>
    check(`AUTH-2.${operation}`, `${operation}: ${title}`, {
      stage: stageOf(operation),
      everyAnswer: rules.isAnswered('AUTH-2', operation),
      covers: [keys(['AUTH-2'], operation)],
      exercise: async (vocabulary) => {
        const { collection, aPet, forEach, draw } = vocabulary;
        const judge = isJudged(vocabulary);
        await sendsWithoutKey(vocabulary, [operation], judge);
        if (operation === 'createPet')
          await judge(spaces.callWith(spaces.CREATING_WITH_CHARSET, inputs.NO_KEY, { id: inputs.NOBODYS_ID, aPet }));
        const own = operation === 'getPet' ? await collection.anAnimal() : inputs.NOBODYS_ID;
        const subjects = { id: collection.model.oneOfOthers ?? own, aPet };
        const signs = spaces.FORMS_OF_TRUST.filter((_, at) => at % spaces.OPERATIONS.length === nth);
        await forEach(inTurn(signs, draw(spaces.anyCallOf(operation), signs.length)), ([form, call]) =>
          judge(spaces.callWith(call, inputs.NO_KEY, subjects, form)),
        );
        const cookies = inputs.cookiesSetBy((await anAccepted(vocabulary, operation)).exchange);
        if (cookies === undefined) return;
        await forEach(draw(spaces.anyCallOf(operation), 1), (call) => judge(spaces.callWith(call, cookies, subjects)));
      },
    }),
  );
}

export const authentication = [
  check('AUTH-1', 'the API key as the bearer token gives access', {
    everyAnswer: rules.givesAccess,
    exercise: async ({ api, collection }) => {
      await api.list();
      await api.get(await collection.anAnimal());
    },
  }),

  ...refusesWithoutKey('a request without a key is refused with 401'),
  ...refusesEverywhere('AUTH-3', 'a request with an invalid key is refused with 401'),
  ...refusesEverywhere(
    'AUTH-4',
    'a key that is nearly the right one is refused with 401',
    ({ api, aPet }, operation) => {
      if (operation === 'listPets')
        return inputs.revealingNearMisses(api.token).map((credential) => listPets({}, credential));
      if (operation === 'getPet') return [];
      return inputs
        .inOtherCases(api.token)
        .slice(0, 1)
        .map((credential) => createPet(validBody(aPet('sold')), credential));
    },
  ),
  ...refusesEverywhere(
    'AUTH-5',
    'the right key, not sent as a bearer token, is refused with 401',
    ({ api, aPet }, operation) =>
      operation === 'createPet' ? [createPet(inputs.withTheKey(aPet('sold'), api.token), inputs.KEY_IN_BODY)] : [],
  ),

  check('AUTH-3.alone', 'a request without a valid key is refused when nothing else is in flight', {
    stage: 'alone',
    exercise: async (vocabulary) => {
      const { api, collection, draw, forEach } = vocabulary;
      const own = collection.someOfItsOwn(MOST_OWN).map(({ id }) => id);
      const callOf = await callsWithoutKey(vocabulary, spaces.OPERATIONS, own);
      await forEach(draw(spaces.anyOf(spaces.KEY_REQUESTS), ALONE), async (request) => {
        await api.send(callOf(request, spaces.ALONE));
      });
    },
  }),

  check('AUTH-3.repeated', 'a key that was refused is refused every time, and refuses no other', {
    exercise: async (vocabulary) => {
      const { api, aPet } = vocabulary;
      // No earlier request for this animal was answered.
      const { id } = await api.create(aPet('available'));
      const wrongKey = inputs.oneInventedKey(api.token);
      for (const credential of [wrongKey, api.key, wrongKey, api.key, inputs.NO_KEY, wrongKey]) {
        obeysItsKey(vocabulary, await api.send(getPet(id, credential)));
      }
    },
  }),

  check('AUTH-6', 'a connection on which a good key was sent gives no access without one', {
    exercise: async (vocabulary) => {
      const { api, collection } = vocabulary;
      const id = await collection.anAnimal();
      const wrongKey = inputs.oneInventedKey(api.token);
      // On a connection that has never carried the key, the same requests are refused.
      const fresh = api.sendOnOneConnection([listPets({}, inputs.NO_KEY), getPet(id, inputs.NO_KEY)]);
      const aLongPage = { limit: LIMIT.maximum - 1 };
      const used = api.sendOnOneConnection([
        listPets(aLongPage, api.key),
        listPets({}, inputs.NO_KEY),
        getPet(id, api.key),
        getPet(id, inputs.NO_KEY),
        getPet(id, wrongKey),
        listPets(aLongPage, wrongKey),
        // The last request asks to close the connection; a long answer must not be cut by that.
        listPets({ limit: LIMIT.maximum }, api.key),
      ]);
      await sideBySide(fresh, used);
      for (const reply of await fresh) api.precondition(reply);
      for (const reply of await used) obeysItsKey(vocabulary, reply);
    },
  }),

  check('AUTH-6.keys', 'an invalid key is refused on connections that were used before, by a good key or a refusal', {
    exercise: async (vocabulary) => {
      const { api, draw, forEach } = vocabulary;
      const callOf = await callsWithoutKey(vocabulary, spaces.OPERATIONS);
      const requests = draw(spaces.anyOf(spaces.KEY_REQUESTS), ON_USED_CONNECTIONS);
      const connections = [spaces.AFTER_A_GOOD_KEY, spaces.AFTER_A_REFUSAL];
      await forEach(inTurn(requests, connections), async ([request, connection]) => {
        await api.send(callOf(request, connection));
      });
    },
  }),

  check('AUTH-6.createPet', 'a connection on which a good key was sent adds no animal without one', {
    exercise: async (vocabulary) => {
      const { api, aPet } = vocabulary;
      const replies = await api.sendOnOneConnection([
        createPet(validBody(aPet('available')), inputs.NO_KEY),
        createPet(validBody(aPet('available')), api.key),
        createPet(validBody(aPet('available')), inputs.NO_KEY),
        createPet(validBody(aPet()), inputs.oneInventedKey(api.token)),
      ]);
      for (const reply of replies) obeysItsKey(vocabulary, reply);
    },
  }),

  check('AUTH-6.together', 'a good key gives no access to what is sent at the same moment without one', {
    exercise: async (vocabulary) => {
      const { api, collection, forEach } = vocabulary;
      const id = await collection.anAnimal();
      const moments = [inputs.NO_KEY, inputs.oneInventedKey(api.token)].map((wrongKey) =>
        [api.key, wrongKey].flatMap((key) => [listPets({ limit: 1 }, key), getPet(id, key)]),
      );
      await forEach(moments, async (calls) => {
        for (const reply of await api.sendAtOneMoment(calls)) obeysItsKey(vocabulary, reply);
      });
    },
  }),

  check('AUTH-7', 'an animal that was sent without a valid key is not added', {
    stage: 'first entries',
    everyAnswer: rules.isNotOfARefused('key'),
    exercise: async ({ api, collection, aPet, forEach, expect, pages }) => {
      const { id, reply: added } = await collection.anAnimalWith('sold');
      const changesNothing = forEach(inputs.clientIds(() => aPet('pending'), id).slice(0, 1), async (body) => {
        expect(
          rules.isUnchangedByWhatWasRefused,
          added,
          await api.send(createPet(body, inputs.NO_KEY)),
          await api.get(id),
        );
      });
      const refused: NewPet[] = [];
      const credentials = inputs.requirementsInTurn(inputs.oneOfEveryKind(api.token).filter((_, at) => at % 2 === 0));
      const leavesNothing = forEach(credentials, async (credential) => {
        const pet = aPet('sold');
        refused.push(pet);
        api.precondition(await api.send(createPet(validBody(pet), credential)));
      }).then(() => pages.addAndLookFor(...refused.slice(0, 1)));
      await sideBySide(changesNothing, leavesNothing);
    },
  }),

  check('AUTH-7.all', 'nothing that was sent in this run without a valid key became an animal', {
    stage: 'aged',
    looksBack: true,
    exercise: async ({ collection, pages }) => {
      await collection.aged();
      await pages.getUnusedIds();
    },
  }),

  check(
    'AUTH-8',
    'the scheme in other letter cases, or other blanks around the key, are accepted or refused with 401',
    {
      everyAnswer: rules.isAnswered('AUTH-8'),
      covers: [keys(['AUTH-8'])],
      exercise: async (vocabulary) => {
        const { api, permits } = vocabulary;
        api.precondition(await api.send(listPets({}, inputs.NO_KEY)));
        await sendsWithoutKey(vocabulary, spaces.OPERATIONS, async (call) => {
          permits(await api.send(call), (status) => (status < 300 ? 'accepts' : 'refuses'), call.credential.name);
        });
      },
    },
  ),

  check('AUTH-9', 'with no valid key and another fault, either error comes, and nothing is created', {
    everyAnswer: rules.isAnswered('AUTH-9'),
    exercise: async ({ api, collection, aPet, forEach, permits }) => {
      const id = await collection.anAnimal();
      const credentials = [inputs.NO_KEY, inputs.oneInventedKey(api.token)];
      const faults: readonly ((key: KeyCredential) => PetCall)[] = [
        (key) => createPet(inputs.missing(aPet(), 'name'), key),
        (key) => createPet(inputs.missing(aPet(), 'categoryId'), key),
        (key) => createPet(inputs.missing(aPet(), 'name', 'categoryId'), key),
        ...WRONG_STATUSES.map((json) => (key: KeyCredential) => createPet(inputs.wrong(aPet(), 'status', json), key)),
        (key) => createPet(inputs.defective(aPet(), 'the closing brace is missing'), key),
        ...[undefined, 'text/plain'].map((type) => (key: KeyCredential) => createPet(inputs.sentAs(aPet(), type), key)),
        (key) => getPet(inputs.NOBODYS_ID, key),
        (key) => getPet('abc', key),
        (key) => listPets({ limit: 0 }, key),
        (key) => listPets({ limit: 'abc' }, key),
        (key) => listPets({ status: 'unknown' }, key),
      ];
      const twoFaults = faults.flatMap((call, at) =>
        credentials.slice(at % 2, (at % 2) + 1).map((credential) => ({ call, credential })),
      );
      await forEach(twoFaults, async ({ call, credential }) => {
        const reply = await api.send(call(credential));
        permits(
          reply,
          (status) => `answers ${status} before ${status === 401 ? 'any other error' : 401} to`,
          reply.call.operation,
        );
      });
      for (const credential of credentials) {
        for (const call of [
          listPets({}, credential),
          getPet(id, credential),
          createPet(validBody(aPet()), credential),
        ]) {
          api.precondition(await api.send(call));
        }
      }
    },
  }),

  check('AUTH-10', 'whether a 401 has a WWW-Authenticate header is recorded', {
    stage: 'initial',
    exercise: async ({ api, observe }) => {
      const reply = await api.send(listPets({}, inputs.NO_KEY));
      api.precondition(reply);
      const sent = reply.header('www-authenticate') === undefined ? 'no WWW-Authenticate' : 'WWW-Authenticate';
      observe(`sends ${sent} with a 401`, undefined, reply);
    },
  }),
];

/** As JSON: a number in quotes, another letter case, and a word that only looks like one of the three. */
const WRONG_STATUSES = ['"0"', '"Sold"', '"\u0455old"'];
