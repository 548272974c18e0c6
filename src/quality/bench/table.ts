import type { Sample } from './cases.ts';

/** A case with its samples, and those of the other checkout where there is one. */
interface Row {
  readonly name: string;
  readonly samples: readonly Sample[];
  readonly others: readonly Sample[] | undefined;
}

type Figure = readonly [title: string, read: (sample: Sample) => number | undefined, show: (value: number) => string];

const FIGURES: readonly Figure[] = [
  ['wall time', ({ wall }) => wall, (ms) => `${(ms / 1_000).toFixed(2)} s`],
  ['processor time', ({ processor }) => processor, (ms) => `${(ms / 1_000).toFixed(2)} s`],
  ['peak memory', ({ peak }) => peak, (bytes) => `${Math.round(bytes / 1e6)} MB`],
  ['requests', ({ requests }) => requests, (number) => Math.round(number).toLocaleString('en-GB')],
  ['animals created', ({ created }) => created, (number) => `${Math.round(number)}`],
  ['time beside bare undici', ({ factor }) => factor, (factor) => `${factor.toFixed(1)} times`],
];

/** Markdown: the median in each cell, with the lowest and the highest, and the median ratio to the other checkout. */
export function tableOf(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const titles = ['the whole command', ...FIGURES.map(([title]) => title)];
  return [
    line(titles),
    `|${titles.map(() => '---').join('|')}|`,
    ...rows.map((row) => line([row.name, ...FIGURES.map((figure) => cellOf(figure, row))])),
  ].join('\n');
}

function cellOf([, read, show]: Figure, { samples, others = [] }: Row): string {
  const values = samples.flatMap((sample) => read(sample) ?? []);
  if (values.length === 0) return '';
  const [low, high] = [show(Math.min(...values)), show(Math.max(...values))];
  const spread = low === high ? '' : ` (${low}–${high})`;
  const ratios = values.flatMap((value, at) => {
    const other = others[at] && read(others[at]);
    return other === undefined ? [] : value / other;
  });
  const beside = ratios.length === 0 ? '' : `, ${median(ratios).toFixed(2)} times the other`;
  return `${show(median(values))}${spread}${beside}`;
}

/** The middle of some values, or halfway between the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
