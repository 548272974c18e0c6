import { bearerToken, sameKey } from '../authentication.ts';
import { changeResponse, combine, errorResponse, fault, isSuccess, onEveryNth, override } from '../changes.ts';
import { isObject } from '../json.ts';
import type { Call, Fault, Operation, Steps } from '../steps.ts';
import {
  acceptingKeys,
  addingAnyway,
  alsoAccepting,
  authorization,
  crash,
  invalidKey,
  isKeyless,
  lateBy,
  leavingOutAdded,
  overlapping,
  refusingWith,
  rememberingConnections,
} from './builders.ts';

/** Accepts some values of the whole Authorization header; each is compared without blanks at its ends. */
const acceptingHeaders = (accepts: (header: string, key: string) => boolean) =>
  alsoAccepting((call) => accepts(authorization(call).trim(), call.service.token));

const onlyFor =
  (operation: Operation, which: (call: Call) => boolean) =>
  (call: Call): boolean =>
    call.operation === operation && which(call);

const isRight = (call: Call): boolean => sameKey(bearerToken(call) ?? '', call.service.token);
const isBad = (call: Call): boolean => !isKeyless(call) && !isRight(call);
const keyOf = (call: Call): string => bearerToken(call) ?? '';

/** Refuses the right key in some requests. */
const refusingRightKey = (refuses: (call: Call) => boolean) =>
  override('authenticate', (original) => (call) => {
    original(call);
    if (refuses(call)) throw invalidKey();
  });

/** The name of the header with the key, in the letters in which it was sent. */
const headerAsSent = ({ incoming }: Call): string | undefined =>
  incoming.rawHeaders.find((text, place) => place % 2 === 0 && text.toLowerCase() === 'authorization');

/** The user and the password of the scheme Basic. */
const basic = (call: Call): readonly string[] => {
  const encoded = /^basic +(\S+)$/i.exec(authorization(call))?.[1] ?? '';
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [user, password.join(':')];
};

/** Whether two texts of the same length are equal but for some places, from 0 to 1. */
const equalBut =
  (unread: (place: number) => boolean) =>
  (given: string, right: string): boolean =>
    given.length === right.length &&
    [...right].every((letter, place) => letter === given[place] || unread(place / right.length));

const squeezed = (text: string): string => text.replaceAll(/(.)\1+/g, '$1');
const sorted = (text: string): string => [...text].toSorted().join('');

/** Calls `then` whenever the right key was accepted, and accepts some requests whatever their key. */
const acceptingAfterRightKey = (then: (call: Call) => void, accepts: (call: Call) => boolean) =>
  override('authenticate', (original) => (call) => {
    if (accepts(call)) return;
    original(call);
    then(call);
  });

/** Reads the body of a createPet without a key, before that is refused; undefined stands for a body that is not JSON. */
const readingKeylessBodies = (then: (body: unknown, call: Call) => void) =>
  override('perform', (original) => async (call) => {
    const { steps } = call.service;
    if (call.operation === 'createPet' && isKeyless(call)) then(parsed(await steps.readBody(call), call), call);
    return original(call);
  });

function parsed(text: string, call: Call): unknown {
  try {
    return call.service.steps.parseBody(text, call);
  } catch {
    return undefined;
  }
}

/** Part 5: keys that are nearly right, right keys in wrong places, and what connections, caches and crowds do to keys. */
export const authKeyFaults: readonly Fault[] = [
  fault(
    'good-key-refused-under-capital-header',
    'AUTH-1',
    'The header is not recognised when its name is written in capitals.',
    refusingRightKey((call) => headerAsSent(call) === 'AUTHORIZATION'),
  ),
  fault(
    'good-key-refused-under-usual-header',
    'AUTH-1',
    'The header is only recognised when its name is written in small letters, or in capitals.',
    refusingRightKey((call) => headerAsSent(call) === 'Authorization'),
  ),
  fault(
    'key-with-two-equals-signs-accepted',
    'AUTH-4',
    'Two equals signs after the key, as Base64 pads with them, are dropped.',
    acceptingKeys((given, right) => given === `${right}==`),
  ),
  fault(
    'good-key-refused-under-small-header',
    'AUTH-1',
    'The header is not recognised when its name is written in small letters.',
    refusingRightKey((call) => headerAsSent(call) === 'authorization'),
  ),
  fault(
    'good-key-refused-on-connection-of-a-refusal',
    'AUTH-1',
    'After a refused key every later request on the same connection is refused as well.',
    (steps) => {
      const locked = new WeakSet<object>();
      return override('authenticate', (original) => (call) => {
        const { socket } = call.incoming;
        try {
          original(call);
        } catch (error) {
          locked.add(socket);
          throw error;
        }
        if (locked.has(socket)) throw invalidKey();
      })(steps);
    },
  ),
  fault(
    'good-key-locked-after-five-refusals',
    'AUTH-1',
    'After five refusals in a row the right key is refused too, for 300 ms.',
    (steps) => {
      let refusals = 0;
      let last = 0;
      return override('authenticate', (original) => (call) => {
        const isLocked = refusals >= 5 && performance.now() - last < 300;
        try {
          original(call);
        } catch (error) {
          refusals += 1;
          last = performance.now();
          throw error;
        }
        if (isLocked) throw invalidKey();
        refusals = 0;
      })(steps);
    },
  ),
  fault(
    'refusal-cached-by-address',
    'AUTH-1',
    'The refusal of a GET is cached for a second: the right key is refused at the same address.',
    (steps) => {
      const refused = new Map<string, number>();
      return override('authenticate', (original) => (call) => {
        const { method, url = '' } = call.incoming;
        try {
          original(call);
        } catch (error) {
          if (method === 'GET') refused.set(url, performance.now());
          throw error;
        }
        if (method === 'GET' && performance.now() - (refused.get(url) ?? -1000) < 1000) throw invalidKey();
      })(steps);
    },
  ),
  fault(
    'good-key-refused-in-a-crowd',
    'AUTH-1',
    'Of more than four requests at once, some are refused though their key is right.',
    overlapping(
      () => true,
      (underWay) => refusingRightKey(() => underWay() > 4),
    ),
  ),
  fault(
    'good-key-refused-beside-a-bad-one',
    'AUTH-1',
    'A right key is refused while a wrong one is being looked up.',
    overlapping(isBad, (underWay) => refusingRightKey((call) => isRight(call) && underWay() > 0)),
  ),
  fault(
    'one-in-60-creations-refused-with-401',
    'AUTH-1',
    'One createPet in 60 is answered with 401 though its key is right.',
    onEveryNth(60, (isDue) => refusingRightKey((call) => call.operation === 'createPet' && isDue())),
  ),

  fault(
    'list-cached-for-everyone',
    'AUTH-2',
    'A list is cached by its address: once fetched with a key, it needs none for two seconds.',
    (steps) => {
      const cached = new Map<string, number>();
      return acceptingAfterRightKey(
        ({ operation, incoming }) => {
          if (operation === 'listPets') cached.set(incoming.url ?? '', performance.now());
        },
        (call) => {
          const since = cached.get(call.incoming.url ?? '');
          return (
            call.operation === 'listPets' && isKeyless(call) && since !== undefined && performance.now() - since < 2000
          );
        },
      )(steps);
    },
  ),
  fault(
    'long-list-cached-for-everyone',
    'AUTH-6',
    'A page with a `limit` above 50 is kept by its address, and is then given to anybody.',
    (steps) => {
      const kept = new Set<string>();
      return acceptingAfterRightKey(
        ({ operation, incoming, query }) => {
          if (operation === 'listPets' && Number(query.get('limit')) > 50) kept.add(incoming.url ?? '');
        },
        (call) => kept.has(call.incoming.url ?? ''),
      )(steps);
    },
  ),
  fault(
    'browser-without-key-sent-to-login',
    'AUTH-2',
    'Without a key, a request that accepts HTML is redirected to a login page.',
    changeResponse(
      (response, call) => response.status === 401 && isKeyless(call) && /text\/html/.test(call.header('accept') ?? ''),
      () => ({ ...errorResponse(302), headers: { 'Content-Type': 'application/json', Location: '/login' } }),
    ),
  ),
  fault(
    'no-key-needed-with-origin',
    'AUTH-2',
    'A GET with an Origin header needs no key.',
    alsoAccepting((call) => call.incoming.method === 'GET' && isKeyless(call) && call.header('origin') !== undefined),
  ),
  fault(
    'keyless-createpet-answered-400',
    'AUTH-2',
    'A createPet without a key is answered with 400, however valid its body is.',
    refusingWith(400, onlyFor('createPet', isKeyless)),
  ),
  fault(
    'caller-known-for-50-ms',
    'AUTH-2',
    'For 50 ms after a right key, a caller from the same network address needs none.',
    (steps) => {
      let last = Number.NEGATIVE_INFINITY;
      return acceptingAfterRightKey(
        () => {
          last = performance.now();
        },
        (call) => isKeyless(call) && performance.now() - last < 50,
      )(steps);
    },
  ),

  fault(
    'bad-key-accepted-when-repeated',
    'AUTH-3',
    'A wrong key is refused when it comes first, and found in the cache as valid when it comes again.',
    (steps) => {
      const seen = new Set<string>();
      return alsoAccepting((call) => isBad(call) && seen.size === seen.add(keyOf(call)).size)(steps);
    },
  ),
  fault(
    'bad-key-accepted-beside-a-good-one',
    'AUTH-3',
    'A wrong key is accepted while a right one is being looked up.',
    overlapping(isRight, (underWay) => alsoAccepting((call) => isBad(call) && underWay() > 0)),
  ),
  fault(
    'bad-key-accepted-in-a-crowd',
    'AUTH-3',
    'When more than four requests come at once, keys are no longer looked up, and any is accepted.',
    overlapping(
      () => true,
      (underWay) => alsoAccepting((call) => isBad(call) && underWay() > 4),
    ),
  ),
  fault(
    'fetched-animal-open-to-any-key',
    'AUTH-3',
    'An animal that was fetched before can be fetched with any key.',
    (steps) => {
      const fetched = new Set<string>();
      return acceptingAfterRightKey(
        ({ petId }) => fetched.add(petId ?? ''),
        (call) => call.operation === 'getPet' && isBad(call) && fetched.has(call.petId ?? ''),
      )(steps);
    },
  ),
  fault(
    'very-long-key-accepted',
    'AUTH-3',
    'Any key of 2,048 characters or more is accepted.',
    acceptingKeys((given) => given.length >= 2048),
  ),
  fault(
    'key-of-other-length-answered-400',
    'AUTH-3',
    'A key that is longer or shorter than the right one is answered with 400.',
    refusingWith(400, (call) => isBad(call) && keyOf(call).length !== call.service.token.length),
  ),
  fault(
    'invalid-key-getpet-answered-404',
    'AUTH-3',
    'getPet answers an invalid key with 404, also for an animal that exists.',
    refusingWith(404, onlyFor('getPet', isBad)),
  ),
  fault(
    'any-key-accepted-late',
    'AUTH-3',
    'From the 300th request on, listPets accepts any key.',
    lateBy(300, (isLate) => alsoAccepting(onlyFor('listPets', (call) => isBad(call) && isLate()))),
  ),

  fault(
    'middle-of-key-unread',
    'AUTH-4',
    'Only the first and the last third of the key are compared.',
    acceptingKeys(equalBut((place) => place > 1 / 3 && place < 2 / 3)),
  ),
  fault(
    'every-second-letter-of-key-unread',
    'AUTH-4',
    'Of the key, only every second character is compared.',
    acceptingKeys(
      (given, right) =>
        given.length === right.length && [...right].every((letter, at) => at % 2 === 1 || letter === given[at]),
    ),
  ),
  fault(
    'underscore-in-key-as-wildcard',
    'AUTH-4',
    'An underscore in a key stands for any character, as in LIKE.',
    acceptingKeys(
      (given, right) =>
        given.length === right.length && [...given].every((letter, at) => letter === '_' || letter === right[at]),
    ),
  ),
  fault(
    'longer-key-after-lower-case-scheme',
    'AUTH-4',
    'After `bearer` in lower case, the key is compared as far as it goes, whatever follows.',
    acceptingHeaders((header, key) => header.startsWith(`bearer ${key}`)),
  ),
  fault(
    'key-read-up-to-a-colon',
    'AUTH-4',
    'A key is read up to a colon; what follows is taken for a tenant.',
    acceptingKeys((given, right) => /^(.+):\w+$/.exec(given)?.[1] === right),
  ),
  fault(
    'json-with-a-charset-unguarded',
    'AUTH-2',
    'A body with a charset in its media type needs no key: the guard compares the media type.',
    alsoAccepting((call) => isKeyless(call) && /^application\/json *;/i.test(call.header('content-type') ?? '')),
  ),
  fault(
    'order-in-key-unread',
    'AUTH-4',
    'Keys are compared by a sum, so the right characters in any order are accepted.',
    acceptingKeys((given, right) => given.length === right.length && sorted(given) === sorted(right)),
  ),
  fault(
    'key-at-the-end-accepted',
    'AUTH-4',
    'Anything that ends with the key is accepted.',
    acceptingKeys((given, right) => given.endsWith(right)),
  ),
  fault(
    'doubled-letters-of-key-accepted',
    'AUTH-4',
    'A character of the key may be written twice.',
    acceptingKeys((given, right) => squeezed(given) === squeezed(right)),
  ),
  fault(
    'base64-key-accepted',
    'AUTH-4',
    'The key is accepted in Base64.',
    acceptingKeys((given, right) => given !== '' && Buffer.from(given, 'base64').toString('utf8') === right),
  ),
  fault(
    'punctuation-in-key-unread',
    'AUTH-4',
    'Only letters and digits of a key are compared.',
    acceptingKeys(
      (given, right) => given !== '' && given.replaceAll(/[^a-z0-9]/gi, '') === right.replaceAll(/[^a-z0-9]/gi, ''),
    ),
  ),
  fault(
    'word-before-key-accepted',
    'AUTH-4',
    'The last of several words is taken for the key.',
    acceptingHeaders((header, key) => /^bearer .+ (\S+)$/i.exec(header)?.[1] === key),
  ),
  fault(
    'key-in-a-list-accepted',
    'AUTH-4',
    'Of several keys with commas between, each is tried.',
    acceptingHeaders(
      (header, key) =>
        /^bearer .*,/i.test(header) &&
        header
          .slice(7)
          .split(/\s*,\s*/)
          .includes(key),
    ),
  ),
  fault(
    'bytes-beyond-ascii-dropped-from-key',
    'AUTH-4',
    'Bytes beyond ASCII in a key are dropped before it is compared.',
    acceptingHeaders((header, key) => header.replaceAll(/[\u0080-\u00ff]/g, '') === `Bearer ${key}`),
  ),
  fault(
    'key-as-long-beyond-ascii-makes-500',
    'SERV-4',
    'A key with as many characters as the right one, of which one is beyond ASCII, makes the service fail.',
    alsoAccepting((call) => {
      const key = keyOf(call);
      const isOdd = key.length === call.service.token.length && /[\u0080-\u00ff]/.test(key);
      return isOdd && crash('buffers of unequal lengths');
    }),
  ),
  fault(
    'createpet-takes-key-in-capitals',
    'AUTH-4',
    'createPet accepts the key in capital letters.',
    alsoAccepting(onlyFor('createPet', (call) => keyOf(call) === call.service.token.toUpperCase())),
  ),
  fault(
    'key-cut-by-one-answered-403',
    'AUTH-4',
    'A key that lacks the last character is answered with 403.',
    refusingWith(403, (call) => keyOf(call) === call.service.token.slice(0, -1)),
  ),

  fault(
    'key-as-basic-user-accepted',
    'AUTH-5',
    'The key is accepted as the user name of the scheme Basic.',
    alsoAccepting((call) => basic(call)[0] === call.service.token),
  ),
  fault(
    'key-under-token-accepted',
    'AUTH-5',
    'The key is accepted under the scheme Token.',
    acceptingHeaders((header, key) => /^token +(\S+)$/i.exec(header)?.[1] === key),
  ),
  fault(
    'scheme-beside-key-accepted',
    'AUTH-5',
    'The key is accepted right after `Bearer`, with a colon, an equals sign or nothing between.',
    acceptingHeaders((header, key) => /^bearer[:=]? *(\S+)$/i.exec(header)?.[1] === key),
  ),
  fault(
    'key-in-cookie-accepted',
    'AUTH-5',
    'The key is accepted in a cookie.',
    alsoAccepting((call) =>
      (call.header('cookie') ?? '').split(/; */).some((pair) => pair.split('=')[1] === call.service.token),
    ),
  ),
  fault(
    'key-in-proxy-authorization-accepted',
    'AUTH-5',
    'The key is accepted in Proxy-Authorization.',
    alsoAccepting((call) => call.header('proxy-authorization') === `Bearer ${call.service.token}`),
  ),

  fault(
    'connection-remembered-for-bad-keys',
    'AUTH-6',
    'On a connection on which the right key was sent, any key is accepted, though none is not.',
    rememberingConnections(isBad),
  ),
  fault(
    'connection-remembered-by-createpet',
    'AUTH-6',
    'createPet needs no key on a connection on which the right one was sent.',
    rememberingConnections(onlyFor('createPet', isKeyless)),
  ),
  fault(
    'connection-remembered-after-three',
    'AUTH-6',
    'After three requests with the right key on a connection, no more keys are asked for on it.',
    (steps) => {
      const counts = new WeakMap<object, number>();
      return acceptingAfterRightKey(
        ({ incoming }) => counts.set(incoming.socket, (counts.get(incoming.socket) ?? 0) + 1),
        ({ incoming }) => (counts.get(incoming.socket) ?? 0) >= 3,
      )(steps);
    },
  ),

  fault(
    'nearly-right-key-animal-added',
    'AUTH-7',
    'A createPet whose key begins like the right one is answered with 401, but the animal is added.',
    addingAnyway((call) => isBad(call) && keyOf(call).slice(0, 3) === call.service.token.slice(0, 3)),
  ),
  fault(
    'keyless-animal-added-unlisted',
    'AUTH-7',
    'A createPet without a key is answered with 401, but the animal is added; no list shows it.',
    combine(
      leavingOutAdded(() => (_, call) => isKeyless(call)),
      addingAnyway(isKeyless),
    ),
  ),
  fault(
    'chunked-keyless-animal-added',
    'AUTH-7',
    'A createPet without a key whose body is sent in chunks is answered with 401, but the animal is added.',
    addingAnyway((call) => isKeyless(call) && call.header('transfer-encoding') !== undefined),
  ),
  fault(
    'keyless-id-renames-its-animal',
    'AUTH-7',
    'A createPet without a key is answered with 401, but an animal with the `id` in its body gets its name.',
    readingKeylessBodies((body, { service: { collection } }) => {
      if (!isObject(body)) return;
      const { id, name } = body;
      const animal = typeof id === 'bigint' ? collection.get(id) : undefined;
      if (animal !== undefined && typeof name === 'string') collection.add({ ...animal, name });
    }),
  ),
  fault(
    'one-in-4-refused-animals-added',
    'AUTH-7',
    'Of four createPets that are answered with 401, one adds its animal.',
    onEveryNth(4, (isDue) => addingAnyway(() => isDue())),
  ),
  fault(
    'refused-animal-added-when-repeated',
    'AUTH-7',
    'A createPet with an invalid key that is repeated is answered with 401 again, but then the animal is added.',
    (steps) => {
      const seen = new Set<string>();
      return addingAnyway((call) => isBad(call) && seen.size === seen.add(keyOf(call)).size)(steps);
    },
  ),
  fault(
    'refused-animal-added-300-ms-later',
    'AUTH-7',
    'A createPet without a valid key is answered with 401, but 300 ms later the animal is added.',
    combine(
      override('store', (original) => (pet, call) => {
        if (isRight(call)) original(pet, call);
        else void call.service.pause(300).then(() => original(pet, call));
      }),
      addingAnyway(() => true),
    ),
  ),
  fault(
    'refused-animal-added-on-connection-of-a-good-key',
    'AUTH-7',
    'On a connection on which the right key was sent, a createPet without one is answered with 401, but the animal is added.',
    (steps: Steps) => {
      const known = new WeakSet<object>();
      return combine(
        acceptingAfterRightKey(
          ({ incoming }) => known.add(incoming.socket),
          () => false,
        ),
        addingAnyway(({ incoming }) => known.has(incoming.socket)),
      )(steps);
    },
  ),

  ...['X-Forwarded-User', 'X-Remote-User', 'X-Internal', 'X-Consumer-Username', 'X-Debug', 'X-Original-URL'].map(
    (header) =>
      fault(
        `${header.toLowerCase()}-needs-no-key`,
        'AUTH-2',
        `A request with ${header} needs no key.`,
        alsoAccepting((call) => isKeyless(call) && call.header(header.toLowerCase()) !== undefined),
      ),
  ),
  fault(
    'health-checker-needs-no-key',
    'AUTH-2',
    'A request of a health checker, told by its User-Agent, needs no key.',
    alsoAccepting((call) => isKeyless(call) && /probe|healthcheck/i.test(call.header('user-agent') ?? '')),
  ),
  fault(
    'encoded-id-needs-no-key',
    'AUTH-2',
    'The guard compares the path as it is sent, so getPet of a percent-encoded id (`/pets/%31`) needs no key.',
    alsoAccepting(
      (call) => call.operation === 'getPet' && call.incoming.url?.includes('%') === true && authorization(call) === '',
    ),
  ),
  ...['apikey', 'Authentication', 'X-Token', 'X-Auth-Key'].map((header) =>
    fault(
      `key-in-${header.toLowerCase()}-header-accepted`,
      'AUTH-5',
      `The key in the header ${header} is accepted, without a bearer token.`,
      alsoAccepting((call) => call.header(header.toLowerCase()) === call.service.token),
    ),
  ),
  fault(
    'bearer-token-in-parameter-accepted',
    'AUTH-5',
    '`?authorization=Bearer%20KEY` gives access, as for downloads.',
    alsoAccepting(({ query, service }) => query.get('authorization') === `Bearer ${service.token}`),
  ),
  fault(
    'basic-user-with-a-password-accepted',
    'AUTH-5',
    'The key as the user in the scheme `Basic` gives access where there is a password too.',
    alsoAccepting((call) => basic(call)[0] === call.service.token && (basic(call)[1] ?? '') !== ''),
  ),
  fault(
    'session-cookie-accepted',
    'AUTH-2',
    'Every success sets a cookie, which gives access without a key.',
    combine(
      alsoAccepting((call) => call.header('cookie')?.includes('session=open') === true),
      changeResponse(isSuccess, (response) => ({
        ...response,
        headers: { ...response.headers, 'Set-Cookie': 'session=open; Path=/; HttpOnly' },
      })),
    ),
  ),
  fault(
    'key-in-body-accepted',
    'AUTH-5',
    'The key in the member `access_token` of a body is accepted, without a bearer token (RFC 6750, 2.2).',
    combine(
      override('authenticate', (usual) => (call) => {
        if (call.operation !== 'createPet' || !isKeyless(call)) usual(call);
      }),
      override('parseBody', (usual) => (text, call) => {
        const isThere = text.includes(`"access_token":${JSON.stringify(call.service.token)}`);
        if (isKeyless(call) && !isThere) throw invalidKey();
        return usual(text, call);
      }),
    ),
  ),
  fault(
    'key-in-header-beside-another-token-accepted',
    'AUTH-5',
    'The key in `X-API-Key` is accepted where there is a bearer token that is wrong.',
    alsoAccepting((call) => !isKeyless(call) && call.header('x-api-key') === call.service.token),
  ),
  fault(
    'keys-looked-up-in-an-object',
    'AUTH-3',
    'Keys are looked up among the members of an object: what every object has, such as `constructor`, is one.',
    alsoAccepting((call) => keyOf(call) in {}),
  ),
  fault(
    'keyless-malformed-body-makes-500',
    'SERV-4',
    'A body that is not JSON makes the service fail where there is no key.',
    readingKeylessBodies((body) => {
      if (body === undefined) crash('unexpected body');
    }),
  ),
  fault(
    'key-compared-at-its-ends-and-in-the-middle',
    'AUTH-4',
    'Of a key, the characters between its first two and its middle are not compared.',
    acceptingKeys(equalBut((place) => place > 0.15 && place < 0.45)),
  ),
];
