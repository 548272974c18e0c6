import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../report/model/result.ts';
import { type RequestSpace, rowsOf } from './request-space.ts';

const COLOURS = Array.from({ length: 9 }, (_, at) => `colour ${at}`);
const COMPANY = ['among others', 'alone'];

/** Every pair of levels; half of the rows are alone. */
const SPACE: RequestSpace<string> = {
  name: 'colours',
  factors: { colour: COLOURS, company: COMPANY },
  strength: { smoke: 2, standard: 2, thorough: 2 },
  seldom: [{ factor: 'company', level: 'alone', most: { standard: 3 } }],
  sample: (row) => fc.constant(row.level('colour')),
};

/** The colours that are alone. */
const alone = (profile: Profile, seed: number): readonly string[] =>
  rowsOf(SPACE, profile, seed).flatMap((row) => (row.level('company') === 'alone' ? [row.level('colour')] : []));

test('a level that is to be seldom is in so many rows, others for every seed, and no row is lost', () => {
  const bySeed = [1, 2, 3, 4].map((seed) => alone('standard', seed));
  expect(bySeed.map(({ length }) => length)).toEqual([3, 3, 3, 3]);
  expect(new Set(bySeed.map(String)).size).toBeGreaterThan(1);
  expect(alone('standard', 1)).toEqual(bySeed[0]);
  expect(rowsOf(SPACE, 'standard', 1)).toHaveLength(18);
});

test('rows in which it is dearer come last', () => {
  const dear = COLOURS.slice(0, 8);
  const [level] = SPACE.seldom ?? [];
  if (level === undefined) throw new Error('the space has no seldom level');
  const rows = rowsOf({ ...SPACE, seldom: [{ ...level, dearerWith: { colour: dear } }] }, 'standard', 1);
  const colours = rows.flatMap((row) => (row.level('company') === 'alone' ? [row.level('colour')] : []));
  expect(colours).toHaveLength(3);
  expect(colours).toContain(COLOURS[8]);
});

test('it is in all of its rows where the profile has no number', () => {
  expect(alone('thorough', 1)).toEqual(COLOURS);
});

/** Three rows at each level of the one factor; one of them has more examples than that. */
const DRINKS: RequestSpace<string> = {
  name: 'drinks',
  factors: { drink: ['tea', 'juice'], nth: ['1', '2', '3'] },
  strength: { smoke: 2, standard: 2, thorough: 2 },
  sample: (row) =>
    row.draw('drink', {
      tea: { examples: ['green', 'black', 'white', 'red', 'mint'], others: fc.constant('any') },
      juice: { examples: ['apple', 'pear', 'plum'] },
    }),
};

/** What the rows send at each of the levels. */
const drinks = (seed: number): readonly string[] =>
  ['tea', 'juice'].flatMap((drink) =>
    rowsOf(DRINKS, 'standard', 1)
      .filter((row) => row.level('drink') === drink)
      .flatMap((row) => fc.sample(DRINKS.sample(row), { seed, numRuns: 1 })),
  );

test('of more examples than rows the first are sent in every run, and one of all others', () => {
  const seeds = Array.from({ length: 60 }, (_, at) => at);
  expect(seeds.map((seed) => drinks(seed).toSpliced(2, 1))).toEqual(
    seeds.map(() => ['green', 'black', 'apple', 'pear', 'plum']),
  );
  expect(new Set(seeds.map((seed) => drinks(seed)[2]))).toEqual(new Set(['white', 'red', 'mint', 'any']));
});
