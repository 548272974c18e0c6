/** Bodies that are JSON and no object (CREATE-8), and bodies with several defects. */
import { described, type Row, type Rows, without } from './defects.ts';
import { DEEP_ARRAY, MANY_DIGITS, nested, VERY_DEEP, VERY_LONG } from './sizes.ts';

const is = (what: string, template: string): Row => [`the body is ${what}`, template];

export const NON_OBJECTS: Readonly<Record<string, Rows>> = {
  'null, a boolean or a number for a body': {
    rows: ['null', '0', 'true', '42', 'false', '1', '-1.5', '1e400', '12345678901234567890'].map((json) => is(json, json)),
  },
  'a string for a body': {
    rows: [
      is('an empty string', '""'),
      is('a valid body inside a string', '%an object in a string%'),
      is(described('"{}"'), '"{}"'),
      is('the name alone', '%name%'),
      is('a string', '"Rex"'),
      is('a valid body in Base64 inside a string', '"%an object in Base64%"'),
    ],
  },
  'an array for a body': {
    rows: [
      is('an array that holds a valid body', '[{%members%}]'),
      is('an array of the values', '[%name%,%categoryId%]'),
      is('an empty array', '[]'),
      is('an array that holds two valid bodies', '[{%members%},{%members%}]'),
      is('an array of names and values', '[%members [name,value] joined by ,%]'),
      is('an array that holds null', '[null]'),
      is('a valid body in two arrays', '[[{%members%}]]'),
      is('a valid body and null in an array', '[{%members%},null]'),
      is('null and a valid body in an array', '[null,{%members%}]'),
      is('an array of names and values in turn', '[%members name,value joined by ,%]'),
    ],
  },
  'no object, of an unusual size or depth': {
    sendsAll: true,
    rows: [
      is('an array 10,000 deep', DEEP_ARRAY),
      is('a valid body in 10,000 arrays', nested(VERY_DEEP, '[', ']', '{%members%}')),
      is('a string of 100,000 characters', JSON.stringify('x'.repeat(VERY_LONG))),
      is('a number of 5,000 digits', MANY_DIGITS),
      is('an array of 1,000 empty objects', `[${'{},'.repeat(999)}{}]`),
    ],
  },
}; // biome-ignore format: one table

/** Each with the requirement that says that it must be refused: any of the two, if both say so. */
export const SEVERAL_DEFECTS: Readonly<Record<string, readonly (readonly [requirement: string, ...Row])[]>> = {
  'two members wrong': [
    ['CREATE-5', 'name is 7 and status is "SOLD"', '{%members%}', { name: '7', status: '"SOLD"' }],
    ['CREATE-6', 'categoryId is "1" and status is null', '{%members%}', { categoryId: '"1"', status: 'null' }],
    ['CREATE-6', 'categoryId is 1.5 and name is null', '{%members%}', { categoryId: '1.5', name: 'null' }],
    ['CREATE-7', 'status is 1 and name is []', '{%members%}', { status: '1', name: '[]' }],
    ['CREATE-5', 'every member is null', '{%members%}', { name: 'null', categoryId: 'null', status: 'null' }],
  ],
  'one member missing and another wrong': [
    ['CREATE-2', 'categoryId missing and name is 7', '{%members%}', { ...without('categoryId'), name: '7' }],
    ['CREATE-2', 'name missing and status is "none"', '{%members%}', { ...without('name'), status: '"none"' }],
    ['CREATE-2', 'name missing and categoryId is "1"', '{%members%}', { ...without('name'), categoryId: '"1"' }],
    ['CREATE-2', 'categoryId missing and status is null', '{%members%}', { ...without('categoryId'), status: 'null' }],
    ['CREATE-2', 'name and categoryId missing and status is ""', '{%members%}', { ...without('name', 'categoryId'), status: '""' }],
  ],
  'malformed and wrong': [
    ['CREATE-4', 'a comma too many, and name is null', '{%members%,}', { name: 'null' }],
    ['CREATE-4', 'the closing brace is missing, and categoryId is "1"', '{%members%', { categoryId: '"1"' }],
    ['CREATE-4', 'text after the value, and the status is unknown', '{%members%} x', { status: '"none"' }],
    ['CREATE-4', 'NaN for the categoryId, and the name is missing', '{%members%}', { ...without('name'), categoryId: 'NaN' }],
    ['CREATE-4', 'a raw line feed in the status, and name is 1', '{%members%}', { status: '"sold\n"', name: '1' }],
    ['CREATE-4', 'two arrays one after the other', '[][]'],
  ],
}; // biome-ignore format: one table
