import type { Credential } from '../../http/credential.ts';

/** The environment variable that holds the API key, also in the shell lines of reports. */
export const KEY_VARIABLE = 'PETSTORE_API_KEY';
const KEY = `$${KEY_VARIABLE}`;

/** A parameter expansion of the key in bash. */
const expanded = (operation: string): string => `\${${KEY_VARIABLE}${operation}}`;

/** What a command makes of a text in bash. */
const piped = (command: string, text = KEY): string => `$(printf %s "${text}" | ${command})`;
const shellBase64 = (text: string): string => piped("base64 | tr -d '\\n'", text);
const sed = (script: string): string => piped(`sed '${script}'`);

/** The valid credential of part 5 of the specification: `Authorization: Bearer <API_KEY>`. */
export function rightKey(key: string): Credential {
  return {
    name: 'the right key',
    valid: true,
    headers: [['authorization', `Bearer ${key}`]],
    shown: [['Authorization', `Bearer ${KEY}`]],
    shell: [`Authorization: Bearer ${KEY}`],
  };
}

/** An invalid credential in a header, whose name is sent in lower case; `shell` is the value in terms of the key. */
function inHeader(name: string, header: string, value: string, shell: string, shown = `<${name}>`): Credential {
  return {
    name,
    valid: false,
    headers: [[header.toLowerCase(), value]],
    shown: [[header, shown]],
    shell: [value === '' ? `${header};` : `${header}: ${shell}`],
  };
}

const authorization = (name: string, value: string, shell: string): Credential =>
  inHeader(name, 'Authorization', value, shell);

/** A bearer token that is not the key. */
function bearer(name: string, token: string, shell: string): Credential {
  return inHeader(name, 'Authorization', `Bearer ${token}`, `Bearer ${shell}`, `Bearer <${name}>`);
}

function inQuery(parameter: string, key: string): Credential {
  const encoded = encodeURIComponent(key);
  const shell = encoded.includes('%') ? piped("od -An -v -tx1 | tr -d '\\n' | tr ' ' %") : KEY;
  return {
    name: `the key in the query parameter ${parameter}`,
    valid: false,
    headers: [],
    query: `${parameter}=${encoded}`,
    shown: [],
    shownQuery: `${parameter}=${KEY}`,
    shell: [],
    shellQuery: `${parameter}=${shell}`,
  };
}

export const NO_KEY: Credential = { name: 'no Authorization header', valid: false, headers: [], shown: [], shell: [] };

/** Every way to send no key: without the header, or with a header that holds none. */
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
  'wrong', 'invalid-key', 'null', 'undefined', 'true', '0', 'admin', '*', 'API_KEY', '00000000-0000-4000-8000-000000000000',
]; // biome-ignore format: one table
const inventedToken = (key: string): string => (key === 'wrong' ? 'invalid-key' : 'wrong');
const invented = (token: string): Credential => bearer(`the key "${token}"`, token, token);

/** Keys that have nothing to do with the right one. */
export function inventedKeys(key: string): readonly Credential[] {
  const inOtherCases = OTHER_CASES.map((scheme) => `${scheme} ${inventedToken(key)}`);
  return [
    ...INVENTED.filter((token) => token !== key).map(invented),
    ...inOtherCases.map((value) => authorization(`"${value}"`, value, value)),
  ];
}

/** One of {@link inventedKeys}. */
export const oneInventedKey = (key: string): Credential => invented(inventedToken(key));

/** Another letter or digit; from the other half of the alphabet, so that it is not a neighbouring valid key. */
function otherLetter(letter: string): string {
  if (/[0-9]/.test(letter)) return 'q';
  if (/[a-z]/.test(letter)) return letter === 'q' ? 'j' : 'q';
  if (/[A-Z]/.test(letter)) return letter === 'Q' ? 'J' : 'Q';
  return 'z';
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** {@link otherLetter} of every character, as a script for sed. */
const OTHER_LETTERS = `y/${LETTERS}/${[...LETTERS].map(otherLetter).join('')}/; s/[^qjQJ]/z/g`;

const swapCase = (text: string): string =>
  text.replace(/./gs, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const withAnotherAt = (key: string, at: number): string =>
  key.slice(0, at) + otherLetter(key[at] ?? '') + key.slice(at + 1);
const middleOf = (key: string): number => Math.floor(key.length / 2);
const backwards = (key: string): string => [...key].reverse().join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The near misses that contain no large part of the key and still give it away. */
export function tellingMisses(key: string): readonly string[] {
  return [swapCase(key), withAnotherAt(key, middleOf(key)), backwards(key), base64(key)];
}

/** Keys that differ from the right one in one respect; none is equal to it, and none is empty. */
export function nearMisses(key: string): readonly Credential[] {
  const middle = middleOf(key);
  const other = (at: number): string => otherLetter(key.at(at) ?? '');
  const misses: readonly (readonly [name: string, token: string, shell: string])[] = [
    ['the key without its last character', key.slice(0, -1), expanded('%?')],
    ['the key without its first character', key.slice(1), expanded('#?')],
    ['the first half of the key', key.slice(0, middle), expanded(`:0:${middle}`)],
    ['the first character of the key', key.slice(0, 1), expanded(':0:1')],
    ['the key and one more character', `${key}x`, `${expanded('')}x`],
    ['one more character and the key', `x${key}`, `x${KEY}`],
    ['the key twice', key + key, KEY + KEY],
    ['the key in upper case', key.toUpperCase(), expanded('^^')],
    ['the key in lower case', key.toLowerCase(), expanded(',,')],
    ['the key with the case of its letters swapped', swapCase(key), expanded('~~')],
    ['the key with another first character', withAnotherAt(key, 0), sed(`s/^./${other(0)}/`)],
    [
      'the key with another character in the middle',
      withAnotherAt(key, middle),
      sed(`s/./${other(middle)}/${middle + 1}`),
    ],
    ['the key with another last character', withAnotherAt(key, key.length - 1), sed(`s/.$/${other(-1)}/`)],
    ['other letters in the same length', [...key].map(otherLetter).join(''), sed(OTHER_LETTERS)],
    ['the key backwards', backwards(key), piped('rev')],
    ['the key in quotation marks', `"${key}"`, `\\"${KEY}\\"`],
    ['the key and another word', `${key} extra`, `${KEY} extra`],
    ['another word and the key', `extra ${key}`, `extra ${KEY}`],
    ['the key and another key after a comma', `${key},other`, `${KEY},other`],
    ['the key in Base64', base64(key), shellBase64(KEY)],
    ['the key with a percent sign for a wildcard', `${key.slice(0, 2)}%`, `${expanded(':0:2')}%`],
  ];
  return misses.filter(([, token]) => token !== key && token !== '').map((miss) => bearer(...miss));
}

/** The right key in another scheme, or elsewhere than in the Authorization header. */
export function otherSchemes(key: string): readonly Credential[] {
  const around = (name: string, before: string, after = '', header = 'Authorization'): Credential =>
    inHeader(name, header, `${before}${key}${after}`, `${before}${KEY}${after}`);
  const basic = (name: string, before: string, after: string): Credential =>
    authorization(name, `Basic ${base64(before + key + after)}`, `Basic ${shellBase64(before + KEY + after)}`);
  return [
    around('the key without a scheme', ''),
    basic('the key in the scheme Basic, as the user', '', ':'),
    basic('the key in the scheme Basic, as the password', ':', ''),
    around('the key in the scheme Basic, not encoded', 'Basic '),
    ...['Token', 'ApiKey', 'Digest', 'Bear', 'Bearers'].map((scheme) =>
      around(`the key in the scheme ${scheme}`, `${scheme} `),
    ),
    around('Bearer and the key without a space', 'Bearer'),
    around('Bearer and the key with a colon', 'Bearer:'),
    around('Bearer written twice', 'Bearer Bearer '),
    around('the key before the scheme', '', ' Bearer'),
    around('the key in X-API-Key', '', '', 'X-API-Key'),
    ...['X-Authorization', 'Proxy-Authorization'].map((header) =>
      around(`the key in ${header}`, 'Bearer ', '', header),
    ),
    inHeader('the key in a cookie', 'Cookie', `token=${key}; api_key=${key}`, `token=${KEY}; api_key=${KEY}`),
    ...['api_key', 'access_token', 'token'].map((parameter) => inQuery(parameter, key)),
  ];
}

/** A few wrong keys of different kinds: none, two that have nothing to do with the right one, three that nearly are it. */
export function someWrongKeys(key: string): readonly Credential[] {
  return [NO_KEY, ...inventedKeys(key).slice(0, 2), ...nearMisses(key).slice(0, 3)];
}

/** The right key with `Bearer` in other letter cases. */
export function otherCases(key: string): readonly Credential[] {
  return OTHER_CASES.map((scheme) =>
    authorization(`the right key with the scheme written ${scheme}`, `${scheme} ${key}`, `${scheme} ${KEY}`),
  );
}

/** The credential of this name, built from the key; undefined where none can be. */
export function credentialNamed(name: string, key: string): Credential | undefined {
  const sets = [missingKeys, inventedKeys, nearMisses, otherSchemes, otherCases];
  return [rightKey(key), ...sets.flatMap((of) => of(key))].find((credential) => credential.name === name);
}
