/** Values that a member must not have (CREATE-5, CREATE-6, CREATE-7), as JSON text. */
import fc from 'fast-check';
import { PET_STATUSES } from '../contract-facts.ts';
import type { NewPet } from './body.ts';
import { decorated } from './decorations.ts';
import { BEYOND_INT64, beyondInt64 } from './int64.ts';
import {
  arrays,
  decoratedNumbers,
  fractions,
  hugeNumbers,
  inOtherCase,
  inOtherLetters,
  MARKS,
  mistyped,
  numbersInOtherWords,
  objects,
  otherWords,
  severalStatuses,
} from './near-values.ts';
import { DEEP_ARRAY, DEEP_OBJECT, LONG_EXPONENT, MANY_DIGITS, MANY_MEMBERS, nested, VERY_LONG } from './sizes.ts';
import { objectOf } from './template.ts';

/** A JSON value as text; without a label it is described by its text. */
export interface JsonValue {
  readonly json: string;
  readonly label?: string;
}

/** Wrong values of one kind: the ones that are always sent, and any other. */
interface WrongValues {
  readonly examples: readonly JsonValue[];
  /** Every example is sent in every standard run, not only some of them. */
  readonly sendsAll?: boolean;
  readonly others?: fc.Arbitrary<string>;
}

const values = (...texts: readonly string[]): readonly JsonValue[] => texts.map((json) => ({ json }));
const strings = (...texts: readonly string[]): readonly JsonValue[] =>
  values(...texts.map((text) => JSON.stringify(text)));
const labelled = (texts: Readonly<Record<string, string>>): readonly JsonValue[] =>
  Object.entries(texts).map(([label, json]) => ({ json, label }));
const jsonOf = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> => values.map((value) => JSON.stringify(value));

const NULL_AND_BOOLEANS = values('null', 'true', 'false');

const INTEGERS = values('0', '1', '-1', '7', '42', '9007199254740993', '12345678901234567890');
const OTHER_NUMBERS = values('1.5', '1e2', '-0', '1e400', '-0.0', '1E-7');
// Each is a fraction as a double too, so no reader that accepts 1.0 as 1 can read one of them as an integer.
const FRACTIONS = values(
  '1.5',
  '1.25e1',
  '0.1',
  '-0.5',
  '1e-3',
  '1.0000000000000002',
  '4503599627370495.5',
  '-999999.999',
  '0.99',
);
const HUGE = [
  ...values('9.3E18', '-9223372036854775809.0', '-1e19', '1e400', '9223372036854775808.0', '1e19', '1e30', '-1e400', '-1e99999'),
  ...labelled({ 'a negative number of 400 digits': `-1${'0'.repeat(400)}` }),
]; // biome-ignore format: one table
const OBJECTS = labelled({
  'an empty object': '{}',
  'an object that holds toString and length': '{"toString":"Rex","length":3}',
  'an object that holds __proto__': '{"__proto__":{"toString":"Rex"}}',
  'an object that a database could read': '{"$ne":null}',
  'an object 100 deep': nested(100, '{"a":', '}', '1'),
});

const SIZES = {
  'an array 10,000 deep': DEEP_ARRAY,
  'an object 10,000 deep': DEEP_OBJECT,
  'an object of 1,000 members': objectOf(MANY_MEMBERS),
  'a number of 5,000 digits': MANY_DIGITS,
  'a number with an exponent of five digits': LONG_EXPONENT,
};

/** Where formats, libraries and databases put a value that they hold in an object, or in one of several languages. */
const HOLDERS = [
  'value', 'id', 'name', 'status', 'categoryId', '$numberLong', '$numberInt', '$numberDecimal', '$oid', '#text', '_text', '$t', '_', '$', '@value',
  'en', 'de', 'en-US', 'default', 'text', 'label', 'title', 'key', 'code', 'data', 'raw', 'val', 'content', '_id', 'category', 'petId', 'state', 'string',
  'number', 'int', 'long', 'low', 'current', 'first', 'item', 'items', 'result', 'set', '$set', '$eq', '$in', '0', '1', '', '__value', 'valueOf', 'toString',
]; // biome-ignore format: one list

/**
 * Valid values in an object of their own, each written as JSON: in one member, beside others, or in many members at
 * once, so that a reader who unpacks any one of them is found.
 *
 * @param inManyFirst how many values in many members come before one that is alone
 */
function holding(
  valid: readonly [string, ...string[]],
  own: Readonly<Record<string, string>>,
  { inManyFirst }: { readonly inManyFirst: number },
): WrongValues {
  const inMany = valid.map((json) => ({
    json: objectOf(HOLDERS.map((holder) => [JSON.stringify(holder), json])),
    label: `an object that holds ${json} in many members`,
  }));
  const [first] = valid;
  return {
    examples: [
      ...inMany.slice(0, inManyFirst),
      ...labelled({ [`an object that holds ${first} as value`]: `{"value":${first}}` }),
      ...inMany.slice(inManyFirst),
      ...labelled(own),
    ],
    others: fc
      .record({ holder: fc.constantFrom(...HOLDERS), json: fc.constantFrom(...valid), form: fc.constantFrom(...HELD) })
      .map(({ holder, json, form }) =>
        form.replaceAll('KEY', () => JSON.stringify(holder)).replace('VALUE', () => json),
      ),
  };
}

/** Objects and arrays around a value. */
const HELD = [
  '{KEY:VALUE}',
  '{KEY:VALUE,"unit":null}',
  '{"type":"string",KEY:VALUE}',
  '{KEY:{KEY:VALUE}}',
  '{KEY:[VALUE]}',
  '[{KEY:VALUE}]',
];

/** Valid values in arrays: alone, one in the other, beside others. */
function arraysOf(valid: readonly [string, ...string[]]): WrongValues & Required<Pick<WrongValues, 'others'>> {
  const [first] = valid;
  const wrapped = valid.flatMap((json) => [`[${json}]`, `[[${json}]]`]);
  return {
    examples: [
      ...values(`[${first}]`, '[]', `[[${first}]]`, `[${first},${first}]`, '[null]', '[1]', '[{}]'),
      { json: nested(64), label: 'an array 64 deep' },
      { json: nested(500, '[', ']', first), label: `${first} in 500 arrays` },
    ],
    others: fc.oneof(
      fc.constantFrom(...wrapped, `[${first},null]`, `[null,${first}]`, `[[],${first}]`),
      jsonOf(arrays()),
    ),
  };
}

const REX = ['"Rex"', '"5"'] as const;
const FIVE = ['5', '"5"'] as const;
const SOLD = ['"sold"', '"available"', '"pending"'] as const;

/** For each member, the kinds of wrong values. */
export const WRONG_KINDS: Readonly<Record<keyof NewPet, Readonly<Record<string, WrongValues>>>> = {
  name: {
    'null or a boolean': { sendsAll: true, examples: NULL_AND_BOOLEANS },
    'an integer': { examples: INTEGERS, others: jsonOf(fc.integer()) },
    'another number': { examples: OTHER_NUMBERS, others: jsonOf(fc.double({ noNaN: true, noDefaultInfinity: true })) },
    'an array': arraysOf(REX),
    'an object around a value': holding(REX, {
      'an object that holds a name': '{"name":"Rex"}',
      'an object that holds letters': '{"0":"R","1":"e","2":"x","length":3}',
      'an object that holds names by language': '{"en":"Rex","de":"Rex"}',
      'an object that holds bytes': '{"type":"Buffer","data":[82,101,120]}',
      'an object that holds a first and a last name': '{"first":"Rex","last":"Rex"}',
    }, { inManyFirst: 2 }),
    'another object': { examples: OBJECTS, others: jsonOf(objects()) },
    'of an unusual size or depth': { sendsAll: true, examples: labelled(SIZES) },
  },
  categoryId: {
    'null or a boolean': { sendsAll: true, examples: NULL_AND_BOOLEANS },
    'an integer in quotes': {
      examples: strings('1', '0', '-1', '9223372036854775807', '42', '9007199254740993'),
      others: jsonOf(fc.integer().map(String)),
    },
    'a number in quotes, and marks': {
      examples: strings(' 1', '1 ', '+1', '007', '1n', '1,000', '#1', '"1"', '1L', '1;', '$1', '1_000'),
      others: jsonOf(decoratedNumbers()),
    },
    'a number in quotes, spelled differently': {
      examples: strings('1.0', '١', '0x1', '1e2', '１', 'five', '0b1', '0o7', 'V', '½', '५', '1st', 'MQ==', '%31', '&#49;'),
      others: jsonOf(numbersInOtherWords()),
    },
    'another string': {
      examples: strings('', 'abc', 'null', 'true', ' ', 'NaN', 'one', '\u0000', '1\u0000', '[1]', '{}', '2030-12-05', '2026-01-01T00:00:00Z', 'Infinity'),
      others: jsonOf(fc.string()),
    },
    'a fraction': { examples: FRACTIONS, others: fractions() },
    'just beyond int64': {
      examples: values(...BEYOND_INT64.map(String)),
      others: beyondInt64().map(String),
    },
    'far beyond int64': { examples: HUGE, others: hugeNumbers() },
    'an array': arraysOf(FIVE),
    'an object around a value': holding(FIVE, {
      'an object that holds an id': '{"id":5}',
      'an object that holds two halves of an integer': '{"low":5,"high":0,"unsigned":false}',
      'an object that holds digits': '{"s":1,"e":0,"c":[5]}',
      'an object that holds an id and a name': '{"id":5,"name":"Dogs"}',
    }, { inManyFirst: 2 }),
    'another object': { examples: OBJECTS, others: jsonOf(objects()) },
    'of an unusual size or depth': {
      sendsAll: true,
      examples: labelled({
        'a number of 5,000 digits': MANY_DIGITS,
        'a number with an exponent of six digits': '1e999999',
        'an array 10,000 deep': DEEP_ARRAY,
        'a string of 100,000 digits': JSON.stringify('1'.repeat(VERY_LONG)),
        'an object 10,000 deep': DEEP_OBJECT,
      }),
    },
  },
  status: {
    'null or a boolean': { sendsAll: true, examples: NULL_AND_BOOLEANS },
    'a number': {
      examples: [...values('0', '1', '2', '3', '-1', '1.5'), ...OTHER_NUMBERS],
      others: jsonOf(fc.integer({ min: -9, max: 999 })),
    },
    'an array that holds a status': {
      examples: values('["sold"]', '["available"]', '["available","pending"]', '[["pending"]]', '["sold",1]'),
      others: arraysOf(SOLD).others,
    },
    'another array': {
      examples: values('[]', '["Rex"]', '[1]', '[null]', '[["Rex"]]', '[{}]', '[true]', '[""]'),
      others: jsonOf(arrays()),
    },
    'an object around a status': holding(SOLD, {
      'an object that holds a status': '{"status":"sold"}',
      'an object that holds a boolean for a status': '{"sold":true}',
      'an object that holds a name and a place': '{"name":"SOLD","ordinal":2}',
    }, { inManyFirst: 1 }),
    'another object': { examples: OBJECTS, others: jsonOf(objects()) },
    empty: { examples: strings('', ' ', '\t', '\u0000', '\u200b') },
    'in other letter cases': {
      examples: strings('AVAILABLE', 'Sold', 'penDing', 'solD', 'aVAILABLE', 'Available', 'Pending', 'SOLD', 'PENDING'),
      others: jsonOf(inOtherCase()),
    },
    'a status and blanks': {
      examples: strings(' available', 'sold ', ' pending ', 'so ld', 'sold\u00a0', '\u3000pending', 'available '),
      others: jsonOf(decorated(fc.constantFrom(...PET_STATUSES), [' ', '  ', '\u00a0', '\u2003', '\u3000', '\u2009'])),
    },
    'a status and a control character': {
      examples: strings('sold\n', 'sold\u0000', '\npending', 'available\t', 'available\r\n', 'pending\u0000x', 'sold\u007f'),
      others: jsonOf(decorated(fc.constantFrom(...PET_STATUSES), ['\n', '\r\n', '\t', '\u0000', '\u001f', '\u007f', '\u0085', '\b'])),
    },
    'nearly a status': {
      examples: strings('availabl', 'soldd', 'penddng', 'vailable', 'availablee', 'sol', 'pend', 'pendin', 'avaliable'),
      others: jsonOf(mistyped()),
    },
    'a status and more': {
      examples: strings('unavailable', 'soldout', 'pending2', 'not sold', 'sold-out', 'xsold', 'available!', 'sold.', 'sold;', 'PetStatus.sold', 'STATUS_SOLD', 'solds', '[sold]'),
      others: jsonOf(decorated(fc.constantFrom(...PET_STATUSES), MARKS)),
    },
    'a status in quotes': {
      examples: strings("'sold'", '"sold"', "'available'", '"pending"', '`sold`', '\\"sold\\"', '“sold”', "'sold", 'sold"'),
    },
    'several statuses': {
      examples: strings('available,pending', 'pending|sold', 'sold sold', 'available/sold', 'available pending sold', 'sold,'),
      others: jsonOf(severalStatuses()),
    },
    'another word': {
      examples: strings('unknown', 'deleted', 'none', 'reserved', 'adopted', 'active', 'avail', 'new', 'draft', 'verfügbar', 'free', 'sell', 'open', 'closed', 'in stock', 'default', 'in_stock', 'out_of_stock', 'placed', 'delivered'),
      others: jsonOf(otherWords()),
    },
    'a keyword': {
      examples: strings('__proto__', '1', 'constructor', 'null', 'undefined', 'toString', 'hasOwnProperty', 'length', 'true', '0', 'NaN', 'valueOf', 'None', 'values', '2', 'false'),
    },
    'a status in other letters': {
      examples: strings('ｓｏｌｄ', 'sóld', 'so\u200bld', 'ѕоld', 'pendıng', 'so\u0301ld', '\ufeffsold', 'sold\u2028', 'ﬁnding', '\u202esold'),
      others: jsonOf(inOtherLetters()),
    },
    'of an unusual size or depth': {
      sendsAll: true,
      examples: [
        { json: JSON.stringify(`sold${' '.repeat(VERY_LONG)}`), label: 'a status and 100,000 blanks' },
        { json: JSON.stringify(`sold${'🐾'.repeat(598)}`), label: 'a string of 1,200 characters' },
        { json: DEEP_ARRAY, label: 'an array 10,000 deep' },
        { json: MANY_DIGITS, label: 'a number of 5,000 digits' },
        { json: objectOf([['"status"', '"sold"'], ...MANY_MEMBERS]), label: 'an object of 1,001 members' },
      ],
    },
  },
}; // biome-ignore format: one table
