/** Wrong keys that are made of the right one, and other spellings of it, by their names in the texts of calls. */

const hex = (text: string): string => Buffer.from(text).toString('hex');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string => hex(text).replace(/../g, '%$&');

/** Another character of the same kind, so that the length and the alphabet of the key stay the same. */
function otherCharacter(letter: string): string {
  if (/[0-9]/.test(letter)) return letter === '7' ? '3' : '7';
  if (/[a-z]/.test(letter)) return letter === 'q' ? 'j' : 'q';
  if (/[A-Z]/.test(letter)) return letter === 'Q' ? 'J' : 'Q';
  return 'z';
}

const swapCase = (text: string): string =>
  text.replace(/./gs, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** The index at so many eighths of the key. */
const eighth = (key: string, nth: number): number => Math.min(key.length - 1, Math.floor((key.length * nth) / 8));

type Form = (key: string) => string | undefined;

/** A changed key; undefined if it is the key itself or empty. */
const nearMiss =
  (write: (key: string) => string): Form =>
  (key) => {
    const written = write(key);
    return written.trim() === key || written.trim() === '' ? undefined : written;
  };

const changedAt = (nth: number): Form =>
  nearMiss((key) => {
    const at = eighth(key, nth);
    return key.slice(0, at) + otherCharacter(key.charAt(at)) + key.slice(at + 1);
  });

const swappedAt = (place: (key: string) => number): Form =>
  nearMiss((key) => {
    const at = Math.max(0, place(key));
    return key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
  });

const doubledAt = (nth: number): Form =>
  nearMiss((key) => {
    const at = eighth(key, nth);
    return key.slice(0, at + 1) + key.slice(at);
  });

/** What `$KEY:name` in a text stands for: the key changed or encoded; undefined if that gives the key itself or nothing. */
// biome-ignore format: one table
export const KEY_FORMS: Readonly<Record<string, Form>> = {
  'without-last': nearMiss((key) => key.slice(0, -1)),
  'without-first': nearMiss((key) => key.slice(1)),
  'without-middle': nearMiss((key) => key.slice(0, eighth(key, 4)) + key.slice(eighth(key, 4) + 1)),
  'first-half': nearMiss((key) => key.slice(0, eighth(key, 4))),
  'second-half': nearMiss((key) => key.slice(eighth(key, 4))),
  'first-letter': nearMiss((key) => key.slice(0, 1)),
  'first-changed': changedAt(0),
  'second-changed': nearMiss((key) => key.slice(0, 1) + otherCharacter(key.charAt(1)) + key.slice(2)),
  'changed-1-8': changedAt(1),
  'changed-2-8': changedAt(2),
  'changed-3-8': changedAt(3),
  'changed-4-8': changedAt(4),
  'changed-5-8': changedAt(5),
  'changed-6-8': changedAt(6),
  'changed-7-8': changedAt(7),
  'last-changed': changedAt(8),
  'first-half-changed': nearMiss((key) => key.slice(0, eighth(key, 4)).replace(/./gs, otherCharacter) + key.slice(eighth(key, 4))),
  'every-second-changed': nearMiss((key) => key.replace(/(.)(.)/gs, (_, one: string, two: string) => one + otherCharacter(two))),
  'all-changed': nearMiss((key) => key.replace(/./gs, otherCharacter)),
  'blanked': nearMiss((key) => '-'.repeat(key.length)),
  'in-capitals': nearMiss((key) => key.toUpperCase()),
  'in-small-letters': nearMiss((key) => key.toLowerCase()),
  'case-swapped': nearMiss(swapCase),
  'first-case-swapped': nearMiss((key) => swapCase(key.slice(0, 1)) + key.slice(1)),
  'last-case-swapped': nearMiss((key) => key.slice(0, -1) + swapCase(key.slice(-1))),
  'reversed': nearMiss((key) => [...key].reverse().join('')),
  'sorted': nearMiss((key) => [...key].sort().join('')),
  'first-two-swapped': swappedAt(() => 0),
  'last-two-swapped': swappedAt((key) => key.length - 2),
  'middle-two-swapped': swappedAt((key) => eighth(key, 4)),
  'twice': nearMiss((key) => key + key),
  'last-doubled': doubledAt(8),
  'underscore-inside': nearMiss((key) => `${key.slice(0, eighth(key, 4))}_${key.slice(eighth(key, 4) + 1)}`),
  'blank-inside': nearMiss((key) => `${key.slice(0, eighth(key, 4))} ${key.slice(eighth(key, 4))}`),
  'without-marks': nearMiss((key) => key.replace(/[^a-z0-9]/gi, '')),
  'marks-changed': nearMiss((key) => key.replace(/[-_]/g, (mark) => (mark === '-' ? '_' : '-'))),
  // Characters that look alike.
  'twins-changed': nearMiss((key) => key.replace(/[0O1lI]/, (letter) => ({ 0: 'O', O: '0', 1: 'l', l: '1' })[letter] ?? 'l')),
  // As many bytes as the key, as the letter has two.
  'accent-inside': nearMiss((key) => `${key.slice(0, eighth(key, 4))}é${key.slice(eighth(key, 4) + 2)}`),
  'and-x': nearMiss((key) => `${key}x`),
  'and-123': nearMiss((key) => `${key}123`),
  'and-colon-word': nearMiss((key) => `${key}:xq7`),
  'and-underscore-word': nearMiss((key) => `${key}_xq7`),
  'x-before': nearMiss((key) => `x${key}`),
  'up-to-512': nearMiss((key) => key.padEnd(Math.max(512, key.length + 1), 'x')),
  'up-to-8192': nearMiss((key) => key.padEnd(Math.max(8_192, key.length + 1), 'x')),
  'base64': nearMiss(base64),
  'hexadecimal': nearMiss(hex),
  'percent': nearMiss(percent),
  'first-percent': nearMiss((key) => percent(key.slice(0, 1)) + key.slice(1)),
  'last-percent': nearMiss((key) => key.slice(0, -1) + percent(key.slice(-1))),
  'entity': nearMiss((key) => `&#${key.charCodeAt(0)};${key.slice(1)}`),
  // For the scheme Basic.
  'basic-user': nearMiss((key) => base64(`${key}:`)),
  'basic-password': nearMiss((key) => base64(`:${key}`)),
  'basic-both': nearMiss((key) => base64(`${key}:${key}`)),
  'basic-user-of-x': nearMiss((key) => base64(`${key}:x-oauth-basic`)),
  'basic-password-of-api': nearMiss((key) => base64(`api:${key}`)),
  // The key itself, escaped for a query or a JSON string.
  'in-query': encodeURIComponent,
  'in-json': (key) => JSON.stringify(key).slice(1, -1),
};
