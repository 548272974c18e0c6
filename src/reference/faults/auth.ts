import { bearerToken, sameKey } from '../authentication.ts';
import { changeResponse, errorResponse, fault, jsonResponse, onEveryNth, override, responsesWith } from '../changes.ts';
import { ApiError } from '../errors.ts';
import type { Fault } from '../steps.ts';
import {
  acceptingKeys,
  addingAnyway,
  alsoAccepting,
  authorization,
  invalidKey,
  isKeyless,
  OPERATIONS,
  PET_JSON,
  refusingWith,
  rememberingConnections,
  respondingAlways,
} from './builders.ts';

/** Part 5, authentication. */
export const authFaults: readonly Fault[] = [
  ...OPERATIONS.map((operation) =>
    fault(
      `good-key-refused-by-${operation.toLowerCase()}`,
      'AUTH-1',
      `${operation} refuses every key.`,
      override('authenticate', (original) => (call) => {
        original(call);
        if (call.operation === operation) throw invalidKey();
      }),
    ),
  ),
  fault(
    'good-key-refused-after-a-bad-one',
    'AUTH-1',
    'The request after an invalid key is refused as well.',
    (steps) => {
      let locked = false;
      return override('authenticate', (original) => (call) => {
        const wasLocked = locked;
        locked = true;
        original(call);
        locked = false;
        if (wasLocked) throw new ApiError(401, 'unauthorized', 'The API key is locked.');
      })(steps);
    },
  ),
  fault(
    'always-401',
    'AUTH-1',
    'Every request is answered with 401.',
    respondingAlways(() => errorResponse(401)),
  ),

  ...OPERATIONS.map((operation) =>
    fault(
      `no-key-needed-by-${operation.toLowerCase()}`,
      'AUTH-2',
      `${operation} works without an Authorization header.`,
      alsoAccepting((call) => call.operation === operation && authorization(call) === ''),
    ),
  ),
  fault(
    'empty-key-accepted',
    'AUTH-2',
    'The scheme `Bearer` with no key after it is accepted.',
    alsoAccepting((call) => /^bearer *$/i.test(authorization(call))),
  ),
  fault(
    'no-key-needed-for-filtered-lists',
    'AUTH-2',
    'A list with a status filter needs no key.',
    alsoAccepting((call) => call.operation === 'listPets' && call.query.has('status') && isKeyless(call)),
  ),
  fault('keyless-answered-403', 'AUTH-2', 'A missing key is answered with 403.', refusingWith(403, isKeyless)),
  fault(
    'keyless-getpet-answered-404',
    'AUTH-2',
    'getPet answers 404 for every animal when the key is missing.',
    refusingWith(404, (call) => call.operation === 'getPet' && isKeyless(call)),
  ),
  fault(
    'one-in-4-keyless-let-in',
    'AUTH-2',
    'One request in four without a key is accepted.',
    onEveryNth(4, (isDue) =>
      override('authenticate', (original) => (call) => {
        if (call.header('authorization') === undefined && isDue()) return;
        original(call);
      }),
    ),
  ),
  fault(
    'always-200',
    'AUTH-2',
    'Every request is answered with 200: a list for listPets, an animal for the others.',
    respondingAlways((call) => jsonResponse(200, call.operation === 'listPets' ? `[${PET_JSON}]` : PET_JSON)),
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
    'Anything after `bearer` in lower case is accepted.',
    alsoAccepting((call) => authorization(call).startsWith('bearer ')),
  ),
  fault(
    'any-key-opens-after-two-blanks',
    'AUTH-3',
    'Of `Bearer`, two blanks and any key, the empty word between the blanks is looked up, and found not to be wrong.',
    alsoAccepting((call) => /^Bearer {2,}\S/.test(authorization(call))),
  ),
  fault(
    'key-pasted-into-sql',
    'AUTH-3',
    "The key is pasted into the SQL that looks it up, so that `' OR '1'='1` is accepted.",
    alsoAccepting((call) => /'\s*or\s.*=/i.test(authorization(call))),
  ),
  fault(
    'refused-key-answered-200',
    'AUTH-3',
    'A refused key is answered with status 200 and an Error body.',
    changeResponse(responsesWith(401), (response) => ({ ...response, status: 200 })),
  ),
  fault(
    'invalid-key-answered-403',
    'AUTH-3',
    'An invalid key is answered with 403, a missing one with 401.',
    refusingWith(403, (call) => !isKeyless(call)),
  ),
  fault(
    'bad-key-let-in-at-every-tenth-try',
    'AUTH-3',
    'Every tenth invalid key is accepted.',
    onEveryNth(10, (isDue) =>
      alsoAccepting((call) => {
        const key = bearerToken(call);
        return key !== undefined && !sameKey(key, call.service.token) && isDue();
      }),
    ),
  ),

  fault(
    'prefix-of-key-accepted',
    'AUTH-4',
    'Any prefix of the key is accepted.',
    acceptingKeys((given, right) => given !== '' && right.startsWith(given)),
  ),
  fault(
    'key-with-suffix-accepted',
    'AUTH-4',
    'The key with anything after it is accepted.',
    acceptingKeys((given, right) => given.startsWith(right)),
  ),
  fault(
    'key-in-any-letter-case',
    'AUTH-4',
    'The key is compared case-insensitively.',
    acceptingKeys((given, right) => given.toLowerCase() === right.toLowerCase()),
  ),
  fault(
    'last-letter-of-key-unread',
    'AUTH-4',
    'The last character of the key is not compared.',
    acceptingKeys((given, right) => given.length === right.length && given.slice(0, -1) === right.slice(0, -1)),
  ),

  fault(
    'key-anywhere-in-header',
    'AUTH-5',
    'Any header that contains the key is accepted.',
    alsoAccepting((call) => authorization(call).includes(call.service.token)),
  ),
  fault(
    'key-under-basic-accepted',
    'AUTH-5',
    'The key is accepted under the scheme Basic too.',
    alsoAccepting((call) => authorization(call) === `Basic ${call.service.token}`),
  ),
  fault(
    'bare-key-accepted',
    'AUTH-5',
    'The key is accepted without a scheme.',
    alsoAccepting((call) => authorization(call) === call.service.token),
  ),
  fault(
    'key-in-query-accepted',
    'AUTH-5',
    'The key is accepted as a query parameter.',
    alsoAccepting((call) => [...call.query.values()].includes(call.service.token)),
  ),
  fault(
    'key-in-x-api-key-accepted',
    'AUTH-5',
    'The key is accepted in X-API-Key.',
    alsoAccepting((call) => call.header('x-api-key') === call.service.token),
  ),

  fault(
    'connection-remembered',
    'AUTH-6',
    'Once a valid key was sent on a connection, later requests on it need none.',
    rememberingConnections(() => true),
  ),
  fault(
    'connection-remembered-by-getpet',
    'AUTH-6',
    'getPet needs no key on a connection on which a valid key was sent.',
    rememberingConnections((call) => call.operation === 'getPet' && isKeyless(call)),
  ),

  fault(
    'keyless-animal-added',
    'AUTH-7',
    'A createPet without a key is answered with 401, but the animal is added.',
    addingAnyway(isKeyless),
  ),
];
