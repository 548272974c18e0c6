import type { Credential } from '../../http/credential.ts';
import type { Exchange } from '../../http/exchange.ts';
import { grouped } from '../../report/model/text.ts';
import {
  around,
  bearer,
  byName,
  type CredentialsByKind,
  fixed,
  inHeader,
  KEY_VARIABLE,
  type KeyCredential,
  keyIn,
  NO_KEY,
  rightKey,
  WITH_A_SCHEME,
} from './credential.ts';
import { beyondAscii, drawnMisses, missesByKind, wordsBehindMarks } from './near-misses.ts';
import { MOST_HEAD_BYTES } from './sizes.ts';

/** The key in the query, under these names at once. */
function inQuery(parameters: readonly string[], key: string, scheme: '' | typeof WITH_A_SCHEME = ''): KeyCredential {
  const name = `the key in the query parameter ${listed(parameters)}${scheme === '' ? '' : ', after Bearer'}`;
  const encoded = encodeURIComponent(key);
  const before = encodeURIComponent(scheme);
  const written = (value: string): string => parameters.map((parameter) => `${parameter}=${before}${value}`).join('&');
  const shownQuery = written(`$${KEY_VARIABLE}`);
  return {
    ...NO_KEY,
    name,
    requirement: 'AUTH-5',
    query: written(encoded),
    shownQuery,
    shellQuery: encoded === key ? shownQuery : byName(name),
  };
}

/** The names in a few words. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

export const COOKIES_ALONE = 'the cookies of an answer, without a key';

/** What a client sends that keeps the cookies of an answer and has no key; undefined where the answer sets none. */
export function cookiesSetBy(source: Exchange): KeyCredential | undefined {
  const headers = source.answer.kind === 'response' ? source.answer.headers : [];
  const pairs = headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .flatMap(([, value]) => /^\s*([^=;\s]+=[^;]*)/.exec(value)?.[1] ?? []);
  if (pairs.length === 0) return undefined;
  return { ...inHeader('AUTH-2', [COOKIES_ALONE, pairs.join('; '), '$COOKIES'], 'Cookie'), source };
}

/** No header, where the body holds the key. */
export const KEY_IN_BODY: KeyCredential = { ...NO_KEY, name: 'the key in the body alone', requirement: 'AUTH-5' };

/** Every way to send a header that holds no key. */
function emptyHeaders(): readonly KeyCredential[] {
  const values = {
    'an empty Authorization header': '',
    'Bearer without a key': 'Bearer',
    'Bearer and a space without a key': 'Bearer ',
    'bearer without a key, in lower case': 'bearer',
  };
  return Object.entries(values).map(([name, value]) => inHeader('AUTH-2', fixed(name, value)));
}

const OTHER_CASES = ['bearer', 'BEARER', 'bEaReR'];

const INVENTED = [
  'constructor', "' OR '1'='1", 'null', 'wrong', 'invalid-key', 'undefined', 'API_KEY', 'true', '0', 'admin', '*', 'none', 'test',
  '00000000-0000-4000-8000-000000000000', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
]; // biome-ignore format: one table
const inventedToken = (key: string): string => (key === 'wrong' ? 'invalid-key' : 'wrong');
const invented = (token: string): KeyCredential => bearer('AUTH-3', fixed(`the key "${token}"`, token));

const inventedTokens = (key: string): readonly KeyCredential[] =>
  INVENTED.filter((token) => token !== key).map(invented);

/** A made-up key after the scheme in other letter cases, or after more blanks. */
const inventedBehind = (key: string): readonly KeyCredential[] =>
  ['bearer', 'Bearer ', ...OTHER_CASES.slice(1)]
    .map((scheme) => `${scheme} ${inventedToken(key)}`)
    .map((value) => inHeader('AUTH-3', fixed(`"${value}"`, value)));

/** The right key after the scheme in lower case, and more behind it. */
const longerInLowerCase = (key: string): KeyCredential =>
  inHeader('AUTH-4', around(key, 'the key and more after bearer', 'bearer ', '123'));

/** Keys of a length: made up, and the right one with more behind it. */
function ofLength(length: number, key: string): readonly KeyCredential[] {
  const words = grouped(length);
  const more = 'x'.repeat(Math.max(1, length - key.length));
  return [
    bearer('AUTH-3', fixed(`a key of ${words} characters`, 'x'.repeat(length))),
    bearer('AUTH-4', around(key, `the key, filled up to ${words} characters`, '', more)),
  ];
}

const longKeys = (key: string): readonly KeyCredential[] => [...ofLength(512, key), ...ofLength(2_048, key)];
/** As long as a header is on which many servers give up, and longer than any reads. */
const HUGE_LENGTH = 8_192;
const READ_BY_NONE = 70_000;
const hugeKeys = (key: string): readonly KeyCredential[] => [
  ...ofLength(HUGE_LENGTH, key),
  ...ofLength(READ_BY_NONE, key).slice(0, 1),
];

/** Bytes that a credential adds to the head of its request. */
export const sizeOf = ({ headers, query = '' }: Credential): number =>
  headers.reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, query.length);

/** A credential of more bytes, and the rest of the head, would be more than {@link MOST_HEAD_BYTES}. */
export const MOST_CREDENTIAL_BYTES = MOST_HEAD_BYTES - 1_000;
/** So much longer than the right key a credential may be all the same. */
const LITTLE_MORE = 64;

/** Those of which the length is not the point: one that repeats a long key would be refused for its length. */
function withinBounds(key: string, all: readonly KeyCredential[]): readonly KeyCredential[] {
  const most = Math.max(MOST_CREDENTIAL_BYTES, sizeOf(rightKey(key)) + LITTLE_MORE);
  return all.filter((credential) => sizeOf(credential) <= most);
}

const elsewhere = (key: string, name: string, before: string, after = '', header?: string): KeyCredential =>
  inHeader('AUTH-5', around(key, name, before, after), header);

function inBasic(key: string): readonly KeyCredential[] {
  const basic = (as: string, text: string): KeyCredential =>
    inHeader('AUTH-5', [`the key in the scheme Basic, ${as}`, `Basic ${Buffer.from(text).toString('base64')}`]);
  return [
    basic('as the user and the password', `${key}:${key}`),
    basic('as the user', `${key}:`),
    elsewhere(key, 'the key in the scheme Basic, not encoded', 'Basic '),
    basic('as the password', `:${key}`),
    basic('as the password of a user', `api:${key}`),
    basic('alone', key),
    basic('as the password of a bot', `x-access-token:${key}`),
    basic('as the user with a password', `${key}:x-oauth-basic`),
  ];
}

const inOtherSchemes = (key: string): readonly KeyCredential[] => [
  elsewhere(key, 'the key without a scheme', ''),
  ...['Token', 'ApiKey', 'Bear', 'Bearers', 'Digest', 'JWT', 'OAuth'].map((scheme) =>
    elsewhere(key, `the key in the scheme ${scheme}`, `${scheme} `),
  ),
];

const misplaced = (key: string): readonly KeyCredential[] => [
  elsewhere(key, 'Bearer and the key without a space', 'Bearer'),
  elsewhere(key, 'the key before the scheme', '', ' Bearer'),
  elsewhere(key, 'the key behind a scheme and Bearer', 'Basic Bearer '),
  elsewhere(key, 'Bearer written twice', 'Bearer Bearer '),
  elsewhere(key, 'Bearer and the key with a colon', 'Bearer:'),
  elsewhere(key, 'Bearer, a colon, a space and the key', 'Bearer: '),
  elsewhere(key, 'Bearer and the key with an equals sign', 'Bearer='),
  elsewhere(key, 'the key behind a scheme, a comma and Bearer', 'Basic, Bearer '),
];

/** The key under one header but Authorization. */
function inOtherHeader(key: string, header: string, scheme: '' | typeof WITH_A_SCHEME): KeyCredential {
  return elsewhere(key, `the key in ${header}${scheme === '' ? '' : ', after Bearer'}`, scheme, '', header);
}

/** The key in a cookie of each of these names. */
function inCookies(key: string, names: readonly string[]): KeyCredential {
  const write = (value: string): string => names.map((name) => `${name}=${value}`).join('; ');
  return inHeader('AUTH-5', keyIn(key, `the key in the cookie ${listed(names)}`, write), 'Cookie');
}

/** Headers in which services other than this one take a key. */
const KEY_HEADER_NAMES = [
  'X-API-Key', 'api_key', 'apikey', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Authentication', 'X-Authorization', 'Proxy-Authorization', 'X-Token',
  'Token', 'Access-Token', 'Auth-Token', 'X-Auth', 'Auth', 'X-ApiKey', 'X-Authentication', 'Authorisation', 'X-Key', 'Key', 'X-API-Token',
  'X-Auth-Key', 'X-Client-Key', 'X-App-Key', 'X-Secret', 'X-Secret-Key', 'X-Session-Token', 'X-Bearer-Token', 'Bearer', 'Private-Token',
  'X-Vault-Token', 'Ocp-Apim-Subscription-Key', 'X-Functions-Key', 'X-Id-Token', 'X-JWT-Assertion',
  'X-Forwarded-Access-Token', 'X-Original-Authorization', 'X-Forwarded-Authorization', 'X-Petstore-Key',
  'X-User-Token', 'X-Security-Token', 'Api-Token', 'WWW-Authenticate', 'X-Auth-Request-Access-Token',
]; // biome-ignore format: one table

const KEY_COOKIES = [
  'token', 'api_key', 'apikey', 'api-key', 'access_token', 'auth', 'auth_token', 'Authorization', 'authorization', 'bearer', 'jwt', 'session', 'sid',
  'key', 'X-API-Key', 'id_token',
]; // biome-ignore format: one table

const KEY_PARAMETERS = [
  'api_key', 'access_token', 'token', 'key', 'apikey', 'apiKey', 'api-key', 'auth', 'auth_token', 'authorization', 'Authorization', 'bearer', 'jwt',
  'accessToken', 'authToken', 'X-API-Key', 'secret', 'sig', 'subscription-key', 'id_token', 'api_token', 'access-token',
]; // biome-ignore format: one table

/** How many bytes of keys are sent at once: a service need not read more. */
const MOST_AT_ONCE = 3_500;

/** As many of the places as fit into a request, beginning with the first, and going round. */
function fitting<T>(places: readonly T[], key: string, round: number, most = places.length): readonly T[] {
  const count = Math.max(1, Math.min(most, Math.floor(MOST_AT_ONCE / (key.length + 24))));
  const begin = (round * count) % places.length;
  return [...places.slice(begin), ...places.slice(0, begin)].slice(0, count);
}

/** Half of them: beside the other headers of a request, all would be more than {@link MOST_HEADERS}. */
const MOST_KEY_HEADERS = KEY_HEADER_NAMES.length / 2;

/** In how many headers a key is sent at once. */
export const placesAtOnce = (key: string): number => fitting(KEY_HEADER_NAMES, key, 0, MOST_KEY_HEADERS).length;

/** The headers of several credentials. */
const together = (all: readonly KeyCredential[]): Pick<KeyCredential, 'headers' | 'shown' | 'shell'> => ({
  headers: all.flatMap(({ headers }) => headers),
  shown: all.flatMap(({ shown }) => shown),
  shell: all.flatMap(({ shell }) => shell),
});

/** The key in many other headers at once: of each round, what stands after a scheme in one is bare in the next. */
function inManyHeaders(key: string, round: number): KeyCredential {
  const names = fitting(KEY_HEADER_NAMES, key, Math.floor(round / 2), MOST_KEY_HEADERS);
  const parts = names.map((header) =>
    inOtherHeader(key, header, (KEY_HEADER_NAMES.indexOf(header) + round) % 2 === 0 ? '' : WITH_A_SCHEME),
  );
  return {
    name: `the key in many other headers, ${round + 1}: ${listed(names)}`,
    valid: false,
    requirement: 'AUTH-5',
    ...together(parts),
    parts,
  };
}

/** The same, and a bearer token that is wrong or empty; so are its parts. */
function besideToken(credential: KeyCredential, what: 'a wrong' | 'an empty', token: string): KeyCredential {
  const beside = inHeader('AUTH-5', fixed(`${credential.name}, beside ${what} bearer token`, WITH_A_SCHEME + token));
  const { parts = [] } = credential;
  return {
    ...credential,
    ...together([beside, credential]),
    name: beside.name,
    parts: parts.length === 0 ? [credential] : parts.map((part) => besideToken(part, what, token)),
  };
}

/** Rounds in which every header has the key bare and after a scheme. */
const ROUNDS_OF_ALL = (2 * KEY_HEADER_NAMES.length) / MOST_KEY_HEADERS;

/** What stands in the Authorization header beside the key in other headers, where all of these fit into a few rounds. */
function inHeadersOfARound(key: string, round: number): KeyCredential {
  const credential = inManyHeaders(key, round);
  const isWhole = credential.parts?.length === MOST_KEY_HEADERS;
  if (!isWhole || round < ROUNDS_OF_ALL) return credential;
  return round < 2 * ROUNDS_OF_ALL
    ? besideToken(credential, 'a wrong', inventedToken(key))
    : besideToken(credential, 'an empty', '');
}

/** A credential that has several parts; one that has only one is that part. */
const inParts = (whole: KeyCredential, parts: readonly KeyCredential[]): KeyCredential =>
  parts.length > 1 ? { ...whole, parts } : whole;

function inManyCookies(key: string): KeyCredential {
  const names = fitting(KEY_COOKIES, key, 0);
  return inParts(
    inCookies(key, names),
    names.map((name) => inCookies(key, [name])),
  );
}

function inManyParameters(key: string, scheme: '' | typeof WITH_A_SCHEME = ''): KeyCredential {
  const names = fitting(KEY_PARAMETERS, encodeURIComponent(scheme + key), 0);
  return inParts(
    inQuery(names, key, scheme),
    names.map((name) => inQuery([name], key, scheme)),
  );
}

/** Rounds in which the key is sent in other headers: without a bearer token, beside a wrong one and beside an empty one. */
const HEADER_ROUNDS = 3 * ROUNDS_OF_ALL;

const inOtherHeaders = (key: string): readonly KeyCredential[] => [
  ...Array.from({ length: HEADER_ROUNDS - 1 }, (_, round) => inHeadersOfARound(key, round)),
  inManyCookies(key),
  inHeadersOfARound(key, HEADER_ROUNDS - 1),
];

const inQueries = (key: string): readonly KeyCredential[] => [
  inManyParameters(key),
  besideToken(inManyParameters(key), 'a wrong', inventedToken(key)),
  besideToken(inManyParameters(key), 'an empty', ''),
  inManyParameters(key, WITH_A_SCHEME),
  ...['api_key', 'apikey', 'access_token'].map((parameter) => inQuery([parameter], key)),
];

/** A key that has nothing to do with the right one. */
export const oneInventedKey = (key: string): KeyCredential => invented(inventedToken(key));

const open = (name: string, before: string, key: string, after = ''): KeyCredential => ({
  ...inHeader('AUTH-8', around(key, name, before, after)),
  isOpen: true,
  // What the right key is answered as wrongly is not owed to how it is written.
  parts: [rightKey(key)],
});

/** The right key with `Bearer` in other letter cases. */
const otherCases = (key: string): readonly KeyCredential[] =>
  OTHER_CASES.map((scheme) => open(`the right key with the scheme written ${scheme}`, `${scheme} `, key));

/** The right key with other blanks around it; those behind it are no part of the value (RFC 9110, 5.5). */
const otherBlanks = (key: string): readonly KeyCredential[] => [
  open('the right key after two blanks', 'Bearer  ', key),
  open('the right key after a tab', 'Bearer\t', key),
  open('the right key before two blanks', 'Bearer ', key, '  '),
];

/** Every kind of credential but the right one, each with examples; a kind may have none where the key is short, or very long. */
export function credentialsByKind(key: string): CredentialsByKind {
  const near = missesByKind(key);
  const kinds: CredentialsByKind = {
    none: [NO_KEY],
    'a header without a key': emptyHeaders(),
    'a made-up key': inventedTokens(key),
    'a made-up key, the scheme in another form': inventedBehind(key),
    'a long key': longKeys(key),
    'a huge key': [],
    'bytes beyond ASCII': beyondAscii(key),
    ...near,
    'more at an end': [longerInLowerCase(key), ...(near['more at an end'] ?? [])],
    'the scheme Basic': inBasic(key),
    'another scheme': inOtherSchemes(key),
    'the scheme in another place': misplaced(key),
    'another header': inOtherHeaders(key),
    'the query': inQueries(key),
    'the scheme in another letter case': otherCases(key),
    'other blanks around the key': otherBlanks(key),
  };
  const bounded = Object.entries(kinds).map(([kind, all]) => [kind, withinBounds(key, all)] as const);
  // Their length is the point.
  return { ...Object.fromEntries(bounded), 'a huge key': hugeKeys(key) };
}

/** Every credential that is built from the key, but the right one. */
export const everyCredential = (key: string): readonly KeyCredential[] => [
  ...Object.values(credentialsByKind(key)).flat(),
  ...Object.values(drawnMisses(key)).flat(),
  ...wordsBehindMarks(key),
];

/** One invalid credential of every kind: the last of its examples. */
export function oneOfEveryKind(key: string): readonly KeyCredential[] {
  return Object.values(credentialsByKind(key))
    .flatMap((all) => all.at(-1) ?? [])
    .filter(({ isOpen }) => isOpen !== true);
}

/** The credentials with those of each requirement in turn: a service may not answer all of them. */
export function requirementsInTurn(all: readonly KeyCredential[]): readonly KeyCredential[] {
  const turnOf = (one: KeyCredential): number =>
    all.slice(0, all.indexOf(one)).filter(({ requirement }) => requirement === one.requirement).length;
  return all.toSorted((one, other) => turnOf(one) - turnOf(other));
}

/** The credential of this name, built from the key; undefined where none can be. */
export function credentialNamed(name: string, key: string): KeyCredential | undefined {
  const all = everyCredential(key);
  const parts = all.flatMap((credential) => credential.parts ?? []);
  return [rightKey(key), KEY_IN_BODY, ...all, ...parts].find((credential) => credential.name === name);
}
