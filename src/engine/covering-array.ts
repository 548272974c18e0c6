/** Rows of levels, as places in the list of their factor, in which all tuples of levels occur; 0 where any will do. */
export type CoveringArray = readonly (readonly number[])[];

/** Stands in a cell for a level that is not chosen yet. */
const FREE = -1;

/**
 * The covering array of factors with so many levels: every tuple of the levels of `strength` factors is in a row. It is
 * made in parameter order: the rows that cover some of the factors get a level of the next one, whichever covers most,
 * and what is then missing gets rows of its own.
 *
 * Lei and Tai, "In-Parameter-Order: A Test Generation Strategy for Pairwise Testing", HASE 1998
 */
export function coveringArray(sizes: readonly number[], strength: number): CoveringArray {
  // The factors with most levels come first: there are as many rows as they have tuples, or a few more.
  const order = [...sizes.keys()].toSorted((one, other) => (sizes[other] ?? 0) - (sizes[one] ?? 0));
  const widths = order.map((factor) => sizes[factor] ?? 0);
  const rows = tuplesOf(widths.slice(0, strength));
  for (let next = strength; next < widths.length; next += 1) widen(rows, widths.slice(0, next + 1), strength);
  return rows.map((row) => sizes.map((_, factor) => Math.max(0, row[order.indexOf(factor)] ?? FREE)));
}

/** Gives the rows a level of the last factor, and adds rows until every tuple with one of its levels is covered. */
function widen(rows: number[][], widths: readonly number[], strength: number): void {
  const last = widths.length - 1;
  const levels = [...Array(widths[last] ?? 0).keys()];
  const missing = subsetsOf(last, strength - 1).map((factors) => {
    const tuples = tuplesOf(factors.map((factor) => widths[factor] ?? 0));
    return { factors, covered: new Uint8Array(tuples.length * levels.length), tuples };
  });
  /** Where the tuple of a row with a level of the last factor is noted; undefined where one of its cells is free. */
  const placeOf = (row: readonly number[], factors: readonly number[], level: number): number | undefined => {
    let place = 0;
    for (const factor of factors) {
      const chosen = row[factor] ?? FREE;
      if (chosen === FREE) return undefined;
      place = place * (widths[factor] ?? 0) + chosen;
    }
    return place * levels.length + level;
  };
  const gainOf = (row: readonly number[], level: number): number => {
    let gain = 0;
    for (const { factors, covered } of missing) if (covered[placeOf(row, factors, level) ?? FREE] === 0) gain += 1;
    return gain;
  };
  const choose = (row: number[], level: number): void => {
    row[last] = level;
    for (const { factors, covered } of missing) {
      const place = placeOf(row, factors, level);
      if (place !== undefined) covered[place] = 1;
    }
  };
  for (const row of rows) {
    const gains = levels.map((level) => gainOf(row, level));
    const most = Math.max(...gains);
    if (most === 0) row[last] = FREE;
    else choose(row, gains.indexOf(most));
  }
  for (const { factors, tuples, covered } of missing) {
    for (const [nth, tuple] of tuples.entries()) {
      for (const level of levels) {
        if (covered[nth * levels.length + level] === 1) continue;
        const fits = (cell: number | undefined, chosen: number | undefined): boolean =>
          cell === FREE || cell === chosen;
        const found = rows.find(
          (row) => fits(row[last], level) && factors.every((factor, at) => fits(row[factor], tuple[at])),
        );
        const row = found ?? widths.map(() => FREE);
        if (found === undefined) rows.push(row);
        for (const [at, factor] of factors.entries()) row[factor] = tuple[at] ?? FREE;
        choose(row, level);
      }
    }
  }
}

/** Every choice of a level of each factor. */
function tuplesOf(widths: readonly number[]): number[][] {
  return widths.reduce<number[][]>(
    (all, width) => all.flatMap((one) => [...Array(width).keys()].map((level) => [...one, level])),
    [[]],
  );
}

/** Every choice of so many of the numbers below `count`. */
function subsetsOf(count: number, size: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return [...Array(count).keys()].flatMap((one) => subsetsOf(one, size - 1).map((others) => [...others, one]));
}
