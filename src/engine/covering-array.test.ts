import { expect, test } from 'vitest';
import { coveringArray } from './covering-array.ts';

/** The tuples of the levels of so many factors that any of the rows has. */
function tuplesIn(rows: readonly (readonly number[])[], strength: number): ReadonlySet<string> {
  const tuplesOf = (row: readonly number[], size: number, from: number): readonly string[] =>
    size === 0
      ? ['']
      : row.flatMap((level, at) =>
          at < from ? [] : tuplesOf(row, size - 1, at + 1).map((rest) => `${at}=${level} ${rest}`),
        );
  return new Set(rows.flatMap((row) => tuplesOf(row, strength, 0)));
}

/** How many tuples there are of the levels of so many factors. */
const possible = (sizes: readonly number[], strength: number, from = 0): number =>
  strength === 0
    ? 1
    : sizes.reduce((sum, size, at) => (at < from ? sum : sum + size * possible(sizes, strength - 1, at + 1)), 0);

const SHAPES = [
  [3, 2],
  [2, 9, 4, 3],
  [14, 10, 3, 7, 4, 4, 3, 4, 3],
  [51, 3, 3],
  [5, 5, 5, 5, 5, 5],
  [1, 4, 1, 3],
];

test.each(SHAPES.flatMap((sizes) => [1, 2, 3].map((strength) => ({ sizes, strength }))))(
  'of factors with $sizes levels, every tuple of $strength is in a row',
  ({ sizes, strength }) => {
    const rows = coveringArray(sizes, strength);
    const size = Math.min(strength, sizes.length);
    expect(tuplesIn(rows, size).size).toBe(possible(sizes, size));
    for (const row of rows) {
      expect(row).toHaveLength(sizes.length);
      for (const [at, level] of row.entries()) expect(level < (sizes[at] ?? 0)).toBe(true);
    }
  },
);

test('there are hardly more rows than the two or three largest factors have tuples', () => {
  expect(coveringArray([14, 10, 3, 7, 4, 4, 3, 4, 3], 2).length).toBe(140);
  expect(coveringArray([14, 10, 3, 7, 4, 4, 3, 4, 3], 3).length).toBeLessThan(1_050);
});

test('the first level stands wherever any will do', () => {
  const rows = coveringArray([6, 2, 2], 2);
  expect(rows).toHaveLength(12);
  expect(rows.filter(([, ...others]) => others.every((level) => level === 0)).length).toBeGreaterThan(4);
});
