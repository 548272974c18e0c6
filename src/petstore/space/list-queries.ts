import fc from 'fast-check';
import type { LevelTable, RequestSpace, SpaceRow } from '../../engine/request-space.ts';
import type { ListQuery, RequestForm } from '../calls.ts';
import { LIMIT, PET_STATUSES } from '../contract-facts.ts';
import { CIRCUMSTANCES_FACTOR } from './circumstances.ts';
import { arrays } from './covering-arrays.ts';
import { FORM_FACTORS, formOf, senderOf } from './request-forms.ts';

/** The values given for a parameter: none, one, or several. */
type Values = readonly string[];

const { minimum, maximum, default: usual } = LIMIT;

const each = (...values: readonly (string | number)[]): readonly Values[] => values.map((value) => [`${value}`]);
const integers = (min: number, max: number): fc.Arbitrary<Values> =>
  fc.integer({ min, max }).map((limit) => [`${limit}`]);

const LIMITS: LevelTable<Values> = {
  absent: { examples: [[]] },
  'the smallest': { examples: each(minimum) },
  'the default': { examples: each(usual) },
  'the largest': { examples: each(maximum) },
  'next to a bound': { examples: each(maximum - 1, minimum + 1, usual + 1, usual - 1) },
  'up to 20': { examples: each(10, 5, 7, 3, 16, 15, 12, 9), others: integers(minimum, 20) },
  'up to 50': { examples: each(50, 25, 30, 32, 40, 37, 49, 33), others: integers(21, 50) },
  'up to 99': { examples: each(51, 64, 75, 60, 73, 80, 90, 63), others: integers(51, 99) },
  above: {
    examples: each(maximum + 1, 200, maximum + 2, 1_000, 128, 255, 256, 500, 110, 150, 10_000, 65_535, 65_536, 65_537),
    others: integers(maximum + 2, 100_000),
  },
  below: { examples: each(minimum - 1, -1, -usual, -maximum, -2, -5, -10, -65_535), others: integers(-100_000, minimum - 2) },
  huge: {
    examples: each(
      '2147483647', '2147483648', '4294967297', '4294967301', '9007199254740993', '9223372036854775807', '9223372036854775808',
      '18446744073709551617', '18446744073709551621', '-2147483649', '-9223372036854775809', '1'.repeat(30), '9'.repeat(400),
    ), // biome-ignore format: one table
  },
  'a fraction, an exponent or another base': {
    examples: each(
      '1.5', '1e1', '0x10', '99.5', '1e2', '0.5', '0b11', '1E1', '5.9', '1e400', '-1.5', '1,5', '0o17', '.5', '1_0', '5.', '5L', '1/2', '5f', '1e-1',
    ), // biome-ignore format: one table
  },
  'a word': {
    examples: each(
      'abc', 'null', 'NaN', 'true', 'undefined', 'Infinity', 'None', 'nil', '-Infinity', 'false', 'ten', 'all', 'max', 'available',
    ), // biome-ignore format: one table
    others: fc.stringMatching(/^[a-z]{1,8}$/).map((word) => [word]),
  },
  'digits and marks': {
    examples: each(
      '5abc', '*', 'abc5', '٣', "5'", '5;', '[]', '5--', '５', '5 OR 1=1', '%', '1 5', '"5"', '--1', '{}', '1-1', '五', '5&', '$5', '5%', '²', '5+5',
      '[5]', '😀', '5;DROP TABLE pets', '${7*7}', '../5', '<5>', '%35',
    ), // biome-ignore format: one table
  },
  'another spelling': {
    examples: each('05', '5.0', '+5', '007', '20.00', '00', '-0', '100.0', '+101', '0100', '101.0', '+0', '1.0', '0000000000000000005'),
  },
  'blanks around': { examples: each(' 5', '', '5 ', ' ', '\t5', ' 5 ', '5\u00a0', '\u20035', ' 101', ' 20') },
  'control characters': { examples: each('5\n', '5\u0000', '\u00005', '5\r\n', '\n', '5\t', '\u007f5', '5\u0000101', '5\u2028') },
  twice: { examples: [['5', '7'], ['5', '5'], ['100', '1'], ['1', '100'], ['20', '20'], ['1000', '5'], ['20', '2'], ['5', '1000'], ['100', '100'], ['abc', '5'], ['3', '30'], ['5', ''], ['1', '1'], ['0', '5']] },
}; // biome-ignore format: one table

const STATUSES: LevelTable<Values> = {
  absent: { examples: [[]] },
  ...Object.fromEntries(PET_STATUSES.map((status) => [status, { examples: [[status]] }])),
  'another word': {
    examples: each('unknown', 'deleted', 'avail', 'availablee', 'reserved', 'unavailable', 'not-sold', 'soldx', 'xsold', 'availabl', 'all', 'any'),
    others: fc.stringMatching(/^[a-z]{2,12}$/).filter((word) => !PET_STATUSES.some((status) => status === word)).map((word) => [word]),
  },
  'other letter case': { examples: each('AVAILABLE', 'Available', 'SOLD', 'Sold', 'Pending', 'PENDING', 'aVAILABLE', 'pENDING', 'solD') },
  'blanks around': {
    examples: each('available ', ' sold', ' pending ', 'sold\u00a0', '\tsold', 'pending\u2003', ' available', 'sold ', '\u200bsold', 'so ld'),
  },
  'a list, a negation or a pattern': {
    examples: each(
      'available,pending', '!sold', 'sold,', '*', 'available|sold', '%', 'sold;pending', 'sol%', 'pending sold', '-sold', ',sold', '.*', '["sold"]',
      's_ld', 'not sold', 'sold,sold', '~sold', 'ne:sold',
    ), // biome-ignore format: one table
  },
  'words and code of languages': {
    examples: each(
      'null', '%73old', 'true', "sold'", '0', "' OR '1'='1", 'undefined', 'sold"', '1', '{}', 'None', '../sold', '2', '${7*7}', '__proto__', '[]',
      'constructor', "sold' --", 'NaN', '<script>', 'toString', '{"$ne":null}', 'false', 'sold\\',
    ), // biome-ignore format: one table
  },
  'other scripts': { examples: each('😀', 'ѕоld', 'ｓｏｌｄ', 'so\u200bld', 'pendıng', 'sóld', 'so\u0301ld', '売約済み', 'a'.repeat(500)) },
  'control characters': { examples: each('sold\n', 'sold\u0000', '\u0000', 'sold\r\n', '\nsold', 'available\t', 'pending\u0000x', 'sold\u2028') },
  empty: { examples: each('') },
  twice: {
    examples: [
      ['available', 'pending'], ['sold', 'sold'], ['sold', 'available'], ['pending', 'pending'], ['pending', 'sold'], ['available', 'available'],
      ['sold', 'unknown'], ['unknown', 'sold'], ['sold', 'pending'], ['', 'pending'], ['available', 'sold'], ['available', ''], ['SOLD', 'sold'],
    ],
  },
}; // biome-ignore format: one table

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');

function percentFirst(value: string): string {
  const [first = '', ...rest] = value;
  return percent(first) + encodeURIComponent(rest.join(''));
}

type Encoding = Pick<ListQuery, 'encode' | 'encodeName'>;

const encodings = (...writers: readonly NonNullable<Encoding['encode']>[]): readonly Encoding[] =>
  writers.map((encode) => ({ encode }));

/** Percent-encoded in other words, which mean the same. */
export const ENCODINGS: LevelTable<Encoding> = {
  'as needed': { examples: encodings(encodeURIComponent) },
  'every character': { examples: encodings(percent) },
  'the first character': { examples: encodings(percentFirst) },
  'hexadecimal in lower case': { examples: encodings((value) => percent(value).toLowerCase()) },
  'the names too': {
    examples: [
      { encodeName: percent },
      { encodeName: (name) => percent(name.slice(0, 1)) + name.slice(1), encode: percent },
      { encodeName: (name) => name.slice(0, -1) + percent(name.slice(-1)) },
    ],
  },
}; // biome-ignore format: one table

/** An end that is not as a URI allows, of one of the parameters or of both. */
const malformed = (end: string, only?: 'limit' | 'status'): Encoding => ({
  encode: (value, name) => encodeURIComponent(value) + (only === undefined || only === name ? end : ''),
});

const MALFORMED: LevelTable<Encoding> = {
  malformed: {
    examples: [
      malformed('%ZZ', 'limit'), malformed('%ZZ', 'status'), malformed('%', 'limit'), malformed('%2', 'status'), malformed('%E9'),
      malformed('%C0%80', 'limit'), malformed('%u0041'), malformed('%FF', 'status'),
    ],
  },
}; // biome-ignore format: one table

const WRITTEN: LevelTable<Encoding> = { ...ENCODINGS, ...MALFORMED };

const ORDERS = { 'limit first': { examples: [false] }, 'status first': { examples: [true] } };

/** A list call's query, and how it is written. */
export interface ListRequest {
  readonly query: ListQuery;
  readonly form: RequestForm;
}

const isOpenLimit = (level: string): boolean => level !== 'absent' && !/^(the|next|up to) /.test(level);
const isOpenStatus = (level: string): boolean => level !== 'absent' && !PET_STATUSES.some((status) => status === level);

/** The check that says most about a query. */
function ownerOf(row: SpaceRow): string {
  const [limit, status] = [row.level('limit'), row.level('status')];
  if (isOpenStatus(status)) return 'LIST-11';
  if (isOpenLimit(limit)) return 'LIST-10';
  if (limit === 'absent') return status === 'absent' ? 'LIST-3' : 'LIST-6';
  return status === 'absent' ? 'LIST-2' : 'LIST-9';
}

/** A service that refuses one parameter says nothing of the other. */
function hides(levels: Readonly<Record<string, string>>, factor: string): boolean {
  const { limit = '', status = '', 'percent-encoding': encoding } = levels;
  if (encoding === 'malformed') return factor === 'limit' || factor === 'status';
  return (factor === 'limit' && isOpenStatus(status)) || (factor === 'status' && isOpenLimit(limit));
}

const PLAIN = {
  limit: 'absent',
  status: 'absent',
  order: 'limit first',
  'percent-encoding': 'as needed',
  accept: 'application/json',
  'accept-encoding': 'absent',
  'other headers': 'none',
  'header of the key': 'authorization',
  [CIRCUMSTANCES_FACTOR]: 'among others',
};

/** Every request of listPets that differs in more than its credential. */
export const LIST_QUERIES: RequestSpace<ListRequest> = {
  name: 'listPets',
  factors: {
    limit: Object.keys(LIMITS),
    status: Object.keys(STATUSES),
    order: Object.keys(ORDERS),
    'percent-encoding': Object.keys(WRITTEN),
    ...FORM_FACTORS,
  },
  strength: { smoke: 1, standard: 2, thorough: 3 },
  arrays: arrays('listPets'),
  everyExample: { plain: PLAIN, hides, tables: { limit: LIMITS, status: STATUSES } },
  owner: (row) => senderOf(row, ownerOf(row), 'LIST-5.alone'),
  sample: (row) =>
    fc
      .record({
        limit: row.draw('limit', LIMITS),
        status: row.draw('status', STATUSES),
        statusFirst: row.draw('order', ORDERS),
        encoding: row.draw('percent-encoding', WRITTEN),
        form: formOf(row),
      })
      .map(({ form, encoding, ...query }) => ({ query: { ...query, ...encoding }, form })),
};
