import { expect, test } from 'vitest';
import { differenceOf } from './text-difference.ts';

test.each([
  ['another normal form', 'R\u00e9x', 'Re\u0301x', 'at character 2: U+00E9 sent, U+0065 U+0301 stored'],
  ['a character that cannot be seen', 'Rex\u200b', 'Rex', 'at character 4: U+200B sent, nothing stored'],
  ['one that was added', 'Rex', '\ufeffRex', 'at character 1: nothing sent, U+FEFF stored'],
  ['beyond the first plane', 'a🐕b', 'a\ufffdb', 'at character 2: U+1F415 sent, U+FFFD stored'],
  ['half a pair', 'a🐕', 'a\ud83d', 'at character 2: U+1F415 sent, U+D83D stored'],
  ['a repeated character', 'aaa', 'aaaa', 'at character 4: nothing sent, U+0061 stored'],
  [
    'a name that was cut',
    'x'.repeat(300),
    'x'.repeat(255),
    'at character 256: U+0078 and 44 more characters sent, nothing stored',
  ],
  [
    'another name',
    'Rex',
    'Luna the cat',
    'at character 1: U+0052 and 2 more characters sent, U+004C and 11 more characters stored',
  ],
  ['one that replaced many', 'abcdefg', 'a?g', 'at character 2: U+0062 and 4 more characters sent, U+003F stored'],
])('%s', (_what, sent, stored, difference) => {
  expect(differenceOf(sent, stored)).toBe(difference);
});
