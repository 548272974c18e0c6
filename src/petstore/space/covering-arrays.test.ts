import { criteria, make } from 'covertable';
import { describe, expect, test } from 'vitest';
import { type Factors, LEVEL_CHARACTERS, type Strength } from '../../engine/request-space.ts';
import stored from './covering-arrays.json' with { type: 'json' };
import { SPACES } from './spaces.ts';

/** The arrays of each space by strength, each row a string with a character for each factor. */
type Stored = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
const STORED: Stored = stored;

const strengthsOf = ({ strength }: (typeof SPACES)[number]): readonly Strength[] =>
  [...new Set(Object.values(strength))].filter((size) => size > 1);

/** Whether rows hold every tuple of levels, and no level that there is not. */
function covers(rows: readonly string[], sizes: readonly number[], strength: number): boolean {
  const columns = combinations(
    sizes.map((_, at) => at),
    strength,
  );
  const isRow = (row: string): boolean =>
    row.length === sizes.length && sizes.every((size, at) => LEVEL_CHARACTERS.slice(0, size).includes(row[at] ?? ' '));
  return (
    rows.every(isRow) &&
    columns.every((chosen) => {
      const tuples = new Set(rows.map((row) => chosen.map((at) => row[at]).join('')));
      return tuples.size === chosen.reduce((product, at) => product * (sizes[at] ?? 0), 1);
    })
  );
}

function combinations(items: readonly number[], size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) => combinations(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]));
}

function generate(factors: Factors, strength: Strength): readonly string[] {
  const levels = Object.values(factors).map((names) => names.map((_, at) => LEVEL_CHARACTERS[at] ?? ''));
  return make(levels, { length: strength, criterion: strength === 2 ? criteria.greedy : criteria.simple }).map((row) =>
    row.join(''),
  );
}

/** Arrays that no longer cover their space are made anew, which takes a while; `npm run spaces` stores them. */
function current(): Stored {
  return Object.fromEntries(
    SPACES.map((space) => {
      const sizes = Object.values(space.factors).map(({ length }) => length);
      const byStrength = strengthsOf(space).map((strength) => {
        const rows = STORED[space.name]?.[strength] ?? [];
        return [strength, covers(rows, sizes, strength) ? rows : generate(space.factors, strength)] as const;
      });
      return [space.name, Object.fromEntries(byStrength)];
    }),
  );
}

describe('the covering arrays', () => {
  test('cover every tuple of levels of their spaces', { timeout: 600_000 }, async () => {
    await expect(`${JSON.stringify(current(), null, 1)}\n`).toMatchFileSnapshot('./covering-arrays.json');
  });

  test('have a character for every level', () => {
    for (const { factors } of SPACES) {
      for (const levels of Object.values(factors)) expect(levels.length).toBeLessThanOrEqual(LEVEL_CHARACTERS.length);
    }
  });
});
