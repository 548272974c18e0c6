import fc from 'fast-check';
import { PET_STATUSES } from '../contract-facts.ts';
import type { NewPet } from './body.ts';
import { BEYOND_INT64, beyondInt64 } from './int64.ts';

/** A JSON value as text; without a label it is described by its text. */
export interface JsonValue {
  readonly json: string;
  readonly label?: string;
}

/** Wrong values of one kind: the ones that are always sent, and any other. */
export interface WrongValues {
  readonly examples: readonly JsonValue[];
  readonly others?: fc.Arbitrary<JsonValue>;
}

const values = (...texts: readonly string[]): readonly JsonValue[] => texts.map((json) => ({ json }));
const strings = (...texts: readonly string[]): readonly JsonValue[] =>
  values(...texts.map((text) => JSON.stringify(text)));
const labelled = (texts: Readonly<Record<string, string>>): readonly JsonValue[] =>
  Object.entries(texts).map(([label, json]) => ({ json, label }));

/** So many brackets, one in the other. */
export const nested = (depth: number, open = '[', close = ']', core = ''): string =>
  `${open.repeat(depth)}${core}${close.repeat(depth)}`;

const NULL = values('null');
const BOOLEANS = values('true', 'false');
export const NULL_AND_BOOLEANS = [...NULL, ...BOOLEANS];

const INTEGERS = values('0', '1', '-1', '7', '42', '9007199254740993', '12345678901234567890');
const OTHER_NUMBERS = [
  ...values('1.5', '1e2', '-0', '1e400', '-0.0', '1E-7'),
  { json: '7'.repeat(5_000), label: 'a number of 5,000 digits' },
  { json: '1e99999', label: 'a number with an exponent of five digits' },
];
// Each is a fraction as a double too, so no reader that accepts 1.0 as 1 can read one of them as an integer.
const FRACTIONS = values(
  '1.5',
  '0.1',
  '-0.5',
  '1e-3',
  '1.0000000000000002',
  '4503599627370495.5',
  '-999999.999',
  '0.99',
  '1.25e1',
);
const HUGE = [
  ...values('1e19', '-1e19', '1e30', '1e400', '-1e400', '9223372036854775808.0', '9.3E18', '1e99999', '-1e99999'),
  { json: '9'.repeat(5_000), label: 'a number of 5,000 digits' },
  { json: `-1${'0'.repeat(400)}`, label: 'a negative number of 400 digits' },
];
const ARRAYS = labelled({
  'an empty array': '[]',
  'an array that holds a string': '["Rex"]',
  'an array that holds a number': '[1]',
  'an array that holds null': '[null]',
  'an array in an array': '[["Rex"]]',
  'an array 64 deep': nested(64),
  'an array 500 deep': nested(500),
  'an array 10,000 deep': nested(10_000),
  'an array of 1,000 numbers': `[${'1,'.repeat(999)}1]`,
});
const OBJECTS = labelled({
  'an empty object': '{}',
  'an object': '{"value":1}',
  'an object that holds a name': '{"name":"Rex"}',
  'an object that holds an id': '{"id":1}',
  'an object that holds toString and length': '{"toString":"Rex","length":3}',
  'an object that holds __proto__': '{"__proto__":{"toString":"Rex"}}',
  'an object that a database could read': '{"$ne":null}',
  'an object 100 deep': nested(100, '{"a":', '}', '1'),
  'an object 10,000 deep': nested(10_000, '{"a":', '}', '1'),
});

/** For each member, the kinds of wrong values. */
export const WRONG_KINDS: Readonly<Record<keyof NewPet, Readonly<Record<string, WrongValues>>>> = {
  name: {
    null: { examples: NULL },
    'a boolean': { examples: BOOLEANS },
    'an integer': { examples: INTEGERS, others: jsonOf(fc.integer()) },
    'another number': { examples: OTHER_NUMBERS, others: jsonOf(fc.double({ noNaN: true, noDefaultInfinity: true })) },
    'an array': { examples: ARRAYS, others: jsonOf(arrays()) },
    'an object': { examples: OBJECTS, others: jsonOf(objects()) },
  },
  categoryId: {
    null: { examples: NULL },
    'a boolean': { examples: BOOLEANS },
    'an integer in quotes': {
      examples: strings('1', '0', '-1', '9223372036854775807', '007', '+1', '42'),
      others: jsonOf(fc.integer().map(String)),
    },
    'a number in quotes, in other words': { examples: strings(' 1', '1 ', '1.0', '1e2', '0x1', '1n', '1,000', '１', '١') },
    'another string': {
      examples: strings('', 'abc', ' ', 'null', 'true', 'NaN', 'one', '\u0000', '1\u0000', '[1]', '{}'),
      others: jsonOf(fc.string()),
    },
    'a fraction': { examples: FRACTIONS, others: fractions().map((json) => ({ json })) },
    'just beyond int64': {
      examples: values(...BEYOND_INT64.map(String)),
      others: beyondInt64().map((value) => ({ json: `${value}` })),
    },
    'far beyond int64': { examples: HUGE },
    'an array': { examples: ARRAYS, others: jsonOf(arrays()) },
    'an object': { examples: OBJECTS, others: jsonOf(objects()) },
  },
  status: {
    null: { examples: NULL },
    'a boolean': { examples: BOOLEANS },
    'a number': { examples: [...values('0', '1', '2', '3', '-1', '1.5'), ...OTHER_NUMBERS] },
    'an array that holds a status': {
      examples: values('["sold"]', '["available"]', '["available","pending"]', '[["pending"]]', '["sold",1]'),
    },
    'another array': { examples: ARRAYS, others: jsonOf(arrays()) },
    'an object': { examples: [...values('{"status":"sold"}', '{"value":"sold"}', '{"sold":true}'), ...OBJECTS] },
    empty: { examples: strings('', ' ', '\t', '\u0000', '\u200b') },
    'in capitals': { examples: strings('AVAILABLE', 'SOLD', 'PENDING'), others: jsonOf(inOtherCase()) },
    'with a capital': { examples: strings('Available', 'Sold', 'Pending', 'aVAILABLE', 'solD', 'penDing') },
    'a status and blanks': {
      examples: strings(' available', 'available ', 'sold ', ' pending ', 'so ld', 'sold\u00a0', '\u3000pending'),
    },
    'a status and a control character': {
      examples: strings('sold\n', 'sold\u0000', '\npending', 'available\t', 'available\r\n', 'pending\u0000x', 'sold\u007f'),
    },
    'nearly a status': {
      examples: strings('availabl', 'availablee', 'soldd', 'penddng', 'sol', 'pend', 'vailable', 'pendin', 'avaliable'),
    },
    'a status and more': {
      examples: strings('unavailable', 'not sold', 'soldout', 'sold-out', 'xsold', 'pending2', 'available!', 'sold.', '"sold"', 'sold;'),
    },
    'several statuses': {
      examples: strings('available,pending', 'pending|sold', 'sold sold', 'available/sold', 'available pending sold', 'sold,'),
    },
    'another word': {
      examples: strings('unknown', 'deleted', 'none', 'reserved', 'adopted', 'active', 'avail', 'new', 'draft', 'verfügbar'),
      others: jsonOf(otherWords()),
    },
    'a word of languages': {
      examples: strings('null', 'undefined', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'true', '0', '1', 'NaN', 'valueOf', 'None', 'values'),
    },
    'a status in other letters': {
      examples: strings('ѕоld', 'so\u200bld', 'ｓｏｌｄ', 'pendıng', 'sóld', 'so\u0301ld', '\ufeffsold', 'sold\u2028', 'ﬁnding', '\u202esold'),
    },
    'a very long string': {
      examples: [
        { json: JSON.stringify('sold'.repeat(300)), label: 'a string of 1,200 characters' },
        { json: JSON.stringify(`sold${' '.repeat(20_000)}`), label: 'a status and 20,000 blanks' },
        { json: JSON.stringify('s'.repeat(100_000)), label: 'a string of 100,000 characters' },
      ],
    },
  },
}; // biome-ignore format: one table

const allExamples = (member: keyof NewPet): readonly JsonValue[] =>
  Object.values(WRONG_KINDS[member]).flatMap(({ examples }) => examples);

/** For each member, every wrong value that is always sent. */
export const WRONG_VALUES: Readonly<Record<keyof NewPet, readonly JsonValue[]>> = {
  name: allExamples('name'),
  categoryId: allExamples('categoryId'),
  status: allExamples('status'),
};

/** Any wrong value of a member, as JSON text. */
export function anyWrongValue(member: keyof NewPet): fc.Arbitrary<string> {
  const kinds = Object.values(WRONG_KINDS[member]).map(
    ({ examples, others }) => others ?? fc.constantFrom(...examples),
  );
  return fc.oneof(...kinds).map(({ json }) => json);
}

function jsonOf(values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonValue> {
  return values.map((value) => ({ json: JSON.stringify(value) }));
}

function arrays(): fc.Arbitrary<unknown> {
  return fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 5 })), { maxLength: 3 });
}

function objects(): fc.Arbitrary<unknown> {
  return fc.dictionary(fc.string({ maxLength: 5 }), fc.integer(), { maxKeys: 3 });
}

function fractions(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 999 }))
    .filter(([, fraction]) => fraction % 10 !== 0)
    .map(([whole, fraction]) => `${whole}.${fraction}`);
}

/** An allowed status in other letter cases. */
function inOtherCase(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...PET_STATUSES), fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }))
    .map(([status, upper]) => status.replace(/./g, (letter, at) => (upper[at] ? letter.toUpperCase() : letter)))
    .filter((status) => status !== status.toLowerCase());
}

function otherWords(): fc.Arbitrary<string> {
  return fc.string({ maxLength: 12 }).filter((word) => !PET_STATUSES.some((status) => status === word));
}
