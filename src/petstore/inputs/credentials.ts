import type { Credential } from '../../http/credential.ts';
import type { Exchange } from '../../http/exchange.ts';
import { grouped } from '../../report/model/text.ts';
import { MOST_HEAD_BYTES } from './sizes.ts';

/** A credential of this service, and what the specification says of it. */
export interface KeyCredential extends Credential {
  /** The requirement that says what becomes of a request with it. */
  readonly requirement: KeyRequirement;
  /** True where the specification does not say whether it gives access. */
  readonly isOpen?: boolean;
  /** Where several things about it are unusual, each of them alone; where it may be valid, the right key. */
  readonly parts?: readonly KeyCredential[];
  /** The exchange that it was taken from, where it is not built from the key. */
  readonly source?: Exchange;
}

export type KeyRequirement = 'AUTH-1' | 'AUTH-2' | 'AUTH-3' | 'AUTH-4' | 'AUTH-5' | 'AUTH-8';

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
export function rightKey(key: string): KeyCredential {
  return {
    name: 'the right key',
    valid: true,
    requirement: 'AUTH-1',
    headers: [['Authorization', `Bearer ${key}`]],
    shown: [['Authorization', `Bearer ${KEY}`]],
    shell: [`Authorization: Bearer ${KEY}`],
  };
}

/** The same credential, its Authorization header under this name, which differs from that in its letter case. */
export function underHeader(header: string, credential: KeyCredential): KeyCredential {
  const renamed = ([name, value]: readonly [string, string]) =>
    [name.toLowerCase() === 'authorization' ? header : name, value] as const;
  return {
    ...credential,
    headers: credential.headers.map(renamed),
    shown: credential.shown.map(renamed),
    shell: credential.shell.map((line) => line.replace(/^authorization(?=[:;])/i, header)),
  };
}

/** A name for a credential, what is sent, and the same in terms of the key, in double-quoted shell form. */
type Sent = readonly [name: string, value: string, shell: string];

/** An invalid credential in a header, whose name is sent in lower case; `shell` is the value in terms of the key. */
function inHeader(
  requirement: KeyRequirement,
  [name, value, shell]: Sent,
  header: string,
  shown = `<${name}>`,
): KeyCredential {
  return {
    name,
    valid: false,
    requirement,
    headers: [[header.toLowerCase(), value]],
    shown: [[header, shown]],
    shell: [value === '' ? `${header};` : `${header}: ${shell}`],
  };
}

const authorization = (requirement: KeyRequirement, ...sent: Sent): KeyCredential =>
  inHeader(requirement, sent, 'Authorization');

/** A bearer token that is not the key. */
function bearer(requirement: KeyRequirement, name: string, token: string, shell: string): KeyCredential {
  return inHeader(requirement, [name, `Bearer ${token}`, `Bearer ${shell}`], 'Authorization', `Bearer <${name}>`);
}

/** The text with each byte percent-encoded, in bash. */
const PERCENT_ENCODED = "od -An -v -tx1 | tr -d '\\n' | tr ' ' %";

export const WITH_A_SCHEME = 'Bearer ';

/** The key in the query, under these names at once. */
function inQuery(parameters: readonly string[], key: string, scheme: '' | typeof WITH_A_SCHEME = ''): KeyCredential {
  const encoded = encodeURIComponent(key);
  const before = encodeURIComponent(scheme);
  const written = (value: string): string => parameters.map((parameter) => `${parameter}=${before}${value}`).join('&');
  return {
    name: `the key in the query parameter ${listed(parameters)}${scheme === '' ? '' : ', after Bearer'}`,
    valid: false,
    requirement: 'AUTH-5',
    headers: [],
    query: written(encoded),
    shown: [],
    shownQuery: written(KEY),
    shell: [],
    shellQuery: written(encoded.includes('%') ? piped(PERCENT_ENCODED) : KEY),
  };
}

/** The names in a few words. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

export const NO_KEY: KeyCredential = {
  name: 'no Authorization header',
  valid: false,
  requirement: 'AUTH-2',
  headers: [],
  shown: [],
  shell: [],
};

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
  return Object.entries(values).map(([name, value]) => authorization('AUTH-2', name, value, value));
}

/** Every way to send no key: without the header, or with a header that holds none. */
export const missingKeys = (): readonly KeyCredential[] => [NO_KEY, ...emptyHeaders()];

const OTHER_CASES = ['bearer', 'BEARER', 'bEaReR'];

const INVENTED = [
  'constructor', "' OR '1'='1", 'null', 'wrong', 'invalid-key', 'undefined', 'API_KEY', 'true', '0', 'admin', '*', 'none', 'test',
  '00000000-0000-4000-8000-000000000000', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
]; // biome-ignore format: one table
const inventedToken = (key: string): string => (key === 'wrong' ? 'invalid-key' : 'wrong');
const invented = (token: string): KeyCredential => bearer('AUTH-3', `the key "${token}"`, token, token);

const inventedTokens = (key: string): readonly KeyCredential[] =>
  INVENTED.filter((token) => token !== key).map(invented);

/** A made-up key after the scheme in other letter cases, or after more blanks. */
const inventedBehind = (key: string): readonly KeyCredential[] =>
  ['bearer', 'Bearer ', ...OTHER_CASES.slice(1)]
    .map((scheme) => `${scheme} ${inventedToken(key)}`)
    .map((value) => authorization('AUTH-3', `"${value}"`, value, value));

/** The right key after the scheme in lower case, and more behind it. */
const longerInLowerCase = (key: string): KeyCredential =>
  authorization('AUTH-4', 'the key and more after bearer', `bearer ${key}123`, `bearer ${expanded('')}123`);

/** A text of so many letters in bash. */
const letters = (count: number): string => `$(head -c ${count} /dev/zero | tr '\\0' x)`;

/** Keys of so many characters: made up, and the right one with more behind it. */
function ofLength(length: number, key: string): readonly KeyCredential[] {
  const more = Math.max(1, length - key.length);
  const words = grouped(length);
  return [
    bearer('AUTH-3', `a key of ${words} characters`, 'x'.repeat(length), letters(length)),
    bearer(
      'AUTH-4',
      `the key, filled up to ${words} characters`,
      key + 'x'.repeat(more),
      `${expanded('')}${letters(more)}`,
    ),
  ];
}

const longKeys = (key: string): readonly KeyCredential[] => [...ofLength(512, key), ...ofLength(2_048, key)];
/** As long as a header is on which many servers give up. */
const HUGE_LENGTH = 8_192;
const hugeKeys = (key: string): readonly KeyCredential[] => ofLength(HUGE_LENGTH, key);

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

/** Bytes beyond ASCII, Latin-1 here and in bash. */
const bytes = (...codes: readonly number[]): { readonly text: string; readonly shell: string } => ({
  text: String.fromCharCode(...codes),
  shell: `$(printf '${codes.map((code) => `\\${code.toString(8)}`).join('')}')`,
});

/** Keys with bytes that no key has; none of them is a blank to anybody, as some services trim every blank of Unicode. */
function beyondAscii(key: string): readonly KeyCredential[] {
  const [accent, utf8, invalid, dot] = [bytes(0xe9), bytes(0xc3, 0xa9), bytes(0xff, 0xfe), bytes(0xc2, 0xb7)];
  const word = (part: { readonly text: string; readonly shell: string }) =>
    [`cl${part.text}`, `cl${part.shell}`] as const;
  return [
    bearer('AUTH-3', 'a word with an accent in Latin-1', ...word(accent)),
    ...misses(key, [
      [
        'the key with an accented letter in Latin-1 in the middle',
        withAt(key, middleOf(key), accent.text),
        `${expanded(`:0:${middleOf(key)}`)}${accent.shell}${expanded(`:${middleOf(key) + 1}`)}`,
      ],
    ]),
    bearer('AUTH-3', 'a word with an accent in UTF-8', ...word(utf8)),
    bearer('AUTH-3', 'a word with bytes that are not UTF-8', ...word(invalid)),
    bearer('AUTH-4', 'the key and an accented letter in Latin-1', key + accent.text, `${KEY}${accent.shell}`),
    bearer('AUTH-4', 'an accented letter in UTF-8 and the key', utf8.text + key, `${utf8.shell}${KEY}`),
    bearer('AUTH-4', 'the key and a middle dot in UTF-8', key + dot.text, `${KEY}${dot.shell}`),
    bearer('AUTH-4', 'the key and a byte that is not UTF-8', key + invalid.text, `${KEY}${invalid.shell}`),
  ];
}

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
const withAt = (key: string, at: number, letter: string): string => key.slice(0, at) + letter + key.slice(at + 1);
const withAnotherAt = (key: string, at: number): string => withAt(key, at, otherLetter(key[at] ?? ''));
/** What stands for every second character of a key, where they are changed. */
const ANOTHER = 'q';
const everySecondChanged = (key: string): string => key.replace(/(.)./gs, `$1${ANOTHER}`);
const middleOf = (key: string): number => Math.floor(key.length / 2);
const quarterOf = (key: string): number => Math.floor(key.length / 4);
const backwards = (key: string): string => [...key].reverse().join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64Url = (text: string): string => Buffer.from(text).toString('base64url');
const hexadecimal = (text: string): string => Buffer.from(text).toString('hex');
const percentEncoded = (text: string): string => hexadecimal(text).replace(/../g, '%$&');
/** With the character at a place and the one behind it in the other order. */
const swappedAt = (key: string, at: number): string =>
  key.slice(0, at) + (key[at + 1] ?? '') + (key[at] ?? '') + key.slice(at + 2);
const doubledAt = (key: string, at: number): string => key.slice(0, at + 1) + key.slice(at);
const withoutAt = (key: string, at: number): string => key.slice(0, at) + key.slice(at + 1);

/** The near misses that contain no large part of the key and still give it away. */
export function tellingMisses(key: string): readonly string[] {
  // What differs from the key at an end holds a large part of it, which is removed as such.
  const [middle, quarter] = [middleOf(key), quarterOf(key)];
  const inTheMiddle = [
    ...[withAnotherAt, swappedAt, doubledAt, withoutAt].map((changed) => changed(key, middle)),
    ...[quarter, middle + quarter].map((place) => withAnotherAt(key, place)),
    everySecondChanged(key),
    withAt(key, middle, '_'),
    withAt(key, middle, '\u00e9'),
  ];
  const halves = [key.slice(0, middle), key.slice(middle)].filter((half) => !isWord(half));
  const changed = changesOfOne(key).map(([, token]) => token);
  return [
    ...[swapCase(key), backwards(key), base64(key), hexadecimal(key), percentEncoded(key)],
    ...new Set([...inTheMiddle, ...changed]),
    ...halves,
  ];
}

/** Whether part of a key may be a word that reports need, such as the name of a variable. */
const isWord = (text: string): boolean => text.length < 6 || /^(?:[A-Z_-]?[a-z_-]*|[A-Z_-]*)$/.test(text);

/** Characters that another alphabet of Base64 has in the same place, and such as look alike. */
const TWINS: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '/': '_',
  _: '/',
  0: 'O',
  O: '0',
  1: 'l',
  l: '1',
  I: 'l',
};

/** Most places in which one character is changed, spread over the key. */
const PLACES = 12;
const MOST_TWINS = 4;

/** The key with one of its characters changed, wherever that is. */
function changesOfOne(key: string): readonly Sent[] {
  const changedAt = (place: number, change: string, what: string): Sent => {
    const token = key.slice(0, place) + change + key.slice(place + 1);
    const script = sed(`s/./${change === '/' ? '\\/' : change}/${place + 1}`);
    return [`the key with ${what} at place ${place + 1}`, token, script];
  };
  const count = Math.min(PLACES, key.length);
  const places = Array.from({ length: count }, (_, at) => Math.floor((at * key.length) / count));
  const twins = [...key].flatMap((letter, place) => {
    const twin = TWINS[letter];
    return twin === undefined ? [] : [changedAt(place, twin, `${twin} for its twin`)];
  });
  const others = places.map((place) => changedAt(place, otherLetter(key[place] ?? ''), 'another character'));
  return [...others, ...twins.slice(0, MOST_TWINS)];
}

/**
 * Near misses that are sent in every run: a character of each half changed, padding of Base64, a word before the key, and
 * one behind each mark that may end it.
 */
export const tellingNearMisses = (key: string): readonly KeyCredential[] => [
  ...misses(key, [
    ...changesOfEachHalf(key),
    ['the key and two equals signs', `${key}==`, `${KEY}==`],
    ['a word and a blank before the key', `xq7 ${key}`, `xq7 ${KEY}`],
  ]),
  ...wordsBehindMarks(key),
];

/** The key with a character in the middle of each of its halves changed. */
function changesOfEachHalf(key: string): readonly Sent[] {
  const quarter = quarterOf(key);
  const changedAt = (place: number, half: string): Sent => [
    `the key with another character in its ${half} half`,
    withAnotherAt(key, place),
    sed(`s/./${otherLetter(key[place] ?? '')}/${place + 1}`),
  ];
  return [changedAt(quarter, 'first'), changedAt(middleOf(key) + quarter, 'second')];
}

/** The right key, and a word behind each mark that may end it for a service. */
const wordsBehindMarks = (key: string): readonly KeyCredential[] =>
  misses(
    key,
    [':', ';', '.', '|', '/', '-', '_', '@', '#', '~'].map(
      (mark): Sent => [`the key and a word after ${mark}`, `${key}${mark}xq7`, `${expanded('')}${mark}xq7`],
    ),
  );

/** Every mark of ASCII. */
const MARKS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

/** Near misses of the kinds of {@link missesByKind} of which there are too many to send them all: some are drawn. */
export function drawnMisses(key: string): Readonly<Record<string, readonly KeyCredential[]>> {
  const escaped = (text: string): string => text.replace(/["`\\$]/g, '\\$&');
  const beside = (before: string, after: string): Sent => [
    `the key ${[before && `after ${before}`, after && `before ${after}`].filter(Boolean).join(' and ')}`,
    `${before}${key}${after}`,
    `${escaped(before)}${expanded('')}${escaped(after)}`,
  ];
  const kinds: Readonly<Record<string, readonly Sent[]>> = {
    'another character in the middle': changesOfOne(key),
    'in quotes or brackets': MARKS.map((mark) => beside(mark, mark)),
    'a word beside it': MARKS.flatMap((mark) => [beside('', `${mark}x`), beside(`x${mark}`, '')]),
    'a list': MARKS.flatMap((mark) => [beside('', mark), beside(mark, '')]),
  };
  return Object.fromEntries(Object.entries(kinds).map(([kind, all]) => [kind, misses(key, all)]));
} // biome-ignore format: one line

/** Near misses of one kind: what is left where they are equal to the key, empty, or equal to each other. */
function misses(key: string, all: readonly Sent[]): readonly KeyCredential[] {
  const tokens = all.map(([, token]) => token);
  return all
    .filter(([, token], at) => token !== key && token.trim() !== '' && tokens.indexOf(token) === at)
    .map(([name, token, shell]) => bearer('AUTH-4', name, token, shell));
}

/** Keys that differ from the right one in one respect, by kind. */
function missesByKind(key: string): Readonly<Record<string, readonly KeyCredential[]>> {
  const middle = middleOf(key);
  const last = key.length - 1;
  const other = (at: number): string => otherLetter(key.at(at) ?? '');
  const wrapped = (name: string, before: string, after: string, quoted = (text: string) => text): Sent => [
    name,
    `${before}${key}${after}`,
    `${quoted(before)}${expanded('')}${quoted(after)}`,
  ];
  const escaped = (text: string): string => text.replace(/["`\\$]/g, '\\$&');
  const first = key.slice(0, 1);
  const firstInHex = `$(printf %s "${expanded(':0:1')}" | od -An -v -tx1 | tr -d ' \\n')`;
  const kinds: Readonly<Record<string, readonly Sent[]>> = {
    'another first character': [
      ['the key with another first character', withAnotherAt(key, 0), sed(`s/^./${other(0)}/`)],
    ],
    'another character in the middle': [
      ['the key with every second character changed', everySecondChanged(key), sed(`s/\\(.\\)./\\1${ANOTHER}/g`)],
      ['the key with an underscore in the middle', withAt(key, middle, '_'), sed(`s/./_/${middle + 1}`)],
      ['the key with another character in the middle', withAnotherAt(key, middle), sed(`s/./${other(middle)}/${middle + 1}`)],
      ...changesOfEachHalf(key),
      ['other letters in the same length', [...key].map(otherLetter).join(''), sed(OTHER_LETTERS)],
    ],
    'another last character': [
      ['the key with another last character', withAnotherAt(key, last), sed(`s/.$/${other(-1)}/`)],
    ],
    'other letter case': [
      ['the key in upper case', key.toUpperCase(), expanded('^^')],
      ['the key in lower case', key.toLowerCase(), expanded(',,')],
      ['the key with the case of its letters swapped', swapCase(key), expanded('~~')],
      ['the key with the case of its first letter swapped', swapCase(first) + key.slice(1), expanded('~')],
    ],
    'characters in another order': [
      ['the key with its first two characters swapped', swappedAt(key, 0), sed('s/^\\(.\\)\\(.\\)/\\2\\1/')],
      ['the key with its last two characters swapped', swappedAt(key, Math.max(0, last - 1)), sed('s/\\(.\\)\\(.\\)$/\\2\\1/')],
      ['the key with two characters in the middle swapped', swappedAt(key, middle), sed(`s/^\\(.\\{${middle}\\}\\)\\(.\\)\\(.\\)/\\1\\3\\2/`)],
      ['the key backwards', backwards(key), piped('rev')],
    ],
    'characters doubled': [
      ['the key twice', key + key, KEY + KEY],
      ['the key with its first character doubled', doubledAt(key, 0), sed('s/^./&&/')],
      ['the key with its last character doubled', doubledAt(key, last), sed('s/.$/&&/')],
      ['the key with a character in the middle doubled', doubledAt(key, middle), sed(`s/./&&/${middle + 1}`)],
    ],
    'cut at its end': [
      ['the key without its last character', key.slice(0, -1), expanded('%?')],
      ['the key without its last two characters', key.slice(0, -2), expanded('%??')],
      ['the first half of the key', key.slice(0, middle), expanded(`:0:${middle}`)],
    ],
    'cut at its start': [
      ['the key without its first character', key.slice(1), expanded('#?')],
      ['the key without its first two characters', key.slice(2), expanded('#??')],
      ['the second half of the key', key.slice(middle), expanded(`:${middle}`)],
    ],
    'a part, or a pattern of it': [
      ['the first character of the key', first, expanded(':0:1')],
      ['the key with a percent sign for a wildcard', `${key.slice(0, 2)}%`, `${expanded(':0:2')}%`],
      ['the key with an asterisk for a wildcard', `${key.slice(0, 2)}*`, `${expanded(':0:2')}*`],
      ['the key without a character in the middle', withoutAt(key, middle), sed(`s/.//${middle + 1}`)],
      ['a pattern that every key fits', '.*', '.*'],
      wrapped('the key as a pattern', '^', '$', escaped),
      ['a percent sign that every key fits', '%', '%'],
    ],
    'more at an end': [
      wrapped('the key and one more character', '', 'x'),
      wrapped('one more character and the key', 'x', ''),
      wrapped('the key and a full stop', '', '.'),
      wrapped('the key and a slash', '', '/'),
      wrapped('the key and an equals sign', '', '='),
      wrapped('the key and a colon', '', ':'),
      wrapped('the key and a semicolon', '', ';'),
    ],
    'in quotes or brackets': [
      wrapped('the key in quotation marks', '"', '"', escaped),
      wrapped('the key in single quotes', "'", "'"),
      wrapped('the key in angle brackets', '<', '>'),
      wrapped('the key in braces', '{', '}'),
      wrapped('the key in parentheses', '(', ')'),
      wrapped('the key in backticks', '`', '`', escaped),
    ],
    encoded: [
      ['the key in Base64', base64(key), shellBase64(KEY)],
      ['the key percent-encoded', percentEncoded(key), piped(PERCENT_ENCODED)],
      ['the key with its first character percent-encoded', percentEncoded(first) + key.slice(1), `%${firstInHex}${expanded(':1')}`],
      ['the key in hexadecimal', hexadecimal(key), piped("od -An -v -tx1 | tr -d ' \\n'")],
      ['the key in Base64 for URLs', base64Url(key), piped("base64 | tr -d '=\\n' | tr '+/' '-_'")],
    ],
    'a word beside it': [
      wrapped('the key and another word', '', ' extra'),
      wrapped('the key after a name, in quotation marks', 'token="', '"', escaped),
      wrapped('the key after a number and a bar', '7|', ''),
      wrapped('another word and the key', 'extra ', ''),
      wrapped('the key after its name', 'key=', ''),
      wrapped('the key after another key and a space', 'other ', ''),
    ],
    'a list': [
      wrapped('the key and another key after a comma', '', ',other'),
      wrapped('another key and the key after a comma', 'other,', ''),
      wrapped('the key and a second credential', '', ', Bearer other'),
      wrapped('the key as the second credential', 'other, Bearer ', ''),
      wrapped('the key and a comma', '', ','),
    ],
  }; // biome-ignore format: one table
  return Object.fromEntries(Object.entries(kinds).map(([kind, all]) => [kind, misses(key, all)]));
}

/** The key in other letter cases, where it has letters: in upper case first. */
export const inOtherCases = (key: string): readonly KeyCredential[] => missesByKind(key)['other letter case'] ?? [];

/** Keys that differ from the right one in one respect; none is equal to it, and none is empty. */
export const nearMisses = (key: string): readonly KeyCredential[] => Object.values(missesByKind(key)).flat();

const around = (key: string, name: string, before: string, after = '', header = 'Authorization'): KeyCredential =>
  inHeader('AUTH-5', [name, `${before}${key}${after}`, `${before}${expanded('')}${after}`], header);

function inBasic(key: string): readonly KeyCredential[] {
  const basic = (name: string, before: string, after: string): KeyCredential =>
    authorization(
      'AUTH-5',
      name,
      `Basic ${base64(before + key + after)}`,
      `Basic ${shellBase64(before + KEY + after)}`,
    );
  const asUser = basic('the key in the scheme Basic, as the user with a password', '', ':x-oauth-basic');
  const asPassword = basic('the key in the scheme Basic, as the password of a user', 'api:', '');
  const name = 'the key in the scheme Basic, as the user and the password';
  const asBoth = authorization(
    'AUTH-5',
    name,
    `Basic ${base64(`${key}:${key}`)}`,
    `Basic ${shellBase64(`${KEY}:${KEY}`)}`,
  );
  return [
    asBoth,
    basic('the key in the scheme Basic, as the user', '', ':'),
    around(key, 'the key in the scheme Basic, not encoded', 'Basic '),
    basic('the key in the scheme Basic, as the password', ':', ''),
    asPassword,
    basic('the key in the scheme Basic, alone', '', ''),
    basic('the key in the scheme Basic, as the password of a bot', 'x-access-token:', ''),
    asUser,
  ];
}

const inOtherSchemes = (key: string): readonly KeyCredential[] => [
  around(key, 'the key without a scheme', ''),
  ...['Token', 'ApiKey', 'Bear', 'Bearers', 'Digest', 'JWT', 'OAuth'].map((scheme) =>
    around(key, `the key in the scheme ${scheme}`, `${scheme} `),
  ),
];

const misplaced = (key: string): readonly KeyCredential[] => [
  around(key, 'Bearer and the key without a space', 'Bearer'),
  around(key, 'the key before the scheme', '', ' Bearer'),
  around(key, 'the key behind a scheme and Bearer', 'Basic Bearer '),
  around(key, 'Bearer written twice', 'Bearer Bearer '),
  around(key, 'Bearer and the key with a colon', 'Bearer:'),
  around(key, 'Bearer, a colon, a space and the key', 'Bearer: '),
  around(key, 'Bearer and the key with an equals sign', 'Bearer='),
  around(key, 'the key behind a scheme, a comma and Bearer', 'Basic, Bearer '),
];

/** The key under one header but Authorization. */
function inOtherHeader(key: string, header: string, scheme: '' | typeof WITH_A_SCHEME): KeyCredential {
  return around(key, `the key in ${header}${scheme === '' ? '' : ', after Bearer'}`, scheme, '', header);
}

/** The key in a cookie of each of these names. */
function inCookies(key: string, names: readonly string[]): KeyCredential {
  const written = (value: string): string => names.map((name) => `${name}=${value}`).join('; ');
  return inHeader('AUTH-5', [`the key in the cookie ${listed(names)}`, written(key), written(KEY)], 'Cookie');
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

/** A service need not read more: so many bytes of keys are sent at once. */
const MOST_AT_ONCE = 3_500;

/** As many of the places as fit into a request, beginning with the first, and going round. */
function fitting<T>(places: readonly T[], key: string, round: number, most = places.length): readonly T[] {
  const count = Math.max(1, Math.min(most, Math.floor(MOST_AT_ONCE / (key.length + 24))));
  const begin = (round * count) % places.length;
  return [...places.slice(begin), ...places.slice(0, begin)].slice(0, count);
}

/** Half of them: beside the other headers of a request, all would be more than {@link MOST_HEADERS}. */
const MOST_KEY_HEADERS = KEY_HEADER_NAMES.length / 2;

/** In so many headers a key is sent at once. */
export const placesAtOnce = (key: string): number => fitting(KEY_HEADER_NAMES, key, 0, MOST_KEY_HEADERS).length;

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
    headers: parts.flatMap(({ headers }) => headers),
    shown: parts.flatMap(({ shown }) => shown),
    shell: parts.flatMap(({ shell }) => shell),
    parts,
  };
}

/** The same, and a bearer token that is wrong or empty; so are its parts. */
function besideToken(credential: KeyCredential, what: 'a wrong' | 'an empty', token: string): KeyCredential {
  const header = (name: string, value: string) => [name, value] as const;
  const value = `Bearer ${token}`;
  const { parts = [] } = credential;
  return {
    ...credential,
    name: `${credential.name}, beside ${what} bearer token`,
    headers: [header('authorization', value), ...credential.headers],
    shown: [header('Authorization', value), ...credential.shown],
    shell: [`Authorization: ${value}`, ...credential.shell],
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

/** The right key in another scheme, or elsewhere than in the Authorization header. */
export const otherSchemes = (key: string): readonly KeyCredential[] => [
  ...inOtherSchemes(key),
  ...misplaced(key),
  ...inBasic(key),
  ...inOtherHeaders(key),
  ...inQueries(key),
];

/** Keys that have nothing to do with the right one. */
export const inventedKeys = (key: string): readonly KeyCredential[] => [
  ...inventedTokens(key),
  ...inventedBehind(key),
  ...[...longKeys(key), ...hugeKeys(key), ...beyondAscii(key)].filter(({ requirement }) => requirement === 'AUTH-3'),
];

/** One of {@link inventedKeys}. */
export const oneInventedKey = (key: string): KeyCredential => invented(inventedToken(key));

const open = (name: string, before: string, key: string, shell = before): KeyCredential => ({
  ...authorization('AUTH-8', name, `${before}${key}`, `${shell}${KEY}`),
  isOpen: true,
  // What the right key is answered as wrongly is not owed to how it is written.
  parts: [rightKey(key)],
});

/** The right key with `Bearer` in other letter cases. */
export const otherCases = (key: string): readonly KeyCredential[] =>
  OTHER_CASES.map((scheme) => open(`the right key with the scheme written ${scheme}`, `${scheme} `, key));

const TAB = "$(printf '\\t')";

/** The right key with other blanks after `Bearer`. */
export const otherBlanks = (key: string): readonly KeyCredential[] => [
  open('the right key after two blanks', 'Bearer  ', key),
  open('the right key after a tab', 'Bearer\t', key, `Bearer${TAB}`),
  open('the right key after four blanks', 'Bearer    ', key),
];

type Kinds = Readonly<Record<string, (key: string) => readonly KeyCredential[]>>;

const KINDS: Kinds = {
  none: () => [NO_KEY],
  'a header without a key': emptyHeaders,
  'a made-up key': inventedTokens,
  'a made-up key, the scheme in another form': inventedBehind,
  'a long key': longKeys,
  'a huge key': hugeKeys,
  'bytes beyond ASCII': beyondAscii,
  ...Object.fromEntries(
    Object.keys(missesByKind('')).map((kind) => [kind, (key: string) => missesByKind(key)[kind] ?? []]),
  ),
  'more at an end': (key) => [longerInLowerCase(key), ...(missesByKind(key)['more at an end'] ?? [])],
  'the scheme Basic': inBasic,
  'another scheme': inOtherSchemes,
  'the scheme in another place': misplaced,
  'another header': inOtherHeaders,
  'the query': inQueries,
  'the scheme in another letter case': otherCases,
  'other blanks after the scheme': otherBlanks,
};

/** Every kind of credential but the right one, each with examples; a kind may have none where the key is short, or very long. */
export const CREDENTIAL_KINDS: Kinds = {
  ...Object.fromEntries(Object.entries(KINDS).map(([kind, of]) => [kind, (key: string) => withinBounds(key, of(key))])),
  // Their length is the point.
  'a huge key': hugeKeys,
};

/** Every credential that is built from the key, but the right one. */
export const everyCredential = (key: string): readonly KeyCredential[] => [
  ...Object.values(CREDENTIAL_KINDS).flatMap((of) => of(key)),
  ...Object.values(drawnMisses(key)).flat(),
  ...wordsBehindMarks(key),
];

/** One invalid credential of every kind: the last of its examples. */
export function oneOfEveryKind(key: string): readonly KeyCredential[] {
  return Object.values(CREDENTIAL_KINDS)
    .flatMap((of) => of(key).at(-1) ?? [])
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
