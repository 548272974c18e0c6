/** Nothing that is sent stands only beside something that may hide it. */
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { type LevelTable, type RequestSpace, rowsOf, SpaceRow } from '../../engine/request-space.ts';
import { DEFECTIVE_KINDS, MALFORMED_KINDS } from '../inputs/invalid-bodies.ts';
import { GET_REQUESTS } from './get-requests.ts';
import { KEY_REQUESTS } from './keys.ts';
import { LIST_QUERIES } from './list-queries.ts';
import { DEFECTIVE_BODIES, MALFORMED_BODIES } from './refused-bodies.ts';

const SEEDS = [1, 2, 3, 4];
/** Of a row in which any of many examples may stand, so many are drawn that each of them comes up. */
const DRAWS = 120;

/** Where every example has its row, one drawn of each is enough. */
const ONE_DRAW = 1;

const DRAW = SpaceRow.prototype.draw;

type Tables = Readonly<Record<string, LevelTable<unknown>>>;

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the rows of a standard run may send, but for what something else in the same request may hide. */
function sentInSight<T>(
  space: RequestSpace<T>,
  numRuns: number,
): { readonly tables: Tables; readonly seen: ReadonlySet<unknown> } {
  const tables: Record<string, LevelTable<unknown>> = {};
  const seen = new Set<unknown>();
  vi.spyOn(SpaceRow.prototype, 'draw').mockImplementation(function drawn<V>(
    this: SpaceRow,
    factor: string,
    table: LevelTable<V>,
  ): fc.Arbitrary<V> {
    tables[factor] ??= table;
    const values = DRAW.call<SpaceRow, [string, LevelTable<V>], fc.Arbitrary<V>>(this, factor, table);
    if (space.everyExample?.hides(this.levels, factor) === true) return values;
    return values.map((value) => {
      seen.add(value);
      return value;
    });
  });
  for (const seed of SEEDS) {
    for (const row of rowsOf(space, 'standard', seed)) fc.sample(space.sample(row), { seed, numRuns });
  }
  return { tables, seen };
}

/** The examples of the tables, of all of the space where none are given, that are never sent in sight. */
function hiddenIn<T>(space: RequestSpace<T>, numRuns: number, given?: Tables): readonly string[] {
  const { tables, seen } = sentInSight(space, numRuns);
  return Object.entries(given ?? tables).flatMap(([factor, table]) =>
    Object.entries(table).flatMap(([level, { examples }]) =>
      examples.flatMap((example, at) => (seen.has(example) ? [] : `${factor}, ${level}: example ${at + 1}`)),
    ),
  );
}

test('every example is sent in a request in which nothing else may hide it', () => {
  expect(hiddenIn(LIST_QUERIES, ONE_DRAW)).toEqual([]);
  expect(hiddenIn(GET_REQUESTS, DRAWS)).toEqual([]);
  expect(hiddenIn(KEY_REQUESTS, DRAWS)).toEqual([]);
  expect(hiddenIn(MALFORMED_BODIES, DRAWS, { defect: MALFORMED_KINDS })).toEqual([]);
  expect(hiddenIn(DEFECTIVE_BODIES, DRAWS, { defect: DEFECTIVE_KINDS })).toEqual([]);
});
