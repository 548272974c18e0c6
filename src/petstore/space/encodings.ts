import fc from 'fast-check';
import type { LevelTable } from '../../engine/request-space.ts';
import { asNeeded, type ListQuery } from '../calls.ts';
import { percent, percentFirst } from '../inputs/percent.ts';

/** How the names and values of a query are written. */
export type Encoding = Pick<ListQuery, 'encode' | 'encodeName' | 'looseMark'>;

type Write = NonNullable<Encoding['encode']>;

const encodings = (...writers: readonly Write[]): readonly Encoding[] => writers.map((encode) => ({ encode }));

/** Percent-encodes what must be, and of the other characters those that are chosen. */
const percentWhere =
  (isChosen: (place: number, length: number) => boolean, isLower: (place: number) => boolean): Write =>
  (value) => {
    const characters = [...value];
    const write = (character: string, place: number): string => {
      const text = isChosen(place, characters.length) ? percent(character) : encodeURIComponent(character);
      return isLower(place) && text.startsWith('%') ? text.toLowerCase() : text;
    };
    return characters.map(write).join('');
  };

/** One character at any place, with hexadecimal digits in either letter case. */
const oneCharacter = (): fc.Arbitrary<Encoding> =>
  fc
    .tuple(fc.nat(), fc.boolean())
    .map(([nth, lower]) => ({ encode: percentWhere((place, length) => place === nth % length, () => lower) })); // biome-ignore format: one line

/** Any of the characters, each with hexadecimal digits in either letter case. */
const someCharacters = (): fc.Arbitrary<Encoding> =>
  fc
    .array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 5, maxLength: 12 })
    .map((choices) => {
      const choiceAt = (place: number) => choices[place % choices.length] ?? [true, true];
      return { encode: percentWhere((place) => choiceAt(place)[0], (place) => choiceAt(place)[1]) };
    }); // biome-ignore format: one line

/** A blank as forms write it: whoever reads it as a plus sign finds no status either, and an odd limit. */
const blanksAsPlus: Write = (value) => encodeURIComponent(value).replaceAll('%20', '+');

/** What a query may hold as it is (RFC 3986, 3.4), but for what forms and some readers take for something else. */
const barely: Write = (value) => encodeURIComponent(value).replace(/%(?:2C|2F|3A|3D|3F|40|24)/g, decodeURIComponent);

/** Percent-encoded in other words, which mean the same. */
export const ENCODINGS: LevelTable<Encoding> = {
  'as needed': { examples: encodings(asNeeded), others: fc.constantFrom(...encodings(encodeURIComponent, blanksAsPlus, barely)) },
  'every character': { examples: encodings(percent) },
  'the first character': { examples: encodings(percentFirst), others: oneCharacter() },
  'hexadecimal in lower case': { examples: encodings((value) => percent(value).toLowerCase()), others: someCharacters() },
  'the names too': {
    examples: [
      { encodeName: percent },
      { encodeName: (name) => percent(name.slice(0, 1)) + name.slice(1), encode: percent },
      { encodeName: (name) => name.slice(0, -1) + percent(name.slice(-1)) },
    ],
    others: fc.tuple(oneCharacter(), oneCharacter()).map(([{ encode }, names]) => ({
      encode,
      encodeName: (name) => names.encode?.(name, 'limit') ?? name,
    })),
  },
}; // biome-ignore format: one table

const onlyNameOf = (parameter: string): Encoding => ({
  encodeName: (name) => (name === parameter ? percent(name) : name),
});

const onlyValueOf = (parameter: string): Encoding => ({
  encode: (value, name) => (name === parameter ? percent(value) : encodeURIComponent(value)),
});

/** All characters of a value but the first. */
export const INSIDE_ONLY: Encoding = { encode: percentWhere((place) => place > 0, () => false) }; // biome-ignore format: one line

/** A `&` too many where a query ends, or begins. */
export const LOOSE_AT_AN_END: readonly Encoding[] = [{ looseMark: 'behind' }, { looseMark: 'before' }];

const LOOSE_PLACES = ['between', 'behind'] as const;

/** Of two parameters one is percent-encoded, by its name or its value; or all of it is; or there is an `&` too many. */
export const WAYS_TO_WRITE_TWO: readonly Encoding[] = LOOSE_PLACES.flatMap((looseMark) => [
  {},
  onlyNameOf('limit'),
  { looseMark },
  onlyNameOf('status'),
  onlyValueOf('limit'),
  onlyValueOf('status'),
  { encode: percent, encodeName: percent },
]);

/** Any way to write a query, the usual one as often as all others. */
export const anyEncoding = (): fc.Arbitrary<Encoding> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(ENCODINGS).flatMap(({ examples }) => examples)) },
    { weight: 1, arbitrary: oneCharacter() },
    { weight: 1, arbitrary: someCharacters() },
  );
