/** How many letters must be put in, left out, replaced or swapped with a neighbour to make one word the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = next;
  }
  return last[to.length] ?? 0;
}

/**
 * The candidate that a mistyped word most likely meant, whatever the letter case; undefined where none is near.
 * Of two that are equally near, the first.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const typed = word.toLowerCase();
  let found: { readonly candidate: string; readonly likeness: number } | undefined;
  for (const candidate of candidates) {
    const length = Math.max(typed.length, candidate.length);
    const likeness = length === 0 ? 0 : 1 - editDistance(typed, candidate.toLowerCase()) / length;
    if (likeness >= 0.5 && likeness > (found?.likeness ?? 0)) found = { candidate, likeness };
  }
  return found?.candidate;
}
