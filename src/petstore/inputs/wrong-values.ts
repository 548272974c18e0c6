import fc from 'fast-check';
import { PET_STATUSES } from '../contract-facts.ts';
import type { NewPet } from './body.ts';
import { BEYOND_INT64, beyondInt64 } from './int64.ts';

/** A JSON value as text; without a label it is described by its text. */
export interface JsonValue {
  readonly json: string;
  readonly label?: string;
}

const values = (...texts: readonly string[]): readonly JsonValue[] => texts.map((json) => ({ json }));

const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}${close.repeat(depth)}`;

export const NULL_AND_BOOLEANS = values('null', 'true', 'false');
const NUMBERS = values('0', '1', '-1', '7', '1.5', '9007199254740993', '12345678901234567890');
// Each is a fraction as a double too, so no reader that accepts 1.0 as 1 can read one of them as an integer.
const FRACTIONS = values('1.5', '0.1', '-0.5', '1e-3', '1.0000000000000002', '4503599627370495.5', '-999999.999');
const HUGE = values('1e19', '-1e19', '1e30', '1e400', '-1e400', '9223372036854775808.0');
const STRINGS = values('""', '"1"', '"0"', '"-1"', '"abc"', '"1e2"', '" 1"', '"9223372036854775807"');
const ARRAYS = [
  { json: '[]', label: 'an empty array' },
  { json: '["Rex"]', label: 'an array that holds a string' },
  { json: '[1]', label: 'an array that holds a number' },
  { json: nested(64, '[', ']'), label: 'an array 64 deep' },
  { json: nested(500, '[', ']'), label: 'an array 500 deep' },
];
const OBJECTS = [
  { json: '{}', label: 'an empty object' },
  { json: '{"value":1}', label: 'an object' },
  { json: `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, label: 'an object 100 deep' },
];

/** Statuses that resemble an allowed one, or are plausible, and are not allowed. */
const STATUS_STRINGS = [
  '', 'AVAILABLE', 'Available', 'aVAILABLE', 'Pending', 'PENDING', 'SOLD', 'Sold', ' available', 'available ',
  'sold\n', 'sold\u0000', 'availabl', 'availablee', 'avail', 'available,pending', 'pending|sold', 'unavailable',
  'unknown', 'deleted', 'none', 'null', '0', 'ѕоld', 'so\u200bld',
]; // biome-ignore format: one table

/** For each member, the wrong values that are always sent. */
export const WRONG_VALUES: Readonly<Record<keyof NewPet, readonly JsonValue[]>> = {
  name: [...NULL_AND_BOOLEANS, ...NUMBERS, ...ARRAYS, ...OBJECTS],
  categoryId: [
    ...NULL_AND_BOOLEANS,
    ...STRINGS,
    ...ARRAYS,
    ...OBJECTS,
    ...FRACTIONS,
    ...HUGE,
    ...values(...BEYOND_INT64.map(String)),
  ],
  status: [
    ...NULL_AND_BOOLEANS,
    ...NUMBERS,
    ...ARRAYS,
    ...OBJECTS,
    { json: '["sold"]', label: 'an array that holds a status' },
    ...values(...STATUS_STRINGS.map((status) => JSON.stringify(status))),
  ],
};

/** Any wrong value of a member, as JSON text. */
export function anyWrongValue(member: keyof NewPet): fc.Arbitrary<string> {
  switch (member) {
    case 'name':
      return jsonThatIsNot('string');
    case 'categoryId':
      return fc.oneof(jsonThatIsNot('integer'), fractions(), beyondInt64().map(String));
    case 'status':
      return fc.oneof(
        statusStrings().map((status) => JSON.stringify(status)),
        jsonThatIsNot('string'),
      );
  }
}

function jsonThatIsNot(kind: 'string' | 'integer'): fc.Arbitrary<string> {
  const scalars = [
    fc.constant(null),
    fc.boolean(),
    ...(kind === 'string' ? [fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })] : [fc.string()]),
  ];
  const arrays = fc.array(fc.integer(), { maxLength: 3 });
  const objects = fc.dictionary(fc.string({ maxLength: 5 }), fc.integer(), { maxKeys: 3 });
  return fc.oneof(...scalars, arrays, objects).map((value) => JSON.stringify(value));
}

function fractions(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 999 }))
    .filter(([, fraction]) => fraction % 10 !== 0)
    .map(([whole, fraction]) => `${whole}.${fraction}`);
}

/** Allowed statuses in other letter cases, and other words. */
function statusStrings(): fc.Arbitrary<string> {
  const inOtherCase = fc
    .tuple(fc.constantFrom(...PET_STATUSES), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }))
    .map(([status, upper]) => status.replace(/./g, (letter, at) => (upper[at] ? letter.toUpperCase() : letter)))
    .filter((status) => status !== status.toLowerCase());
  const words = fc.string({ maxLength: 12 }).filter((word) => !PET_STATUSES.some((status) => status === word));
  return fc.oneof(inOtherCase, words);
}
