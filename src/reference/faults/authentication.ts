import { bearerToken, sameKey } from '../authentication.ts';
import { answering, answersWith, changing, errorAnswer, everyNth, fault } from '../changing.ts';
import { Refusal } from '../errors.ts';
import type { Call, Fault, Operation, Steps } from '../steps.ts';

const OPERATIONS: readonly Operation[] = ['listPets', 'createPet', 'getPet'];

/** Also lets in what the usual check refuses. */
const alsoAccepting = (accepts: (call: Call) => boolean) =>
  changing('authenticate', (usual) => (call) => {
    if (!accepts(call)) usual(call);
  });

/** Lets in keys that are close to the right one. */
const acceptingKeys = (accepts: (given: string, right: string) => boolean) =>
  alsoAccepting((call) => accepts(bearerToken(call) ?? '', call.shop.token));

const authorization = (call: Call): string => call.header('authorization') ?? '';
const isKeyless = (call: Call): boolean => bearerToken(call) === undefined;

/** Answers a refused key with another status. */
const refusingWith = (status: number, which: (call: Call) => boolean) =>
  answering(
    (answer, call) => answer.status === 401 && which(call),
    () => errorAnswer(status),
  );

/** Adds the animal although the key was refused. */
const addingAllTheSame = (which: (call: Call) => boolean) =>
  changing('perform', (usual) => async (call) => {
    try {
      return await usual(call);
    } catch (thrown) {
      if (call.operation === 'createPet' && thrown instanceof Refusal && thrown.status === 401 && which(call)) {
        await call.shop.steps.createPet(call);
      }
      throw thrown;
    }
  });

/** Lets in whoever comes from where a good key once came. */
const remembering = (whence: (call: Call) => unknown) => (steps: Steps) => {
  const known = new Set<unknown>();
  return changing('authenticate', (usual) => (call) => {
    if (known.has(whence(call))) return;
    usual(call);
    known.add(whence(call));
  })(steps);
};

export const authenticationFaults: readonly Fault[] = [
  ...OPERATIONS.map((operation) =>
    fault(
      `no-key-needed-by-${operation.toLowerCase()}`,
      'AUTH-2',
      `${operation} works without an Authorization header.`,
      alsoAccepting((call) => call.operation === operation && authorization(call) === ''),
    ),
  ),
  ...OPERATIONS.map((operation) =>
    fault(
      `any-key-opens-${operation.toLowerCase()}`,
      'AUTH-3',
      `${operation} asks for a bearer token but never looks at it.`,
      alsoAccepting((call) => call.operation === operation && bearerToken(call) !== undefined),
    ),
  ),
  fault(
    'any-key-opens-after-lower-case-scheme',
    'AUTH-3',
    'Whatever follows `bearer` in small letters is let in.',
    alsoAccepting((call) => authorization(call).startsWith('bearer ')),
  ),
  fault(
    'empty-key-accepted',
    'AUTH-2',
    'A bearer scheme with nothing after it is let in.',
    alsoAccepting((call) => /^bearer *$/i.test(authorization(call))),
  ),
  fault(
    'no-key-needed-for-filtered-lists',
    'AUTH-2',
    'A list with the status filter needs no key.',
    alsoAccepting((call) => call.operation === 'listPets' && call.query.has('status') && isKeyless(call)),
  ),
  fault('keyless-answered-403', 'AUTH-2', 'A missing key is answered with 403.', refusingWith(403, isKeyless)),
  fault(
    'keyless-getpet-answered-404',
    'AUTH-2',
    'getPet hides every animal behind a 404 when the key is missing.',
    refusingWith(404, (call) => call.operation === 'getPet' && isKeyless(call)),
  ),
  fault(
    'refused-key-answered-200',
    'AUTH-3',
    'A refused key is answered with status 200 and an Error body.',
    answering(answersWith(401), (answer) => ({ ...answer, status: 200 })),
  ),
  fault(
    'invalid-key-answered-403',
    'AUTH-3',
    'An invalid key is answered with 403, a missing one with 401.',
    refusingWith(403, (call) => !isKeyless(call)),
  ),
  fault(
    'prefix-of-key-accepted',
    'AUTH-4',
    'A beginning of the key opens as the whole does.',
    acceptingKeys((given, right) => given !== '' && right.startsWith(given)),
  ),
  fault(
    'key-with-suffix-accepted',
    'AUTH-4',
    'Anything may follow the key.',
    acceptingKeys((given, right) => given.startsWith(right)),
  ),
  fault(
    'key-in-any-letter-case',
    'AUTH-4',
    'The key is compared without regard to letter case.',
    acceptingKeys((given, right) => given.toLowerCase() === right.toLowerCase()),
  ),
  fault(
    'last-letter-of-key-unread',
    'AUTH-4',
    'The comparison stops one letter short.',
    acceptingKeys((given, right) => given.length === right.length && given.slice(0, -1) === right.slice(0, -1)),
  ),
  fault(
    'key-anywhere-in-header',
    'AUTH-5',
    'The header is only searched for the key.',
    alsoAccepting((call) => authorization(call).includes(call.shop.token)),
  ),
  fault(
    'key-under-basic-accepted',
    'AUTH-5',
    'The key is accepted under the scheme Basic too.',
    alsoAccepting((call) => authorization(call) === `Basic ${call.shop.token}`),
  ),
  fault(
    'bare-key-accepted',
    'AUTH-5',
    'The key is accepted without a scheme.',
    alsoAccepting((call) => authorization(call) === call.shop.token),
  ),
  fault(
    'key-in-query-accepted',
    'AUTH-5',
    'The key is accepted as a query parameter.',
    alsoAccepting((call) => [...call.query.values()].includes(call.shop.token)),
  ),
  fault(
    'key-in-x-api-key-accepted',
    'AUTH-5',
    'The key is accepted in X-API-Key.',
    alsoAccepting((call) => call.header('x-api-key') === call.shop.token),
  ),
  fault(
    'connection-remembered',
    'AUTH-6',
    'Once a good key was sent on a connection, it needs none any more.',
    remembering((call) => call.incoming.socket),
  ),
  fault(
    'connection-remembered-by-getpet',
    'AUTH-6',
    'getPet needs no key on a connection on which a good key was sent.',
    (steps) => {
      const known = new WeakSet<object>();
      return changing('authenticate', (usual) => (call) => {
        if (call.operation === 'getPet' && isKeyless(call) && known.has(call.incoming.socket)) return;
        usual(call);
        known.add(call.incoming.socket);
      })(steps);
    },
  ),
  fault(
    'keyless-animal-added',
    'AUTH-7',
    'A createPet without a key is answered with 401, but the animal is added.',
    addingAllTheSame(isKeyless),
  ),
  fault(
    'invalid-key-animal-added',
    'AUTH-7',
    'A createPet with an invalid key is answered with 401, but the animal is added.',
    addingAllTheSame((call) => !isKeyless(call)),
  ),
  ...OPERATIONS.map((operation) =>
    fault(
      `good-key-refused-by-${operation.toLowerCase()}`,
      'AUTH-1',
      `${operation} refuses every key.`,
      changing('authenticate', (usual) => (call) => {
        usual(call);
        if (call.operation === operation) throw new Refusal(401, 'unauthorized', 'The API key is not valid.');
      }),
    ),
  ),
  fault(
    'good-key-refused-after-a-bad-one',
    'AUTH-1',
    'The request after a refused one is refused as well.',
    (steps) => {
      let locked = false;
      return changing('authenticate', (usual) => (call) => {
        const wasLocked = locked;
        locked = true;
        usual(call);
        locked = false;
        if (wasLocked) throw new Refusal(401, 'unauthorized', 'The API key is locked.');
      })(steps);
    },
  ),
  fault('bad-key-let-in-at-every-tenth-try', 'AUTH-3', 'Every tenth invalid key is let in.', (steps) => {
    const due = everyNth(10);
    return alsoAccepting((call) => {
      const key = bearerToken(call);
      return key !== undefined && !sameKey(key, call.shop.token) && due();
    })(steps);
  }),
];
