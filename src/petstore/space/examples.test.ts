/** Every example is sent, and nothing else is unusual about the request. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { type LevelTable, type RequestSpace, rowsOf, SpaceRow } from '../../engine/request-space.ts';
import { GET_REQUESTS } from './get-requests.ts';
import { KEY_REQUESTS } from './keys.ts';
import { LIST_QUERIES } from './list-queries.ts';
import { NEW_PETS, WRITTEN_FORMS } from './new-pets.ts';
import { DEFECTIVE_BODIES, MALFORMED_BODIES, REFUSED_MEDIA } from './refused-bodies.ts';
import { SPACES } from './spaces.ts';

const SEED = 7;

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a row sends at each factor; each of its values is an example, where that is what it is. */
const valuesOf = (row: SpaceRow, factors: Readonly<Record<string, LevelTable<unknown>>>) =>
  Object.fromEntries(
    Object.entries(factors).map(([factor, table]) => [
      factor,
      fc.sample(row.draw(factor, table), { seed: SEED, numRuns: 1 })[0],
    ]),
  );

/** The first example of the first level of each factor. */
const plainOf = (factors: Readonly<Record<string, LevelTable<unknown>>>) =>
  Object.fromEntries(Object.entries(factors).map(([factor, table]) => [factor, Object.values(table)[0]?.examples[0]]));

test.each(SPACES)('every example of $name is in a row that is plain but for it', ({ factors, ...space }) => {
  const plain = plainOf(factors);
  const all = rowsOf({ factors, ...space }, 'standard', SEED).map((row) => valuesOf(row, factors));
  const isAlone = (values: Readonly<Record<string, unknown>>, subject: string): boolean =>
    Object.keys(factors).every((factor) => factor === subject || values[factor] === plain[factor]);
  const missing = Object.entries(factors).flatMap(([factor, table]) =>
    Object.entries(table).flatMap(([level, { examples }]) =>
      examples
        .filter((example) => !all.some((values) => values[factor] === example && isAlone(values, factor)))
        .map((_, at) => `${factor}, ${level}: example ${at + 1}`),
    ),
  );
  expect(missing).toEqual([]);
});

/** The factors of which a request is drawn from another table than the space has. */
function drawnElsewhere<T>(space: RequestSpace<T>): readonly string[] {
  const elsewhere = new Set<string>();
  const drawn = new Set<string>();
  const draw = vi.spyOn(SpaceRow.prototype, 'draw');
  for (const row of rowsOf(space, 'standard', SEED)) fc.sample(space.sample(row), { seed: SEED, numRuns: 1 });
  for (const [factor, table] of draw.mock.calls) {
    drawn.add(factor);
    if (space.factors[factor] !== table) elsewhere.add(factor);
  }
  draw.mockRestore();
  return [...elsewhere, ...Object.keys(space.factors).filter((factor) => !drawn.has(factor))];
}

test('every request is drawn from the tables of its space, and from all of them', () => {
  expect(drawnElsewhere(LIST_QUERIES)).toEqual([]);
  expect(drawnElsewhere(NEW_PETS)).toEqual([]);
  expect(drawnElsewhere(WRITTEN_FORMS)).toEqual([]);
  expect(drawnElsewhere(MALFORMED_BODIES)).toEqual([]);
  expect(drawnElsewhere(DEFECTIVE_BODIES)).toEqual([]);
  expect(drawnElsewhere(REFUSED_MEDIA)).toEqual([]);
  expect(drawnElsewhere(GET_REQUESTS)).toEqual([]);
  expect(drawnElsewhere(KEY_REQUESTS)).toEqual([]);
});
