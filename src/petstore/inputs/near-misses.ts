import { around, bearer, type CredentialsByKind, fixed, type KeyCredential, type Sent } from './credential.ts';

/** Keys with bytes that no key has; none of them is a blank to anybody, as some services trim every blank of Unicode. */
export function beyondAscii(key: string): readonly KeyCredential[] {
  // Each character is a byte.
  const [accent, utf8, invalid, dot] = ['\xe9', '\xc3\xa9', '\xff\xfe', '\xc2\xb7'];
  return [
    bearer('AUTH-3', ['a word with an accent in Latin-1', `cl${accent}`]),
    ...misses(key, [['the key with an accented letter in Latin-1 in the middle', withAt(key, middleOf(key), accent)]]),
    bearer('AUTH-3', ['a word with an accent in UTF-8', `cl${utf8}`]),
    bearer('AUTH-3', ['a word with bytes that are not UTF-8', `cl${invalid}`]),
    bearer('AUTH-4', ['the key and an accented letter in Latin-1', key + accent]),
    bearer('AUTH-4', ['an accented letter in UTF-8 and the key', utf8 + key]),
    bearer('AUTH-4', ['the key and a middle dot in UTF-8', key + dot]),
    bearer('AUTH-4', ['the key and a byte that is not UTF-8', key + invalid]),
  ];
}

/** Another letter or digit; from the other half of the alphabet, so that it is not a neighbouring valid key. */
function otherLetter(letter: string): string {
  if (/[0-9]/.test(letter)) return 'q';
  if (/[a-z]/.test(letter)) return letter === 'q' ? 'j' : 'q';
  if (/[A-Z]/.test(letter)) return letter === 'Q' ? 'J' : 'Q';
  return 'z';
}

const swapCase = (text: string): string =>
  text.replace(/./gs, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const withAt = (key: string, at: number, letter: string): string => key.slice(0, at) + letter + key.slice(at + 1);
const withAnotherAt = (key: string, at: number): string => withAt(key, at, otherLetter(key[at] ?? ''));
const everySecondChanged = (key: string): string => key.replace(/(.)./gs, '$1q');
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
export function revealingMisses(key: string): readonly string[] {
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
  const changedAt = (place: number, change: string, what: string): Sent => [
    `the key with ${what} at place ${place + 1}`,
    withAt(key, place, change),
  ];
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
export const revealingNearMisses = (key: string): readonly KeyCredential[] => [
  ...misses(key, [
    ...changesOfEachHalf(key),
    around(key, 'the key and two equals signs', '', '=='),
    around(key, 'a word and a blank before the key', 'xq7 '),
  ]),
  ...wordsBehindMarks(key),
];

/** The key with a character in the middle of each of its halves changed. */
function changesOfEachHalf(key: string): readonly Sent[] {
  const quarter = quarterOf(key);
  return [
    ['the key with another character in its first half', withAnotherAt(key, quarter)],
    ['the key with another character in its second half', withAnotherAt(key, middleOf(key) + quarter)],
  ];
}

/** The right key, and a word behind each mark that may end it for a service. */
export const wordsBehindMarks = (key: string): readonly KeyCredential[] =>
  misses(
    key,
    [...':;.|/-_@#~'].map((mark) => around(key, `the key and a word after ${mark}`, '', `${mark}xq7`)),
  );

/** Every mark of ASCII. */
const MARKS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

/** Near misses of the kinds of {@link missesByKind} of which there are too many to send them all: some are drawn. */
export function drawnMisses(key: string): CredentialsByKind {
  const beside = (before: string, after: string): Sent => {
    const places = [before && `after ${before}`, after && `before ${after}`].filter(Boolean).join(' and ');
    return around(key, `the key ${places}`, before, after);
  };
  return missesOf(key, {
    'another character in the middle': changesOfOne(key),
    'in quotes or brackets': MARKS.map((mark) => beside(mark, mark)),
    'a word beside it': MARKS.flatMap((mark) => [beside('', `${mark}x`), beside(`x${mark}`, '')]),
    'a list': MARKS.flatMap((mark) => [beside('', mark), beside(mark, '')]),
  });
}

const missesOf = (key: string, kinds: Readonly<Record<string, readonly Sent[]>>): CredentialsByKind =>
  Object.fromEntries(Object.entries(kinds).map(([kind, all]) => [kind, misses(key, all)]));

/** Near misses of one kind: what is left where they are equal to the key, empty, or equal to each other. */
function misses(key: string, all: readonly Sent[]): readonly KeyCredential[] {
  const tokens = all.map(([, token]) => token);
  return all
    .filter(([, token], at) => token !== key && token.trim() !== '' && tokens.indexOf(token) === at)
    .map((sent) => bearer('AUTH-4', sent));
}

/** Keys that differ from the right one in one respect, by kind. */
export function missesByKind(key: string): CredentialsByKind {
  const middle = middleOf(key);
  const last = key.length - 1;
  const first = key.slice(0, 1);
  const wrapped = (name: string, before: string, after: string): Sent => around(key, name, before, after);
  return missesOf(key, {
    'another first character': [
      ['the key with another first character', withAnotherAt(key, 0)],
    ],
    'another character in the middle': [
      ['the key with every second character changed', everySecondChanged(key)],
      ['the key with an underscore in the middle', withAt(key, middle, '_')],
      ['the key with another character in the middle', withAnotherAt(key, middle)],
      ...changesOfEachHalf(key),
      ['other letters in the same length', [...key].map(otherLetter).join('')],
    ],
    'another last character': [
      ['the key with another last character', withAnotherAt(key, last)],
    ],
    'other letter case': [
      ['the key in upper case', key.toUpperCase()],
      ['the key in lower case', key.toLowerCase()],
      ['the key with the case of its letters swapped', swapCase(key)],
      ['the key with the case of its first letter swapped', swapCase(first) + key.slice(1)],
    ],
    'characters in another order': [
      ['the key with its first two characters swapped', swappedAt(key, 0)],
      ['the key with its last two characters swapped', swappedAt(key, Math.max(0, last - 1))],
      ['the key with two characters in the middle swapped', swappedAt(key, middle)],
      ['the key backwards', backwards(key)],
    ],
    'characters doubled': [
      ['the key twice', key + key],
      ['the key with its first character doubled', doubledAt(key, 0)],
      ['the key with its last character doubled', doubledAt(key, last)],
      ['the key with a character in the middle doubled', doubledAt(key, middle)],
    ],
    'cut at its end': [
      ['the key without its last character', key.slice(0, -1)],
      ['the key without its last two characters', key.slice(0, -2)],
      ['the first half of the key', key.slice(0, middle)],
    ],
    'cut at its start': [
      ['the key without its first character', key.slice(1)],
      ['the key without its first two characters', key.slice(2)],
      ['the second half of the key', key.slice(middle)],
    ],
    'a part, or a pattern of it': [
      ['the first character of the key', first],
      ['the key with a percent sign for a wildcard', `${key.slice(0, 2)}%`],
      ['the key with an asterisk for a wildcard', `${key.slice(0, 2)}*`],
      ['the key without a character in the middle', withoutAt(key, middle)],
      fixed('a pattern that every key fits', '.*'),
      wrapped('the key as a pattern', '^', '$'),
      fixed('a percent sign that every key fits', '%'),
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
      wrapped('the key in quotation marks', '"', '"'),
      wrapped('the key in single quotes', "'", "'"),
      wrapped('the key in angle brackets', '<', '>'),
      wrapped('the key in braces', '{', '}'),
      wrapped('the key in parentheses', '(', ')'),
      wrapped('the key in backticks', '`', '`'),
    ],
    encoded: [
      ['the key in Base64', base64(key)],
      ['the key percent-encoded', percentEncoded(key)],
      ['the key with its first character percent-encoded', percentEncoded(first) + key.slice(1)],
      ['the key in hexadecimal', hexadecimal(key)],
      ['the key in Base64 for URLs', base64Url(key)],
    ],
    'a word beside it': [
      wrapped('the key and another word', '', ' extra'),
      wrapped('the key after a name, in quotation marks', 'token="', '"'),
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
  }); // biome-ignore format: one table
}

/** The key in other letter cases, where it has letters: in upper case first. */
export const inOtherCases = (key: string): readonly KeyCredential[] => missesByKind(key)['other letter case'] ?? [];
