import type { BenchResult, Part, Row } from './result.ts';
import { ratiosOf, type Spread, spreadOf } from './statistics.ts';

type Cells = readonly string[];

/** Markdown of all that was measured: a median in each cell, with the lowest and the highest of the samples. */
export function benchTable(result: BenchResult): string {
  const rows = (part: Part): readonly Row[] => result.rows.filter((row) => row.part === part);
  const commands = [
    ...rows('a').map((row) => commandCells(row)),
    ...rows('d').map((row) => commandCells(row, 'standard, ')),
    ...rows('e').map((row) => commandCells(row, 'standard, ')),
  ];
  const { cores, model, node } = result.machine;
  const minutes = Math.max(1, Math.round(result.milliseconds / 60_000));
  return [
    `Measured with \`npm run bench\` on ${result.measuredAt.slice(0, 10)}: ${cores} cores (${model}), Node.js ${node.slice(1)}, version`,
    `${result.suiteVersion}, seed ${result.seed}, in ${minutes} min. Each figure is the median of ${result.runs} after a warm-up, with the lowest and the highest.`,
    'Processor time is user and system time of the whole command, all threads and child processes.',
    ...section(
      ['the whole command', 'wall time', 'processor time', 'peak memory', 'requests', 'animals created'],
      commands,
    ),
    ...section(
      ['a run beside its floor', 'wall time', 'processor time'],
      ['smoke', 'standard'].flatMap((profile) => floorCells(profile, rows('b'))),
    ),
    ...section(
      ['on one and the same target', 'requests', 'animals created'],
      rows('g').map((row) => [row.name, countCell(row, 'requests'), countCell(row, 'created')]),
    ),
    ...section(
      ['tool', 'wall time', 'processor time', 'requests', ...findingTitles(result)],
      toolCells(result, rows('c')),
    ),
  ].join('\n');
}

/** A table with an empty line before it; nothing where it has no rows. */
function section(title: Cells, rows: readonly Cells[]): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: Cells): string => `| ${cells.join(' | ')} |`;
  return ['', line(title), `|${title.map(() => '---').join('|')}|`, ...rows.map(line)];
}

function commandCells(row: Row, prefix = ''): Cells {
  const name = `${prefix}${row.name}`;
  if (row.samples.length === 0) return [name, 'failed', '', '', '', ''];
  return [
    name,
    timeCell(row.figures.wall),
    timeCell(row.figures.processor),
    memoryCell(row.figures.peakBytes),
    countCell(row, 'requests'),
    countCell(row, 'created'),
  ];
}

/** What a run takes from its first request on, what the same requests take by themselves, and how they compare. */
function floorCells(profile: string, rows: readonly Row[]): readonly Cells[] {
  const run = rows.find(({ name }) => name === `${profile}: run`);
  const floor = rows.find(({ name }) => name === `${profile}: floor`);
  if (run === undefined || floor === undefined) return [];
  const inside = ({ samples }: Row): readonly number[] => samples.flatMap(({ phases }) => phases?.inside ?? []);
  const used = ({ samples }: Row): readonly number[] =>
    samples.flatMap(({ processorAfterStart }) => processorAfterStart ?? []);
  const requests = countCell(floor, 'requests');
  return [
    [`${profile}: until the first request of the checks`, timeCell(run.figures.start), ''],
    [
      `${profile}: from there to the last answer`,
      timeCell(run.figures.inside),
      timeCell(run.figures.processorAfterStart),
    ],
    [`${profile}: after the last answer`, timeCell(run.figures.end), ''],
    [
      `${profile}: its ${requests} requests by a bare undici program`,
      timeCell(floor.figures.inside),
      timeCell(floor.figures.processorAfterStart),
    ],
    [
      `${profile}: **factor**`,
      factorCell(ratiosOf(inside(run), inside(floor))),
      factorCell(ratiosOf(used(run), used(floor))),
    ],
  ];
}

const findingTitles = ({ comparison }: BenchResult): Cells => [
  `faults found, of ${comparison?.faults.length ?? 0}`,
  'false alarms',
];

function toolCells({ comparison }: BenchResult, rows: readonly Row[]): readonly Cells[] {
  return (comparison?.tools ?? []).map(({ tool, unavailable, found, falseAlarms }) => {
    const row = rows.find(({ name }) => name === tool);
    if (unavailable !== undefined || row === undefined) return [tool, unavailable ?? 'not measured', '', '', '', ''];
    const { wall, processor } = row.figures;
    return [
      tool,
      timeCell(wall),
      timeCell(processor),
      countCell(row, 'requests'),
      `${found.length}`,
      `${falseAlarms.length}`,
    ];
  });
}

/** `3.02 s (2.95–3.40)`, in milliseconds below a second. */
function timeCell(spread: Spread | undefined): string {
  if (spread === undefined) return '';
  if (spread.max < 1_000) return cell(spread, (ms) => `${Math.round(ms)}`, ' ms');
  return cell(spread, (ms) => (ms / 1_000).toFixed(ms < 9_995 ? 2 : 1), ' s');
}

const memoryCell = (spread: Spread | undefined): string =>
  spread === undefined ? '' : cell(spread, (bytes) => `${Math.round(bytes / 1e6)}`, ' MB');

const factorCell = (ratios: readonly number[]): string =>
  ratios.length === 0 ? '' : cell(spreadOf(ratios), (ratio) => ratio.toFixed(1), '');

/** A count, which is mostly the same in every run. */
function countCell({ figures }: Row, figure: 'requests' | 'created'): string {
  const spread = figures[figure];
  return spread === undefined ? '' : cell(spread, (number) => Math.round(number).toLocaleString('en-GB'), '');
}

function cell({ median, min, max }: Spread, text: (value: number) => string, unit: string): string {
  const [low, high] = [text(min), text(max)];
  return `${text(median)}${unit}${low === high ? '' : ` (${low}–${high})`}`;
}
