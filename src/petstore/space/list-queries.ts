import fc from 'fast-check';
import { type LevelTable, type RequestSpace, type SpacePart, withExamples } from '../../engine/request-space.ts';
import type { ListQuery, RequestForm } from '../calls.ts';
import { LIMIT, PET_STATUSES } from '../contract-facts.ts';
import {
  afterAnOperator,
  before,
  behind,
  besideABlank,
  besideAControl,
  besideAMark,
  changed,
  edgesOf,
  inBrackets,
  inDoubleQuotes,
  inOtherQuotes,
  inSingleQuotes,
  withAMarkInside,
  withSomethingUnseen,
} from '../inputs/decorations.ts';
import { ENCODINGS, type Encoding } from './encodings.ts';
import { HEADERS } from './request-forms.ts';

/** The values given for a parameter: none, one, or several. */
type Values = readonly string[];

/** The limit that is larger by `more` than the number of animals that match, or the nearest that is valid. */
export interface Fitting {
  readonly more: number;
}

const { minimum, maximum, default: usual } = LIMIT;

const each = (...values: readonly (string | number)[]): readonly Values[] => values.map((value) => [`${value}`]);
const integers = (min: number, max: number): fc.Arbitrary<Values> =>
  fc.integer({ min, max }).map((limit) => [`${limit}`]);

/** Each takes its turn with an example of its own in every run. */
const kinds = (...texts: readonly fc.Arbitrary<string>[]): readonly fc.Arbitrary<Values>[] =>
  texts.map((text) => text.map((value) => [value]));

const aLimit = fc.integer({ min: minimum, max: maximum }).map(String);
const aStatus = fc.constantFrom<string>(...PET_STATUSES);
const anEdge = (...exponents: readonly bigint[]): fc.Arbitrary<bigint> => fc.constantFrom(...edgesOf(...exponents));
const isNoStatus = (text: string): boolean => text !== '' && !PET_STATUSES.some((status) => status === text);

/** The limit for a number of animals that match. */
export const limitFor = ({ more }: Fitting, matching: number): number =>
  Math.min(maximum, Math.max(minimum, matching + more));

const LIMITS: LevelTable<Values | Fitting> = {
  absent: { examples: [[]] },
  'a bound': { examples: each(minimum, maximum, usual) },
  inside: {
    examples: each(minimum + 1, maximum - 1, usual - 1, usual + 1, 50, 10, 30, 90, 40, 70, 60, 80),
    others: integers(minimum + 1, maximum - 1),
  },
  'as many as match': { examples: [{ more: 0 }] },
  'one fewer than match': { examples: [{ more: -1 }] },
  'out of range': {
    examples: each(
      maximum + 1, minimum - 1, '2147483647', -1, 200, '-2147483648', '2147483648', '-2147483649', -maximum, '4294967297',
      1_000, '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '9'.repeat(1_200),
    ),
    kinds: [
      integers(maximum + 2, 100_000),
      integers(-maximum, -2),
      ...kinds(
        anEdge(7n, 8n, 10n, 15n, 16n, 24n).map((edge) => `${edge < 0n ? -edge : edge}`),
        anEdge(31n, 32n, 53n, 63n, 64n, 127n, 128n).map((edge) => `${edge < 0n ? -edge : edge}`),
        fc.stringMatching(/^[1-9][0-9]{10,40}$/),
        anEdge(3n, 7n, 8n, 15n, 16n, 24n, 31n, 53n, 63n, 127n).map((edge) => `${edge < 0n ? edge : -edge}`),
      ),
    ],
    more: each('4294967295'),
    others: fc.oneof(integers(maximum + 2, 100_000), integers(-100_000, minimum - 2)),
  },
  'no integer': {
    examples: each(
      '1.5', '5abc', 'abc', '1e1', 'null', 'abc5', '0x10', '٢٠٠', 'true', '1e2', '1e400', '１１０', 'Infinity', '5 OR 1=1', '1e3', '%',
      '-1.5', '1 5', '1,1000', '²', 'all', '5;DROP TABLE pets',
    ),
    kinds: kinds(
      fc.tuple(aLimit, fc.stringMatching(/^[0-9]{0,3}[1-9]$/)).map(([limit, fraction]) => `${limit}.${fraction}`),
      fc.tuple(aLimit, fc.constantFrom('e0', 'E0', 'e+0', 'e-0', 'e1', 'e2', 'E3', 'e+1', 'e-1', 'e00', 'e999', 'd0', 'p0')).map((parts) => parts.join('')),
      fc.tuple(fc.constantFrom('0x', '0X', '0b', '0o', '#', '&h', '0d'), aLimit).map((parts) => parts.join('')),
      fc.oneof(inDoubleQuotes(aLimit), inBrackets(aLimit)), fc.oneof(inSingleQuotes(aLimit), inOtherQuotes(aLimit)), besideAMark(aLimit),
      withAMarkInside(aLimit), afterAnOperator(aLimit, 'limit'), behind(aLimit, fc.stringMatching(/^[a-zA-Z]{1,2}$/)),
    ),
    more: each('NaN', '1,5', '5.', '%35'),
    others: fc.stringMatching(/^[a-z]{1,8}$/).map((word) => [word]),
  },
  'written in an unusual way': {
    examples: each(
      '05', ' 5', '200.0', '5\n', '', '+5', '-0', '5\u0000', '100.0', '\u00005', '+101', ' ', '0100', '\n', '+0', ' 5 ',
      '5\u0000101', ' 101',
    ),
    kinds: kinds(
      fc.tuple(aLimit, fc.stringMatching(/^0{1,6}$/)).map((parts) => parts.join('.')),
      fc.tuple(fc.stringMatching(/^0{1,6}$/), aLimit).map((parts) => parts.join('')),
      aLimit.map((limit) => `+${limit}`),
      besideABlank(aLimit), besideAControl(aLimit), withSomethingUnseen(aLimit),
    ),
  },
  twice: {
    examples: [['5', '7'], ['5', '5'], ['100', '1'], ['1', '100'], ['5', '1000'], ['1000', '5'], ['abc', '5'], ['5', ''], ['0', '5'], ['5', '7', '9']],
    kinds: [fc.tuple(aLimit, aLimit)],
  },
}; // biome-ignore format: one table

/** The letters that other scripts have too, as they look there. */
const HOMOGLYPHS: Readonly<Record<string, string>> = {
  a: '\u0430', b: '\u0184', d: '\u0501', e: '\u0435', g: '\u0261', i: '\u0456', l: '\u04cf', n: '\u0578', o: '\u043e', p: '\u0440', s: '\u0455', v: '\u03bd',
}; // biome-ignore format: one table

const anotherLetter = (letter: string): string => (letter === 'q' ? 'j' : 'q');
const otherCase = (letter: string): string => letter.toUpperCase();
const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));

const STATUSES: LevelTable<Values> = {
  absent: { examples: [[]] },
  ...Object.fromEntries(PET_STATUSES.map((status) => [status, { examples: [[status]] }])),
  'another word': {
    examples: each(
      'unknown', 'AVAILABLE', 'avail', 'Available', 'SOLD', 'unavailable', 'xsold', 'all',
    ),
    kinds: kinds(
      changed(aStatus, anotherLetter),
      changed(aStatus, otherCase),
      changed(aStatus, (letter) => letter + letter),
      changed(aStatus.map((status) => status.toUpperCase()), (letter) => letter.toLowerCase()),
      changed(aStatus, () => ''),
      fc.oneof(
        behind(aStatus, fc.constantFrom('s', 'ed', 'x', '1', '_', '-', '.', 'pending', 'sold', 'available', 'Status')),
        before(aStatus, fc.constantFrom('x', 'un', 'is', 'not', 'all', '1', '_', '-', 'status', 'PetStatus.', 'pending')),
      ),
    ),
    others: fc.stringMatching(/^[a-z]{2,12}$/).filter(isNoStatus).map((word) => [word]),
  },
  'blanks and control characters': {
    examples: each(
      'available ', 'sold\n', ' sold', 'sold\u0000', ' pending ', '\u0000', 'sold\u00a0', 'pending\u0000x', 'so ld',
    ),
    kinds: kinds(besideABlank(aStatus), besideAControl(aStatus)),
  },
  'a list, a negation or a pattern': {
    examples: each(
      'available,pending', '!sold', 'sold pending', 'sold,', '*', '%', 'sol%', 'sold&limit=5', '.*',
    ),
    more: each('eq:pending', '[sold]'),
    kinds: kinds(
      fc.oneof(inDoubleQuotes(aStatus), inSingleQuotes(aStatus)), fc.oneof(inOtherQuotes(aStatus), inBrackets(aStatus)), afterAnOperator(aStatus, 'status'),
      besideAMark(aStatus), withAMarkInside(aStatus),
      fc.tuple(aStatus, fc.constantFrom(';', '|', ' ', '+', '/', ':', '||', ' or ', ', ', '\n', '-', '..', '&'), aStatus).map((parts) => parts.join('')),
    ),
  },
  'code and other scripts': {
    examples: each(
      'null', '😀', '%73old', 'ѕоld', "sold'", 'ｓｏｌｄ', '0', 'so\u200bld', "' OR '1'='1", 'pendıng', 'so\u0301ld',
      '🐾'.repeat(125), 'x'.repeat(5_000),
    ),
    kinds: kinds(changed(aStatus, (letter) => HOMOGLYPHS[letter] ?? letter), withSomethingUnseen(aStatus), aStatus.map(fullWidth)),
    more: each('constructor', '__proto__', 'undefined', '${7*7}', "sold' --"),
  },
  empty: { examples: each('') },
  twice: {
    examples: [
      ['available', 'pending'], ['sold', 'sold'], ['sold', 'available'], ['sold', 'unknown'], ['available', 'available'],
      ['unknown', 'sold'], ['', 'pending'], ['available', ''], ['SOLD', 'sold'],
    ],
    kinds: [fc.tuple(aStatus, aStatus)],
  },
}; // biome-ignore format: one table

/** An end that is not as a URI allows, of one of the parameters or of both. */
const limitEnds = (end: string): Encoding => ({ values: { limit: { end }, status: 'strictly' } });
const statusEnds = (end: string): Encoding => ({ values: { limit: 'strictly', status: { end } } });
const bothEnd = (end: string): Encoding => ({ values: { limit: { end }, status: { end } } });

/** Queries whose percent-encoding is malformed, in a value that is right but for it. */
export const MALFORMED: Readonly<Record<'limit' | 'status', readonly ListQuery[]>> = {
  limit: [limitEnds('%'), limitEnds('%ZZ'), limitEnds('%C0%80')].map((encoding) => ({
    limit: usual,
    status: 'sold',
    ...encoding,
  })),
  status: [
    statusEnds('%FF'),
    { values: { limit: 'strictly', status: 'the first character as once' } } satisfies Encoding,
    statusEnds('%ZZ'),
    statusEnds('%2'),
    statusEnds('%'),
    bothEnd('%E9'),
    bothEnd('%u0041'),
  ].map((encoding) => ({ status: 'sold', ...encoding })),
};

/** Other ways to write a query have checks that send them all. */
const WRITTEN = withExamples(ENCODINGS, 0);

/** In which order the parameters stand; of one that is given twice, the other may stand between. */
const ORDERS: LevelTable<Pick<ListQuery, 'statusFirst' | 'apart'>> = withExamples(
  {
    'limit first': { examples: [{ statusFirst: false }] },
    'status first': { examples: [{ statusFirst: true }] },
    'the other in between': { examples: [{ apart: true }] },
  },
  0,
);

/** A list call's query, and how it is written. */
export interface ListRequest {
  readonly query: ListQuery;
  /** Its limit, where that depends on how many animals match. */
  readonly fitting?: Fitting | undefined;
  readonly form?: RequestForm;
}

const FITTING_LIMITS = ['as many as match', 'one fewer than match'];
const VALID_LIMITS = ['a bound', 'inside', ...FITTING_LIMITS];
const isOpenLimit = (level: string): boolean => level !== 'absent' && !VALID_LIMITS.includes(level);
const isOpenStatus = (level: string): boolean => level !== 'absent' && !PET_STATUSES.some((status) => status === level);

/** The levels of each kind of limit: some that are honoured depend on how many animals match. */
const LIMIT_KINDS = {
  absent: ['absent'],
  valid: VALID_LIMITS.filter((level) => !FITTING_LIMITS.includes(level)),
  fitting: FITTING_LIMITS,
  open: Object.keys(LIMITS).filter(isOpenLimit),
};

const STATUS_KINDS = { absent: ['absent'], valid: [...PET_STATUSES], open: Object.keys(STATUSES).filter(isOpenStatus) };

/** The requests of {@link LIST_QUERIES} with limits and statuses of these kinds; any where nothing is said. */
export const queries = (
  limit: readonly (keyof typeof LIMIT_KINDS)[],
  status: readonly (keyof typeof STATUS_KINDS)[],
): SpacePart => ({
  space: LIST_QUERIES,
  where: {
    limit: limit.flatMap((kind) => LIMIT_KINDS[kind]),
    status: status.flatMap((kind): readonly string[] => STATUS_KINDS[kind]),
  },
});

/** Every request of listPets that differs in more than its credential. */
export const LIST_QUERIES: RequestSpace<ListRequest> = {
  name: 'listPets',
  factors: { limit: LIMITS, status: STATUSES, order: ORDERS, 'percent-encoding': WRITTEN, headers: HEADERS },
  strength: { smoke: 2, standard: 2, thorough: 3 },
  sample: (row) =>
    fc
      .record({
        limit: row.draw('limit', LIMITS),
        status: row.draw('status', STATUSES),
        order: row.draw('order', ORDERS),
        encoding: row.draw('percent-encoding', WRITTEN),
        form: row.draw('headers', HEADERS),
      })
      .map(({ form, encoding, limit, order, ...query }) =>
        'more' in limit
          ? { query: { ...query, ...order, ...encoding }, fitting: limit, form }
          : { query: { limit, ...query, ...order, ...encoding }, form },
      ),
};
