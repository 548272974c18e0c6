import { isObject } from '../../contract/json-pointer.ts';
import { bearerToken, sameKey } from '../authentication.ts';
import {
  breaking,
  breakingLater,
  changeResponse,
  combine,
  errorResponse,
  isSuccess,
  jsonResponse,
  onEveryNth,
  override,
  responsesWith,
  type StepsChange,
} from '../changes.ts';
import { ApiError, unauthorized as refusedKey } from '../errors.ts';
import type { Call, Fault } from '../steps.ts';
import {
  authorization,
  both,
  decode,
  hasStatus,
  isGet,
  isKeyless,
  keyFrom,
  keyOf,
  lacks,
  on,
  onLimit,
  sends,
  unauthorized,
  urlOf,
  type When,
  where,
} from './conditions.ts';
import { lateBy, leavingOutAdded, onceAged, overlapping, readingKeylessBodies } from './effects.ts';

/** Also accepts some requests that the original step refuses. */
const alsoAccepting = (accepts: (call: Call) => boolean) =>
  override('authenticate', (original) => (call) => {
    if (!accepts(call)) original(call);
  });

/** An animal that is made up. */
const PET_JSON = '{"id":1,"name":"Bella","categoryId":1,"status":"available"}';

/** Accepts keys that are close to the right one. */
const acceptingKeys = (accepts: (given: string, right: string) => boolean) =>
  alsoAccepting((call) => accepts(bearerToken(call) ?? '', call.service.token));

const invalidKey = () => refusedKey('The API key is not valid.');

/** Answers a refused key with another status. */
const refusingWith = (status: number, which: (call: Call) => boolean) =>
  changeResponse(where(unauthorized, which), () => errorResponse(status));

/** Adds the animal although the key was refused. */
const addingAnyway = (which: (call: Call) => boolean) =>
  override('perform', (original) => async (call) => {
    try {
      return await original(call);
    } catch (error) {
      if (call.operation === 'createPet' && error instanceof ApiError && error.status === 401 && which(call)) {
        await call.service.steps.createPet(call);
      }
      throw error;
    }
  });

/** Accepts some requests on a connection on which a valid key was sent. */
const rememberingConnections =
  (which: When): StepsChange =>
  (steps) => {
    const known = new WeakSet<object>();
    return acceptingAfterRightKey(
      ({ incoming }) => known.add(incoming.socket),
      (call) => which(call) && known.has(call.incoming.socket),
    )(steps);
  };

/** Accepts some values of the whole Authorization header; each is compared without blanks at its ends. */
const acceptingHeaders = (accepts: (header: string, key: string) => boolean) =>
  alsoAccepting((call) => accepts(authorization(call).trim(), call.service.token));

const isRight = (call: Call): boolean => sameKey(bearerToken(call) ?? '', call.service.token);

const isBad = (call: Call): boolean => !isKeyless(call) && !isRight(call);

/** Refuses right keys, too, where `refuses` says so, which is asked about every key. */
const refusingRightKeys = (refuses: (call: Call, isRightKey: boolean) => boolean) =>
  override('authenticate', (original) => (call) => {
    const isRefused = refuses(call, isRight(call));
    original(call);
    if (isRefused) throw invalidKey();
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

/** Whether two texts of the same length are equal but for some places, from 0 to 1 or counted from 0. */
const equalBut =
  (unread: (place: number, at: number) => boolean) =>
  (given: string, right: string): boolean =>
    given.length === right.length &&
    [...right].every((letter, at) => letter === given[at] || unread(at / right.length, at));

const sorted = (text: string): string => [...text].toSorted().join('');

/** Calls `then` whenever the right key was accepted, and accepts some requests whatever their key. */
const acceptingAfterRightKey = (then: (call: Call) => unknown, accepts: When) =>
  override('authenticate', (original) => (call) => {
    if (accepts(call)) return;
    original(call);
    then(call);
  });

/** Serves GETs without a key where the path that the router reads is not the one that was sent. */
const unguarded = (read: (path: string) => string) =>
  override('perform', (original) => async (call) => {
    const { steps, basePath } = call.service;
    const [sent = ''] = urlOf(call).split('?');
    const path = read(sent);
    if (path === sent || !isGet(call)) return original(call);
    const petId = /\/pets\/([^/]+)$/.exec(path)?.[1];
    if (path === `${basePath}/pets`) return steps.listPets({ ...call, operation: 'listPets' });
    return petId === undefined ? original(call) : steps.getPet({ ...call, operation: 'getPet', petId });
  });

const cookieOf = ({ service: { token } }: Call): string => `sid=${Buffer.from(token).toString('hex').slice(0, 12)}`;

/** Part 5, authentication. */
// biome-ignore format: one table
export const authFaults: readonly Fault[] = [
  ...breaking('AUTH-1', {
    'good-key-refused-under-small-header': ['The header is not recognised when its name is written in small letters.',
      refusingRightKeys((call) => headerAsSent(call) === 'authorization')],
    'good-key-refused-on-connection-of-a-refusal': [
      'After a refused key every later request on the same connection is refused as well.',
      (steps) => {
        const locked = new WeakSet<object>();
        return refusingRightKeys(({ incoming }, isRightKey) => {
          if (!isRightKey) locked.add(incoming.socket);
          return locked.has(incoming.socket);
        })(steps);
      }],
    'good-key-locked-after-five-refusals': ['After five refusals in a row the right key is refused too, for 300 ms.',
      (steps) => {
        let refusals = 0;
        let last = 0;
        return refusingRightKeys((_, isRightKey) => {
          const isLocked = refusals >= 5 && performance.now() - last < 300;
          if (!isRightKey) last = performance.now();
          if (!isRightKey) refusals += 1;
          else if (!isLocked) refusals = 0;
          return isLocked;
        })(steps);
      }],
    'refusal-cached-by-address': [
      'The refusal of a GET is cached for a second: the right key is refused at the same address.',
      (steps) => {
        const refused = new Map<string, number>();
        return refusingRightKeys((call, isRightKey) => {
          if (isGet(call) && !isRightKey) refused.set(urlOf(call), performance.now());
          return isGet(call) && performance.now() - (refused.get(urlOf(call)) ?? -1000) < 1000;
        })(steps);
      }],
    'good-key-refused-in-a-crowd': ['Of more than four requests at once, some are refused though their key is right.',
      overlapping(() => true, (underWay) => refusingRightKeys(() => underWay() > 4))],
    'good-key-refused-beside-a-bad-one': ['A right key is refused while a wrong one is being looked up.',
      overlapping(isBad, (underWay) => refusingRightKeys((_, isRightKey) => isRightKey && underWay() > 0))],
    'one-in-60-creations-refused-with-401': ['One createPet in 60 is answered with 401 though its key is right.',
      onEveryNth(60, (isDue) =>
        refusingRightKeys((call, isRightKey) => isRightKey && both(on('createPet'), isDue)(call)))],
    'good-key-refused-by-createpet': ['createPet refuses every key.', refusingRightKeys(on('createPet'))],
    'good-key-refused-after-a-bad-one': ['The request after an invalid key is refused as well.',
      (steps) => {
        let isLocked = false;
        return refusingRightKeys((_, isRightKey) => {
          const wasLocked = isLocked;
          isLocked = !isRightKey;
          return wasLocked;
        })(steps);
      }],
    'always-401': ['Every request is answered with 401.', override('serve', () => async () => errorResponse(401))],
  }),
  ...breaking('AUTH-2', {
    'list-cached-for-everyone': [
      'A list is cached by its address: once fetched with a key, it needs none for two seconds.',
      (steps) => {
        const cached = new Map<string, number>();
        return acceptingAfterRightKey(
          (call) => cached.set(urlOf(call), performance.now()),
          both(on('listPets'), isKeyless, (call) => performance.now() - (cached.get(urlOf(call)) ?? -2000) < 2000),
        )(steps);
      }],
    'browser-without-key-sent-to-login': ['Without a key, a request that accepts HTML is redirected to a login page.',
      changeResponse(where(unauthorized, isKeyless, sends('accept', /text\/html/)), () =>
        ({ ...errorResponse(302), headers: { 'Content-Type': 'application/json', Location: '/login' } }))],
    'scheme-alone-answered-400': ['The scheme `Bearer` with no key after it is answered with 400.',
      refusingWith(400, sends('authorization', /^bearer\s*$/i))],
    'keyless-createpet-answered-400': ['A createPet without a key is answered with 400, however valid its body is.',
      refusingWith(400, both(on('createPet'), isKeyless))],
    'caller-known-for-50-ms': ['For 50 ms after a right key, a caller from the same network address needs none.',
      (steps) => {
        let last = Number.NEGATIVE_INFINITY;
        return acceptingAfterRightKey(
          () => {
            last = performance.now();
          },
          (call) => isKeyless(call) && performance.now() - last < 50,
        )(steps);
      }],
    'json-with-a-charset-unguarded': [
      'A body with a charset in its media type needs no key: the guard compares the media type.',
      alsoAccepting(both(isKeyless, sends('content-type', /^application\/json *;/i)))],
    'private-network-needs-no-key': ['A request that X-Forwarded-For says comes from a private network needs no key.',
      alsoAccepting(both(isKeyless, sends('x-forwarded-for', /^(?:10\.|192\.168\.)/)))],
    'x-original-url-needs-no-key': ['A request with X-Original-URL needs no key.',
      alsoAccepting(both(isKeyless, sends('x-original-url')))],
    'encoded-id-needs-no-key': [
      'The guard compares the path as it is sent, so getPet of a percent-encoded id (`/pets/%31`) needs no key.',
      alsoAccepting((call) =>
        call.operation === 'getPet' && call.incoming.url?.includes('%') === true && authorization(call) === '')],
    'path-with-parameters-needs-no-key': [
      'The guard compares the path as it is sent, but the router drops what follows a `;` in it: `/pets;x` needs no key.',
      unguarded((path) => path.replace(/;[^/]*/g, ''))],
    'path-with-an-encoded-letter-needs-no-key': [
      'The guard compares the path as it is sent, but the router decodes it: `/p%65ts` needs no key.',
      unguarded((path) => path.replace(/%[46][1-9a-f]|%[57][\da]/gi, (letter) => decode(letter) ?? letter))],
    'path-with-a-dot-segment-needs-no-key': [
      'The guard compares the path as it is sent, but the router resolves dot segments: `/pets/./` needs no key.',
      alsoAccepting(both(isKeyless, (call) => /\/\.{1,2}\//.test(urlOf(call))))],
    'cookie-of-a-success-accepted': ['Every success sets a cookie made from the key, which gives access without the key.',
      combine(alsoAccepting((call) => call.header('cookie')?.includes(cookieOf(call)) === true),
        changeResponse(isSuccess, (response, call) =>
        ({ ...response, headers: { ...response.headers, 'Set-Cookie': `${cookieOf(call)}; Path=/; HttpOnly` } })))],
    'session-cookie-accepted': ['Every success sets a cookie, which gives access without a key.',
      combine(alsoAccepting((call) => call.header('cookie')?.includes('session=open') === true),
        changeResponse(isSuccess, (response) =>
        ({ ...response, headers: { ...response.headers, 'Set-Cookie': 'session=open; Path=/; HttpOnly' } })))],
    'no-key-needed-by-listpets': ['listPets works without an Authorization header.',
      alsoAccepting((call) => call.operation === 'listPets' && authorization(call) === '')],
    'empty-key-accepted': ['The scheme `Bearer` with no key after it is accepted.',
      alsoAccepting(sends('authorization', /^bearer *$/i))],
    'no-key-needed-for-filtered-lists': ['A list with a status filter needs no key.',
      alsoAccepting(both(on('listPets'), hasStatus, isKeyless))],
    'keyless-getpet-answered-404': ['getPet answers 404 for every animal when the key is missing.',
      refusingWith(404, both(on('getPet'), isKeyless))],
    'one-in-4-keyless-let-in': ['One request in four without a key is accepted.',
      onEveryNth(4, (isDue) => alsoAccepting(both(lacks('authorization'), isDue)))],
    'always-200': ['Every request is answered with 200: a list for listPets, an animal for the others.',
      override('serve', () => async (call) => jsonResponse(200, on('listPets')(call) ? `[${PET_JSON}]` : PET_JSON))],
    'animals-of-the-start-need-no-key': ['getPet answers without a key for the animals with the ids 1 to 5.',
      alsoAccepting((call) => call.operation === 'getPet' && /^[1-5]$/.test(call.petId ?? ''))],
  }),
  ...breakingLater('AUTH-2', 3_000, {
    'keyless-let-in-after-1500-ms': ['From 1.5 s after the first animal was added, no key is needed.',
      onceAged(1500, (isAged) => alsoAccepting(both(lacks('authorization'), isAged)))],
  }),
  ...breakingLater('AUTH-2', 22_000, {
    'keyless-let-in-after-20-s': ['From 20 s after the first animal was added, no key is needed.',
      onceAged(20_000, (isAged) => alsoAccepting(both(isKeyless, isAged)))],
  }),
  ...breakingLater('AUTH-3', 22_000, {
    'any-key-let-in-after-20-s': ['From 20 s after the first animal was added, any key is accepted.',
      onceAged(20_000, (isAged) => alsoAccepting(both(isBad, isAged)))],
    'any-key-adds-after-20-s': ['From 20 s after the first animal was added, any key may add animals.',
      onceAged(20_000, (isAged) => alsoAccepting(both(on('createPet'), isBad, isAged)))],
  }),
  ...breakingLater('AUTH-4', 22_000, {
    'key-begun-let-in-after-20-s': [
      'From 20 s after the first animal was added, keys are compared in their first eight characters only.',
      onceAged(20_000, (isAged) => alsoAccepting(both((call) =>
        isBad(call) && keyOf(call).slice(0, 8) === call.service.token.slice(0, 8), isAged)))],
  }),
  ...breaking('AUTH-3', {
    'bad-key-accepted-when-repeated': [
      'A wrong key is refused when it comes first, and found in the cache as valid when it comes again.',
      (steps) => {
        const seen = new Set<string>();
        return alsoAccepting((call) => isBad(call) && seen.size === seen.add(keyOf(call)).size)(steps);
      }],
    'bad-key-accepted-beside-a-good-one': ['A wrong key is accepted while a right one is being looked up.',
      overlapping(isRight, (underWay) => alsoAccepting((call) => isBad(call) && underWay() > 0))],
    'bad-key-accepted-in-a-crowd': [
      'When more than four requests come at once, keys are no longer looked up, and any is accepted.',
      overlapping(() => true, (underWay) => alsoAccepting((call) => isBad(call) && underWay() > 4))],
    'fetched-animal-open-to-any-key': ['An animal that was fetched before can be fetched with any key.',
      (steps) => {
        const known = new Set<string>();
        return acceptingAfterRightKey(
          ({ petId }) => known.add(petId ?? ''),
          (call) => both(on('getPet'), isBad)(call) && known.has(call.petId ?? ''),
        )(steps);
      }],
    'any-key-under-capital-header': ['Any key is accepted when the name of its header is written in capitals.',
      alsoAccepting((call) => headerAsSent(call) === 'AUTHORIZATION' && !isKeyless(call))],
    'very-long-key-accepted': ['Any key of 2,048 characters or more is accepted.',
      acceptingKeys((given) => given.length >= 2048)],
    'key-of-512-answered-431': ['An invalid key of 512 characters or more is answered with 431.',
      refusingWith(431, keyFrom(512))],
    'key-of-other-length-answered-400': ['A key that is longer or shorter than the right one is answered with 400.',
      refusingWith(400, (call) => isBad(call) && keyOf(call).length !== call.service.token.length)],
    'invalid-key-getpet-answered-404': ['getPet answers an invalid key with 404, also for an animal that exists.',
      refusingWith(404, both(on('getPet'), isBad))],
    'any-key-accepted-late': ['From the 300th request on, listPets accepts any key.',
      lateBy(300, (isLate) => alsoAccepting(both(on('listPets'), isBad, isLate)))],
    'keys-looked-up-in-an-object': [
      'Keys are looked up among the members of an object: what every object has, such as `constructor`, is one.',
      alsoAccepting((call) => keyOf(call) in {})],
    'any-key-opens-createpet': ['createPet asks for a bearer token but never looks at it.',
      alsoAccepting((call) => call.operation === 'createPet' && !isKeyless(call))],
    'any-key-opens-after-two-blanks': [
      'Of `Bearer`, two blanks and any key, the empty word between the blanks is looked up, and found not to be wrong.',
      alsoAccepting(sends('authorization', /^Bearer {2,}\S/))],
    'key-pasted-into-sql': ["The key is pasted into the SQL that looks it up, so that `' OR '1'='1` is accepted.",
      alsoAccepting(sends('authorization', /'\s*or\s.*=/i))],
    'refused-key-answered-200': ['A refused key is answered with status 200 and an Error body.',
      changeResponse(responsesWith(401), (response) => ({ ...response, status: 200 }))],
    'bad-key-let-in-at-every-tenth-try': ['Every tenth invalid key is accepted.',
      onEveryNth(10, (isDue) => alsoAccepting(both(isBad, isDue)))],
  }),
  ...breaking('AUTH-4', {
    'key-with-two-equals-signs-accepted': ['Two equals signs after the key, as Base64 pads with them, are dropped.',
      acceptingKeys((given, right) => given === `${right}==`)],
    'numbered-key-accepted': [
      'A number and a bar before the key are not looked at (`7|KEY`), as where tokens have an id.',
      acceptingKeys((given, right) => given.replace(/^\d+\|/, '') === right)],
    'underscore-in-key-as-wildcard': ['An underscore in a key stands for any character, as in LIKE.',
      acceptingKeys((given, right) =>
        given.length === right.length && [...given].every((letter, at) => letter === '_' || letter === right[at]))],
    'longer-key-after-lower-case-scheme': [
      'After `bearer` in lower case, the key is compared as far as it goes, whatever follows.',
      acceptingHeaders((header, key) => header.startsWith(`bearer ${key}`))],
    'key-read-up-to-a-colon': ['A key is read up to a colon; what follows is taken for a tenant.',
      acceptingKeys((given, right) => /^(.+):\w+$/.exec(given)?.[1] === right)],
    'first-letter-of-key-in-either-case': ['The first character of the key is accepted in either case.',
      acceptingKeys((given, right) =>
        given.slice(1) === right.slice(1) && given[0]?.toLowerCase() === right[0]?.toLowerCase())],
    'order-in-key-unread': ['Keys are compared by a sum, so the right characters in any order are accepted.',
      acceptingKeys((given, right) => given.length === right.length && sorted(given) === sorted(right))],
    'doubled-letters-of-key-accepted': ['A character of the key may be written twice.',
      acceptingKeys((given, right) => given.replaceAll(/(.)\1+/g, '$1') === right.replaceAll(/(.)\1+/g, '$1'))],
    'percent-encoded-key-accepted': ['The key is accepted percent-encoded.',
      acceptingKeys((given, right) => decode(given) === right)],
    'words-behind-the-key-ignored': ['Of `Bearer`, the key and further words, only the first two are read.',
      acceptingHeaders((header, key) => /^Bearer (\S+) +\S/.exec(header)?.[1] === key)],
    'key-given-twice-accepted': ['The right key may be given twice, with blanks or commas between.',
      acceptingHeaders((header, key) => {
        const keys = header.split(/[\s,]+/).filter((word) => word !== 'Bearer');
        return keys.length > 1 && keys.every((one) => one === key);
      })],
    'key-as-a-parameter-accepted': ['The key is accepted as a parameter behind the scheme, as the scheme Token has it.',
      acceptingHeaders((header, key) => /^bearer \w+="?([^"\s]+)"?$/i.exec(header)?.[1] === key)],
    'parameters-behind-the-key-ignored': ['What follows a semicolon behind the key is not read.',
      acceptingKeys((given, right) => /^([^;]+);/.exec(given)?.[1] === right)],
    'key-in-a-list-accepted': ['Of several keys with commas between, each is tried.',
      acceptingHeaders((header, key) => /^bearer .*,/i.test(header) && header.slice(7).split(/\s*,\s*/).includes(key))],
    'bytes-beyond-ascii-dropped-from-key': ['Bytes beyond ASCII in a key are dropped before it is compared.',
      acceptingHeaders((header, key) => header.replaceAll(/[\u0080-\u00ff]/g, '') === `Bearer ${key}`)],
    'createpet-takes-key-in-capitals': ['createPet accepts the key in capital letters.',
      alsoAccepting(both(on('createPet'), (call) => keyOf(call) === call.service.token.toUpperCase()))],
    'getpet-takes-key-with-last-letter-changed': ['getPet does not compare the last character of the key.',
      alsoAccepting(both(on('getPet'), (call) =>
        equalBut((place) => place >= 1 - 1 / call.service.token.length)(keyOf(call), call.service.token)))],
    'key-cut-by-one-answered-403': ['A key that lacks the last character is answered with 403.',
      refusingWith(403, (call) => keyOf(call) === call.service.token.slice(0, -1))],
    'key-compared-at-its-ends-and-in-the-middle': [
      'Of a key, the characters between its first two and its middle are not compared.',
      acceptingKeys(equalBut((place) => place > 0.15 && place < 0.45))],
    'prefix-of-key-accepted': ['Any prefix of the key is accepted.',
      acceptingKeys((given, right) => given !== '' && right.startsWith(given))],
  }),
  ...breaking('AUTH-5', {
    'key-in-the-header-of-another-pet-store-accepted': ['The key is accepted in the header api_key.',
      alsoAccepting((call) => call.header('api_key') === call.service.token)],
    'key-behind-anything-accepted-by-getpet': [
      'getPet looks at the last word of the Authorization header alone, whatever the scheme.',
      alsoAccepting((call) =>
        call.operation === 'getPet' && call.header('authorization')?.split(/\s+/).at(-1) === call.service.token)],
    'scheme-that-ends-in-bearer-accepted': ['The scheme is looked for anywhere in the header: it may be `NotBearer`.',
      acceptingHeaders((header, key) => /[a-z]bearer +(\S+)$/i.exec(header)?.[1] === key)],
    'scheme-that-begins-with-bearer-accepted': ['Only the beginning of the scheme is compared: it may be `Bearers`.',
      acceptingHeaders((header, key) => /^bearer[a-z]+ +(\S+)$/i.exec(header)?.[1] === key)],
    'key-under-token-accepted': ['The key is accepted under the scheme Token.',
      acceptingHeaders((header, key) => /^token +(\S+)$/i.exec(header)?.[1] === key)],
    'scheme-beside-key-accepted': [
      'The key is accepted right after `Bearer`, with a colon, an equals sign or nothing between.',
      acceptingHeaders((header, key) => /^bearer[:=]? *(\S+)$/i.exec(header)?.[1] === key)],
    'key-in-proxy-authorization-accepted': ['The key is accepted in Proxy-Authorization.',
      alsoAccepting((call) => call.header('proxy-authorization') === `Bearer ${call.service.token}`)],
    'key-in-cookie-of-a-name-accepted': ['The key in the cookie `access_token` is accepted, without a bearer token.',
      alsoAccepting((call) =>
        call.header('cookie')?.split(/; */).includes(`access_token=${call.service.token}`) === true)],
    'basic-user-with-a-password-accepted': [
      'The key as the user in the scheme `Basic` gives access where there is a password too.',
      alsoAccepting((call) => basic(call)[0] === call.service.token && (basic(call)[1] ?? '') !== '')],
    'key-in-body-accepted': [
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
      )],
    'key-in-auth-token-parameter-accepted': [
      'The key in the query parameter `auth_token` is accepted, without a bearer token.',
      alsoAccepting((call) => call.query.get('auth_token') === call.service.token)],
    'key-in-header-beside-another-token-accepted': [
      'The key in `X-API-Key` is accepted where there is a bearer token that is wrong.',
      alsoAccepting((call) => !isKeyless(call) && call.header('x-api-key') === call.service.token)],
    'bare-key-accepted': ['The key is accepted without a scheme.',
      alsoAccepting((call) => authorization(call) === call.service.token)],
    'key-in-x-api-key-accepted': ['The key is accepted in X-API-Key.',
      alsoAccepting((call) => call.header('x-api-key') === call.service.token)],
  }),
  ...breaking('AUTH-6', {
    'long-list-cached-for-everyone': [
      'A page with a `limit` above 50 is kept by its address, and is then given to anybody.',
      (steps) => {
        const kept = new Set<string>();
        return acceptingAfterRightKey(
          (call) => both(on('listPets'), onLimit(/^(?:5[1-9]|[6-9]\d|100)$/))(call) && kept.add(urlOf(call)),
          (call) => kept.has(urlOf(call)),
        )(steps);
      }],
    'connection-remembered-for-bad-keys': [
      'On a connection on which the right key was sent, any key is accepted, though none is not.',
      rememberingConnections(isBad)],
    'connection-remembered-by-createpet': ['createPet needs no key on a connection on which the right one was sent.',
      rememberingConnections(both(on('createPet'), isKeyless))],
    'connection-remembered-after-three': [
      'After three requests with the right key on a connection, no more keys are asked for on it.',
      (steps) => {
        const counts = new WeakMap<object, number>();
        return acceptingAfterRightKey(
          ({ incoming }) => counts.set(incoming.socket, (counts.get(incoming.socket) ?? 0) + 1),
          ({ incoming }) => (counts.get(incoming.socket) ?? 0) >= 3,
        )(steps);
      }],
  }),
  ...breaking('AUTH-7', {
    'nearly-right-key-animal-added': [
      'A createPet whose key begins like the right one is answered with 401, but the animal is added.',
      addingAnyway((call) => isBad(call) && keyOf(call).slice(0, 3) === call.service.token.slice(0, 3))],
    'keyless-animal-added-unlisted': [
      'A createPet without a key is answered with 401, but the animal is added; no list shows it.',
      combine(leavingOutAdded(() => (_, call) => isKeyless(call)), addingAnyway(isKeyless))],
    'basic-animal-added': ['A createPet under the scheme Basic is answered with 401, but the animal is added.',
      addingAnyway(sends('authorization', /^basic /i))],
    'chunked-keyless-animal-added': [
      'A createPet without a key whose body is sent in chunks is answered with 401, but the animal is added.',
      addingAnyway(both(isKeyless, sends('transfer-encoding')))],
    'keyless-id-renames-its-animal': [
      'A createPet without a key is answered with 401, but an animal with the `id` in its body gets its name.',
      readingKeylessBodies((body, { service: { collection } }) => {
        if (!isObject(body)) return;
        const { id, name } = body;
        const animal = typeof id === 'bigint' ? collection.get(id) : undefined;
        if (animal !== undefined && typeof name === 'string') collection.add({ ...animal, name });
      })],
    'one-in-4-refused-animals-added': ['Of four createPets that are answered with 401, one adds its animal.',
      onEveryNth(4, (isDue) => addingAnyway(() => isDue()))],
    'refused-animal-added-when-repeated': [
      'A createPet with an invalid key that is repeated is answered with 401 again, but then the animal is added.',
      (steps) => {
        const seen = new Set<string>();
        return addingAnyway((call) => isBad(call) && seen.size === seen.add(keyOf(call)).size)(steps);
      }],
    'refused-animal-added-300-ms-later': [
      'A createPet without a valid key is answered with 401, but 300 ms later the animal is added.',
      combine(
        override('store', (original) => (pet, call) => {
          if (isRight(call)) original(pet, call);
          else void call.service.pause(300).then(() => original(pet, call));
        }),
        addingAnyway(() => true),
      )],
    'refused-animal-added-on-connection-of-a-good-key': [
      'On a connection on which the right key was sent, a createPet without one is answered with 401, but the animal is added.',
      (steps) => {
        const known = new WeakSet<object>();
        return combine(
          acceptingAfterRightKey(({ incoming }) => known.add(incoming.socket), () => false),
          addingAnyway(({ incoming }) => known.has(incoming.socket)),
        )(steps);
      }],
  }),
];
