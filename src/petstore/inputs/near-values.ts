/** Values that are nearly valid, as a lenient reader might overlook; none of them is valid. */
import fc from 'fast-check';
import { PET_STATUSES } from '../contract-facts.ts';
import { decorated } from './decorations.ts';

/** What stands before, after or inside of a value and is easily taken off. */
export const MARKS = [
  '"', "'", '`', ';', ',', '.', '!', '?', '-', '_', '#', '$', '%', '&', '*', '/', '\\', '|', ':', '=', '+', '~', '^', '@', '(', ')', '[', ']', '{', '}', '<', '>', 's', 'x', '1', '0', '\u200b', '\ufeff', '--', '//', '%20', '&nbsp;', '\\n', '<br>', 'is ', 'status=', 'PetStatus.',
]; // biome-ignore format: one list

/** An integer in decimal digits with a mark. */
export function decoratedNumbers(): fc.Arbitrary<string> {
  const more = [' ', '\t', '\n', '\u00a0', 'n', 'L', 'e0', '.0'];
  return decorated(fc.integer({ min: 1, max: 9_999 }).map(String), [...MARKS, ...more]);
}

const DIGITS = ['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '０１２３４５６７８９', '⁰¹²³⁴⁵⁶⁷⁸⁹', '〇一二三四五六七八九'];
const NUMBER_WORDS = ['one', 'two', 'five', 'zero', 'ten', 'minus one', 'first', 'eins', 'V', 'XII', 'dozen', 'none'];

/** Numbers in the digits of other scripts, with another base, with an exponent or in letters. */
export function numbersInOtherWords(): fc.Arbitrary<string> {
  const number = fc.integer({ min: 1, max: 999 });
  return fc.oneof(
    fc.tuple(number, fc.constantFrom(...DIGITS)).map(([value, digits]) => `${value}`.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit)),
    fc.tuple(number, fc.constantFrom(2, 8, 16)).map(([value, base]) => `${{ 2: '0b', 8: '0o', 16: '0x' }[base] ?? ''}${value.toString(base)}`),
    number.map((value) => `${value}e0`),
    number.map((value) => `${value}.0`),
    fc.constantFrom(...NUMBER_WORDS),
  ); // biome-ignore format: one line each
}

/** Whether a text is an allowed status. */
const isStatus = (text: string): boolean => PET_STATUSES.some((status) => status === text);

/** A status with a letter left out, doubled, changed or out of its place. */
export function mistyped(): fc.Arbitrary<string> {
  return fc
    .record({ status: fc.constantFrom(...PET_STATUSES), at: fc.nat({ max: 8 }), how: fc.constantFrom('less', 'twice', 'other', 'swapped') })
    .map(({ status, at, how }) => {
      const place = at % status.length;
      const [start, letter = '', rest] = [status.slice(0, place), status[place], status.slice(place + 1)];
      const forms = {
        less: start + rest,
        twice: start + letter + letter + rest,
        other: `${start}${letter === 'z' ? 'y' : 'z'}${rest}`,
        swapped: start + rest.slice(0, 1) + letter + rest.slice(1),
      } as const;
      return forms[how];
    })
    .filter((text) => !isStatus(text));
} // biome-ignore format: one line

/** Two statuses in one text. */
export function severalStatuses(): fc.Arbitrary<string> {
  const status = fc.constantFrom(...PET_STATUSES);
  const separator = fc.constantFrom(',', ', ', '|', '/', ';', ' ', '&', '+', '\n', ' or ', ' and ', '-', ':', '');
  return fc.tuple(status, separator, status).map(([one, between, other]) => `${one}${between}${other}`);
}

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аɑａáâ', b: 'Ьｂ', d: 'ԁｄđ', e: 'еｅéë', g: 'ɡｇ', i: 'іıｉí', l: 'ⅼｌӏł', n: 'ոｎñ', o: 'оοｏóö', p: 'рｐ', s: 'ѕｓŝſ', v: 'ѵｖ',
}; // biome-ignore format: one table

/** A status in which one letter, or all of them, are of those that look alike. */
export function inOtherLetters(): fc.Arbitrary<string> {
  return fc
    .record({ status: fc.constantFrom(...PET_STATUSES), at: fc.nat({ max: 8 }), kind: fc.nat({ max: 4 }), isAll: fc.boolean() })
    .map(({ status, at, kind, isAll }) =>
      status.replace(/./g, (letter, place: number) => {
        const others = LOOK_ALIKES[letter] ?? letter;
        return isAll || place === at % status.length ? (others[kind % others.length] ?? letter) : letter;
      }),
    );
} // biome-ignore format: one line

/** An allowed status in other letter cases. */
export function inOtherCase(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...PET_STATUSES), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }))
    .map(([status, upper]) => status.replace(/./g, (letter, at) => (upper[at] ? letter.toUpperCase() : letter)))
    .filter((status) => status !== status.toLowerCase());
}

/** Short arrays. */
export function arrays(): fc.Arbitrary<unknown> {
  return fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 5 })), { maxLength: 3 });
}

/** Small objects. */
export function objects(): fc.Arbitrary<unknown> {
  return fc.dictionary(fc.string({ maxLength: 5 }), fc.integer(), { maxKeys: 3 });
}

/** Numbers with a fraction that is not zero. */
export function fractions(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 999 }))
    .filter(([, fraction]) => fraction % 10 !== 0)
    .map(([whole, fraction]) => `${whole}.${fraction}`);
}

/** Integers beyond int64 by far, with an exponent or of many digits. */
export function hugeNumbers(): fc.Arbitrary<string> {
  const sign = fc.constantFrom('', '-');
  return fc.oneof(
    fc.tuple(sign, fc.integer({ min: 1, max: 99 }), fc.integer({ min: 19, max: 99_999 })).map(([minus, digits, exponent]) => `${minus}${digits}e${exponent}`),
    fc.tuple(sign, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 60, max: 5_000 })).map(([minus, digit, length]) => `${minus}${`${digit}`.repeat(length)}`),
  ); // biome-ignore format: one line each
}

/** Any short text that is no status. */
export function otherWords(): fc.Arbitrary<string> {
  return fc.string({ maxLength: 12 }).filter((word) => !isStatus(word));
}
