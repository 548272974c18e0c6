import { CHECKS } from '../../../suites/index.ts';
import type { RunOptions } from '../../engine/options.ts';
import type { Plan } from '../../engine/plan.ts';
import { PREFLIGHT_REQUESTS } from '../../engine/preflight.ts';
import { count, duration } from '../../report/formats/excerpt.ts';
import type { Driven } from './drive-vitest.ts';

const HEAD = ['check', 'requests', 'creations', 'what it judges'] as const;

/**
 * What a run would send, as text: requests and creations by check, and the totals. The figures are those of the same
 * plan carried out against the embedded reference service.
 *
 * @param targets how many targets the run is meant for
 */
export function describeDryRun(driven: Driven, plan: Plan, options: RunOptions, targets: number): string {
  const titles = new Map(CHECKS.map(({ id, title }) => [id, title]));
  const shared = driven.telemetry?.shared ?? { requests: 0, creations: 0 };
  const rows = [
    { id: '(before)', requests: PREFLIGHT_REQUESTS, creations: 0, title: 'a look at the target, which adds nothing' },
    { id: '(shared)', ...shared, title: 'animals that several checks need' },
    ...driven.checks.map(({ result, creations }) => ({
      id: result.id,
      requests: result.requests,
      creations,
      title: titles.get(result.id) ?? result.title,
    })),
  ];
  const total = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  const requests = total((row) => row.requests);
  const creations = total((row) => row.creations);
  const cells = rows.map((row) => [row.id, figure(row.requests), figure(row.creations), row.title]);
  const each = targets > 1 ? `, for each of ${targets} targets` : '';
  return `${[
    `Dry run: nothing was sent to ${targets > 1 ? 'the targets' : (options.baseUrl ?? 'any other service')}.`,
    table([HEAD, ...cells, ['total', figure(requests), figure(creations), '']]),
    `About ${count(requests, 'request')} and ${count(creations, 'creation')}${each}; never more than ${count(plan.maxCreates, 'creation')} (--max-creates).`,
    ...pace(requests, options),
    ...soak(options, plan.maxCreates - creations),
    'Counted with the same plan and seed on the embedded reference service, which answers rightly and at once and starts with five animals. A target that throttles, shows new animals late or fails takes more requests (up to 150 to make one failing sample small); one that holds more than a page of animals takes fewer creations.',
  ].join('\n\n')}\n`;
}

const figure = (number: number): string => number.toLocaleString('en-GB');

/** Words to the left, figures to the right, in columns. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const aligned = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return column === 1 || column === 2 ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows.map((row) => row.map(aligned).join('  ').trimEnd()).join('\n');
}

function pace(requests: number, { rateLimit }: RunOptions): readonly string[] {
  if (rateLimit.kind !== 'fixed') return [];
  const time = duration((requests / rateLimit.perSecond) * 1_000);
  return [`At --rate-limit ${rateLimit.perSecond}/s that takes at least ${time}.`];
}

function soak({ soakMs }: RunOptions, creationsLeft: number): readonly string[] {
  if (soakMs === undefined) return [];
  return [
    `The soak comes on top: as many requests as the service answers in ${duration(soakMs)}, and up to ${count(Math.max(0, creationsLeft), 'creation')} more.`,
  ];
}
