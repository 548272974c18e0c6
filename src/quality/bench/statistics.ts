/** The middle of some samples, and how far they are apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @throws RangeError where there is no sample */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  if (sorted.length === 0) throw new RangeError('There is no sample to take the median of.');
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** The ratios of samples that were taken in the same rounds. */
export function ratiosOf(dividends: readonly number[], divisors: readonly number[]): readonly number[] {
  return dividends.flatMap((dividend, round) => {
    const divisor = divisors[round];
    return divisor === undefined || divisor <= 0 ? [] : dividend / divisor;
  });
}
