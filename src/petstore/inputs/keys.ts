import type { Credential } from '../../http/credential.ts';

type Header = readonly [name: string, value: string];

/** The shell's name for the key, in double quotes. */
const KEY = '$PETSTORE_API_KEY';

interface Wrong {
  readonly name: string;
  readonly headers: readonly Header[];
  readonly shown: readonly Header[];
  readonly shell: readonly string[];
  readonly query?: string;
  readonly shellQuery?: string;
}

const wrong = (parts: Wrong): Credential => ({ ...parts, right: false });

/** `Authorization: Bearer …` with a token that is not the key; `shell` is the token in terms of the key. */
function bearer(name: string, token: string, shell: string): Credential {
  return wrong({
    name,
    headers: [['authorization', `Bearer ${token}`]],
    shown: [['Authorization', `Bearer <${name}>`]],
    shell: [`Authorization: Bearer ${shell}`],
  });
}

/** Another Authorization header altogether. */
function authorization(name: string, value: string, shell: string): Credential {
  return wrong({
    name,
    headers: [['authorization', value]],
    shown: [['Authorization', `<${name}>`]],
    shell: [value === '' ? 'Authorization;' : `Authorization: ${shell}`],
  });
}

function elsewhere(name: string, header: string, value: string, shell: string): Credential {
  return wrong({ name, headers: [[header, value]], shown: [[header, `<${name}>`]], shell: [`${header}: ${shell}`] });
}

/** No credentials at all. */
export const NO_KEY: Credential = wrong({ name: 'no Authorization header', headers: [], shown: [], shell: [] });

/** The ways of sending no key: no header, or one with nothing in it. */
export function missingKeys(): readonly Credential[] {
  return [
    NO_KEY,
    authorization('an empty Authorization header', '', ''),
    authorization('Bearer without a key', 'Bearer', 'Bearer'),
    authorization('Bearer and a space without a key', 'Bearer ', 'Bearer '),
  ];
}

const OTHER_CASES = ['bearer', 'BEARER', 'bEaReR'];

const INVENTED = [
  'wrong',
  'invalid-key',
  'null',
  'undefined',
  'true',
  '0',
  'admin',
  '*',
  'API_KEY',
  '00000000-0000-4000-8000-000000000000',
];

/** Keys that have nothing to do with the right one. */
export function inventedKeys(key: string): readonly Credential[] {
  const tokens = INVENTED.filter((token) => token !== key);
  const inOtherCases = OTHER_CASES.map((scheme) => `${scheme} ${tokens[0]}`);
  return [
    ...tokens.map((token) => bearer(`the key "${token}"`, token, token)),
    ...inOtherCases.map((value) => authorization(`"${value}"`, value, value)),
  ];
}

/** Another letter or digit of the same kind; the alphabet's other half, so that a neighbouring valid key is not hit. */
function otherLetter(letter: string): string {
  if (/[0-9]/.test(letter)) return 'q';
  if (/[a-z]/.test(letter)) return letter === 'q' ? 'j' : 'q';
  if (/[A-Z]/.test(letter)) return letter === 'Q' ? 'J' : 'Q';
  return 'z';
}

function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** What {@link otherLetter} does to every character: letters and digits become one of four letters, all else a z. */
const OTHER_LETTERS = `y/${LETTERS}/${[...LETTERS].map(otherLetter).join('')}/; s/[^qjQJ]/z/g`;

const sed = (script: string): string => `$(printf %s "${KEY}" | sed '${script}')`;

const withAnotherAt = (key: string, at: number): string =>
  key.slice(0, at) + otherLetter(key[at] ?? '') + key.slice(at + 1);

const middleOf = (key: string): number => Math.floor(key.length / 2);

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

const backwards = (key: string): string => [...key].reverse().join('');

/** Near misses that hold no large part of the key as it stands, and give it away all the same. */
export function tellingMisses(key: string): readonly string[] {
  return [swapCase(key), withAnotherAt(key, middleOf(key)), backwards(key), inBase64(key)];
}

/** Keys that differ from the right one in one respect; none of them equals it, and none is empty. */
export function nearMisses(key: string): readonly Credential[] {
  const middle = middleOf(key);
  const candidates: readonly (readonly [name: string, token: string, shell: string])[] = [
    ['the key without its last character', key.slice(0, -1), '${PETSTORE_API_KEY%?}'],
    ['the key without its first character', key.slice(1), '${PETSTORE_API_KEY#?}'],
    ['the first half of the key', key.slice(0, middle), `\${PETSTORE_API_KEY:0:${middle}}`],
    ['the first character of the key', key.slice(0, 1), '${PETSTORE_API_KEY:0:1}'],
    ['the key and one more character', `${key}x`, '${PETSTORE_API_KEY}x'],
    ['one more character and the key', `x${key}`, `x${KEY}`],
    ['the key twice', key + key, `${KEY}${KEY}`],
    ['the key in upper case', key.toUpperCase(), '${PETSTORE_API_KEY^^}'],
    ['the key in lower case', key.toLowerCase(), '${PETSTORE_API_KEY,,}'],
    ['the key with the case of its letters swapped', swapCase(key), '${PETSTORE_API_KEY~~}'],
    ['the key with another first character', withAnotherAt(key, 0), sed(`s/^./${otherLetter(key[0] ?? '')}/`)],
    [
      'the key with another character in the middle',
      withAnotherAt(key, middle),
      sed(`s/./${otherLetter(key[middle] ?? '')}/${middle + 1}`),
    ],
    [
      'the key with another last character',
      withAnotherAt(key, key.length - 1),
      sed(`s/.$/${otherLetter(key.at(-1) ?? '')}/`),
    ],
    ['other letters in the same length', [...key].map(otherLetter).join(''), sed(OTHER_LETTERS)],
    ['the key backwards', backwards(key), `$(printf %s "${KEY}" | rev)`],
    ['the key in quotation marks', `"${key}"`, `\\"${KEY}\\"`],
    ['the key and another word', `${key} extra`, `${KEY} extra`],
    ['another word and the key', `extra ${key}`, `extra ${KEY}`],
    ['the key and another key after a comma', `${key},other`, `${KEY},other`],
    ['the key in Base64', inBase64(key), `$(printf %s "${KEY}" | base64 | tr -d '\\n')`],
    ['the key with a percent sign for a wildcard', `${key.slice(0, 2)}%`, '${PETSTORE_API_KEY:0:2}%'],
  ];
  return candidates
    .filter(([, token]) => token !== key && token !== '')
    .map(([name, token, shell]) => bearer(name, token, shell));
}

/** The right key under another scheme, or in another place than the Authorization header. */
export function otherSchemes(key: string): readonly Credential[] {
  return [
    authorization('the key without a scheme', key, KEY),
    authorization(
      'the key in the scheme Basic, as the user',
      `Basic ${inBase64(`${key}:`)}`,
      `Basic $(printf %s "${KEY}:" | base64 | tr -d '\\n')`,
    ),
    authorization(
      'the key in the scheme Basic, as the password',
      `Basic ${inBase64(`:${key}`)}`,
      `Basic $(printf %s ":${KEY}" | base64 | tr -d '\\n')`,
    ),
    authorization('the key in the scheme Basic, as it stands', `Basic ${key}`, `Basic ${KEY}`),
    authorization('the key in the scheme Token', `Token ${key}`, `Token ${KEY}`),
    authorization('the key in the scheme ApiKey', `ApiKey ${key}`, `ApiKey ${KEY}`),
    authorization('the key in the scheme Digest', `Digest ${key}`, `Digest ${KEY}`),
    authorization('the key in the scheme Bear', `Bear ${key}`, `Bear ${KEY}`),
    authorization('the key in the scheme Bearers', `Bearers ${key}`, `Bearers ${KEY}`),
    authorization('Bearer and the key without a space', `Bearer${key}`, `Bearer${KEY}`),
    authorization('Bearer and the key with a colon', `Bearer:${key}`, `Bearer:${KEY}`),
    authorization('Bearer written twice', `Bearer Bearer ${key}`, `Bearer Bearer ${KEY}`),
    authorization('the key before the scheme', `${key} Bearer`, `${KEY} Bearer`),
    elsewhere('the key in X-API-Key', 'X-API-Key', key, KEY),
    elsewhere('the key in X-Authorization', 'X-Authorization', `Bearer ${key}`, `Bearer ${KEY}`),
    elsewhere('the key in Proxy-Authorization', 'Proxy-Authorization', `Bearer ${key}`, `Bearer ${KEY}`),
    elsewhere('the key in a cookie', 'Cookie', `token=${key}; api_key=${key}`, `token=${KEY}; api_key=${KEY}`),
    inQuery('api_key', key),
    inQuery('access_token', key),
    inQuery('token', key),
  ];
}

function inQuery(parameter: string, key: string): Credential {
  return wrong({
    name: `the key in the query parameter ${parameter}`,
    headers: [],
    shown: [],
    shell: [],
    query: `${parameter}=${encodeURIComponent(key)}`,
    shellQuery: `${parameter}=${KEY}`,
  });
}

/** The right key with `bearer` written in other letter cases. */
export function otherCases(key: string): readonly Credential[] {
  return OTHER_CASES.map((scheme) =>
    authorization(`the right key with the scheme written ${scheme}`, `${scheme} ${key}`, `${scheme} ${KEY}`),
  );
}
