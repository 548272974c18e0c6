import fc from 'fast-check';
import type { LevelTable } from '../../engine/request-space.ts';
import type { ListQuery } from '../calls.ts';
import type { PercentEncoding } from '../inputs/percent.ts';

/** How the names and values of a query are written. */
export type Encoding = Pick<ListQuery, 'values' | 'names' | 'looseMark'>;

const both = (encoding: PercentEncoding) => ({ limit: encoding, status: encoding });
const values = (...encodings: readonly PercentEncoding[]): readonly Encoding[] =>
  encodings.map((encoding) => ({ values: both(encoding) }));

/** One character at any place, with hexadecimal digits in either letter case. */
const oneCharacter = (): fc.Arbitrary<PercentEncoding> =>
  fc.tuple(fc.nat(), fc.boolean()).map(([nth, lower]) => ({ nth, lower }));

/** Any of the characters, each with hexadecimal digits in either letter case. */
const someCharacters = (): fc.Arbitrary<PercentEncoding> =>
  fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 5, maxLength: 12 }).map((inTurn) => ({ inTurn }));

const valuesIn = (encodings: fc.Arbitrary<PercentEncoding>): fc.Arbitrary<Encoding> =>
  encodings.map((encoding) => ({ values: both(encoding) }));

/** Percent-encoded in other words, which mean the same. */
export const ENCODINGS: LevelTable<Encoding> = {
  'as needed': { examples: values('as needed'), others: fc.constantFrom(...values('strictly', 'blanks as plus signs', 'barely')) },
  'every character': { examples: values('every character') },
  'the first character': { examples: values('the first character'), others: valuesIn(oneCharacter()) },
  'hexadecimal in lower case': { examples: values('every character in lower case'), others: valuesIn(someCharacters()) },
  'the names too': {
    examples: [
      { names: both('every character') },
      { names: both('the first character'), values: both('every character') },
      { names: both('the last character') },
    ],
    others: fc.tuple(oneCharacter(), oneCharacter()).map(([value, name]) => ({ values: both(value), names: both(name) })),
  },
}; // biome-ignore format: one table

/** All characters of a value but the first. */
export const INSIDE_ONLY: Encoding = { values: both('all but the first character') };

/** A `&` too many where a query ends, or begins. */
export const LOOSE_AT_AN_END: readonly Encoding[] = [{ looseMark: 'behind' }, { looseMark: 'before' }];

const LOOSE_PLACES = ['between', 'behind'] as const;

/** Of two parameters one is percent-encoded, by its name or its value; or all of it is; or there is an `&` too many. */
export const WAYS_TO_WRITE_TWO: readonly Encoding[] = LOOSE_PLACES.flatMap((looseMark): readonly Encoding[] => [
  {},
  { names: { limit: 'every character' } },
  { looseMark },
  { names: { status: 'every character' } },
  { values: { limit: 'every character' } },
  { values: { status: 'every character' } },
  { values: both('every character'), names: both('every character') },
]);

/** Any way to write a value, the usual one as often as all others. */
export const anyEncoding = (): fc.Arbitrary<Encoding> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(ENCODINGS).flatMap(({ examples }) => examples)) },
    { weight: 1, arbitrary: valuesIn(oneCharacter()) },
    { weight: 1, arbitrary: valuesIn(someCharacters()) },
  );
