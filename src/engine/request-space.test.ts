import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../report/model/result.ts';
import { anyOf, type LevelTable, type RequestSpace, rowsOf, SpaceRow, withExamples } from './request-space.ts';

const DRINKS: LevelTable<string> = {
  water: { examples: ['still'] },
  tea: { examples: ['green', 'black', 'white'], others: fc.constant('any tea') },
  juice: { examples: ['apple'], kinds: [fc.constant('some juice')] },
};

const CUPS: LevelTable<number> = {
  one: { examples: [1] },
  several: { examples: [2, 3, 4] },
  many: { examples: [], others: fc.constant(99) },
};

/** What is drunk, and of how many cups. */
const SPACE: RequestSpace<string> = {
  name: 'drinks',
  factors: { drink: DRINKS, cups: CUPS },
  strength: { smoke: 1, standard: 2, thorough: 2 },
  sample: (row) => fc.tuple(row.draw('drink', DRINKS), row.draw('cups', CUPS)).map((drawn) => drawn.join(' x ')),
};

/** What the rows of a profile send. */
const sent = (profile: Profile, space = SPACE): readonly string[] =>
  rowsOf(space, profile, 1).flatMap((row) => fc.sample(space.sample(row), { seed: 1, numRuns: 1 }));

describe('the rows of a space', () => {
  test('have every pair of levels', () => {
    const pairs = new Set(rowsOf(SPACE, 'standard', 1).map((row) => `${row.level('drink')} x ${row.level('cups')}`));
    expect(pairs.size).toBe(9);
  });

  test('send every example and every kind with nothing else unusual', () => {
    expect(sent('standard')).toEqual(
      expect.arrayContaining(['green x 1', 'black x 1', 'white x 1', 'apple x 1', 'some juice x 1', 'still x 2', 'still x 3', 'still x 4']), // biome-ignore format: one list
    );
  });

  test('send the examples again beside others, and anything else where a level has that', () => {
    const together = sent('standard').filter((drink) => !drink.startsWith('still') && !drink.endsWith(' 1'));
    expect(together.toSorted()).toEqual(['any tea x 2', 'any tea x 99', 'apple x 3', 'some juice x 99']);
  });

  test('are no more than that', () => {
    // The nine pairs, and what four of them leave of nine examples that are not plain.
    expect(sent('standard')).toHaveLength(9 + 5);
  });

  test('have every level once in smoke, combined anew for every seed', () => {
    expect(rowsOf(SPACE, 'smoke', 1)).toHaveLength(3);
    const bySeed = [1, 2, 3, 4, 5].map((seed) => rowsOf(SPACE, 'smoke', seed).map(({ levels }) => levels));
    for (const rows of bySeed) expect(new Set(rows.map(({ cups }) => cups)).size).toBe(3);
    expect(new Set(bySeed.map((rows) => JSON.stringify(rows))).size).toBeGreaterThan(1);
  });

  test('are none where a profile leaves the space out', () => {
    expect(sent('smoke', { ...SPACE, strength: { smoke: 0, standard: 0, thorough: 0 } })).toEqual([]);
  });
});

test('so many examples are sent by themselves, and the others with other levels, in turn', () => {
  const { tea } = withExamples(DRINKS, 1);
  expect(tea).toMatchObject({ examples: ['green'], more: ['black', 'white'] });
  const drinks = withExamples(DRINKS, 1);
  const turns = [0, 1, 2, 3].map((drink) => new SpaceRow({ drink: 'tea' }, { drink }).draw('drink', drinks));
  const drawn = turns.map((turn) => fc.sample(turn, { seed: 1, numRuns: 1 })[0]);
  expect(drawn).toEqual(['green', 'black', 'white', 'any tea']);
  // Something must be the plain one.
  expect(withExamples(DRINKS, 0)['water']?.examples).toHaveLength(1);
});

test('any request of a space has any of its levels', () => {
  const drawn = new Set(fc.sample(anyOf(SPACE), { seed: 1, numRuns: 500 }));
  expect(drawn).toContain('still x 1');
  expect(drawn).toContain('any tea x 99');
  expect(drawn).toContain('some juice x 4');
});
