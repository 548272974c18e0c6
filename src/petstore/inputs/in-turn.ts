/** Each of the items with one of the others, in turn. */
export const inTurn = <T, U>(items: readonly T[], others: readonly U[]): readonly (readonly [T, U])[] =>
  items.flatMap((item, at) => others.slice(at % others.length, (at % others.length) + 1).map((other) => [item, other]));
