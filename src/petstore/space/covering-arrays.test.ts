import { criteria, make } from 'covertable';
import { describe, expect, test } from 'vitest';
import { type Factors, LEVEL_CHARACTERS, type Strength } from '../../engine/request-space.ts';
import { CONCURRENCY_FACTOR, CONNECTION_FACTOR, TIMES_FACTOR } from './circumstances.ts';
import stored from './covering-arrays.json' with { type: 'json' };
import { SHORT, SIZE_FACTOR } from './list-queries.ts';
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

function generate({ factors, everyExample }: (typeof SPACES)[number], strength: Strength): readonly string[] {
  const levels = Object.values(factors).map((names) => names.map((_, at) => LEVEL_CHARACTERS[at] ?? ''));
  const rows = make(levels, { length: strength, criterion: strength === 2 ? criteria.greedy : criteria.simple });
  const dear = [SIZE_FACTOR, CONNECTION_FACTOR, CONCURRENCY_FACTOR, TIMES_FACTOR].map((name) =>
    Object.keys(factors).indexOf(name),
  );
  let sparing: readonly (readonly string[])[] = rows;
  for (const at of dear) if (at >= 0) sparing = spared(sparing, at, strength);
  if (strength !== 2) return sparing.map((row) => row.join(''));
  // Whatever may hide a defect stands in one row of three, and not in two.
  const hidesADefect = (levels: Levels): boolean => everyExample?.hides(levels, 'defect') === true;
  const exchanged = withFewer(hidesADefect, withFewer(isDear, sparing, factors, CONNECTION_FACTOR), factors, 'sending');
  return exchanged.map((row) => row.join(''));
}

/**
 * A connection that was used before costs a request of its own where a row is sent at one moment with others, twice, or
 * while hardly anything was added.
 */
const isDear = (levels: Levels): boolean =>
  levels[CONNECTION_FACTOR]?.includes('used') === true &&
  (levels[CONCURRENCY_FACTOR] !== 'among others' ||
    levels[TIMES_FACTOR] !== 'once' ||
    SHORT.some((size) => levels[SIZE_FACTOR] === size));

type Levels = Readonly<Record<string, string>>;

/** The rows with the levels of a factor exchanged between some, so that fewer are of one kind, and every pair is still there. */
function withFewer(
  isOfTheKind: (levels: Levels) => boolean,
  rows: readonly (readonly string[])[],
  factors: Factors,
  factor: string,
): readonly (readonly string[])[] {
  const at = Object.keys(factors).indexOf(factor);
  if (at < 0) return rows;
  const ofTheKind = (...some: readonly (readonly string[])[]): number =>
    some.filter((row) =>
      isOfTheKind(
        Object.fromEntries(
          Object.entries(factors).map(([name, levels], place) => [
            name,
            levels[LEVEL_CHARACTERS.indexOf(row[place] ?? ' ')] ?? '',
          ]),
        ),
      ),
    ).length;
  const pairsOf = (row: readonly string[]): readonly string[] =>
    row.flatMap((level, place) => (place === at ? [] : `${row[at]} ${place}=${level}`));
  const counts = new Map<string, number>();
  const count = (row: readonly string[], by: number): void => {
    for (const pair of pairsOf(row)) counts.set(pair, (counts.get(pair) ?? 0) + by);
  };
  const exchanged = [...rows];
  for (const row of rows) count(row, 1);
  const tryExchange = (one: readonly string[], two: readonly string[]): boolean => {
    const [newOne, newTwo] = [one.with(at, two[at] ?? ''), two.with(at, one[at] ?? '')];
    if (ofTheKind(newOne, newTwo) >= ofTheKind(one, two)) return false;
    for (const row of [one, two]) count(row, -1);
    for (const row of [newOne, newTwo]) count(row, 1);
    if ([one, two].every((row) => pairsOf(row).every((pair) => (counts.get(pair) ?? 0) > 0))) return true;
    for (const row of [newOne, newTwo]) count(row, -1);
    for (const row of [one, two]) count(row, 1);
    return false;
  };
  for (const [place] of rows.entries()) {
    const one = exchanged[place];
    if (one === undefined || ofTheKind(one) === 0) continue;
    const other = exchanged.findIndex((two) => two[at] !== one[at] && tryExchange(one, two));
    const two = exchanged[other];
    if (two === undefined) continue;
    exchanged[place] = one.with(at, two[at] ?? '');
    exchanged[other] = two.with(at, one[at] ?? '');
  }
  return exchanged;
}

/** The rows with the first level of one factor wherever another one is not needed: the others cost requests and time. */
function spared(rows: readonly (readonly string[])[], at: number, strength: number): readonly (readonly string[])[] {
  const first = LEVEL_CHARACTERS.slice(0, 1);
  const tuplesOf = (row: readonly string[]): readonly string[] => {
    const others = row.flatMap((level, factor) => (factor === at ? [] : `${factor}=${level}`));
    return combinations(
      others.map((_, index) => index),
      strength - 1,
    ).map((chosen) => [row[at], ...chosen.map((index) => others[index])].join(' '));
  };
  const counts = new Map<string, number>();
  const count = (row: readonly string[], by: number): void => {
    for (const tuple of tuplesOf(row)) counts.set(tuple, (counts.get(tuple) ?? 0) + by);
  };
  for (const row of rows) count(row, 1);
  return rows.map((row) => {
    if (row[at] === undefined || row[at] === first) return row;
    if (tuplesOf(row).some((tuple) => counts.get(tuple) === 1)) return row;
    const sparing = row.with(at, first);
    count(row, -1);
    count(sparing, 1);
    return sparing;
  });
}

/** Arrays that no longer cover their space are made anew, which takes a while; `npm run spaces` stores them. */
function current(): Stored {
  return Object.fromEntries(
    SPACES.map((space) => {
      const sizes = Object.values(space.factors).map(({ length }) => length);
      const byStrength = strengthsOf(space).map((strength) => {
        const rows = STORED[space.name]?.[strength] ?? [];
        return [strength, covers(rows, sizes, strength) ? rows : generate(space, strength)] as const;
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
