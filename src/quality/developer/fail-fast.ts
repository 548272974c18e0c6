import type { ReadRun } from './reading.ts';

/** What runs usually take. */
interface Figures {
  readonly median: number;
  readonly p90: number;
}

const MEASURES = { requests: 'requests', processorMs: 'processor time' } as const;

/** The figures of runs with `--fail-fast` beside those of runs to the end, one of each for each fault. */
export function failFastLines(runs: readonly ReadRun[]): readonly string[] {
  const pairs = runs.flatMap((quick) => {
    const whole = runs.find(({ fault, isFailFast }) => fault === quick.fault && !isFailFast);
    return quick.isFailFast && whole !== undefined ? { quick, whole } : [];
  });
  return (['requests', 'processorMs'] as const).map((measure) => {
    const quick = figuresOf(pairs.map((pair) => pair.quick[measure]));
    const whole = figuresOf(pairs.map((pair) => pair.whole[measure]));
    const share = figuresOf(pairs.map((pair) => (100 * pair.quick[measure]) / pair.whole[measure]));
    const unit = measure === 'processorMs' ? ' ms' : '';
    const shown = ({ median, p90 }: Figures, of: string) =>
      `${Math.round(median)}${of} (90 %: ${Math.round(p90)}${of})`;
    return `${MEASURES[measure]}: ${shown(quick, unit)} of ${shown(whole, unit)}, a share of ${shown(share, ' %')}`;
  });
}

/** Median and 90th percentile. */
export function figuresOf(values: readonly number[]): Figures {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { median: at(0.5), p90: at(0.9) };
}
