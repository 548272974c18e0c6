import { readings } from '../findings.ts';
import { conformance, coverage } from '../model/figures.ts';
import type { RequirementStatus, RunResult } from '../model/result.ts';
import { count } from './excerpt.ts';
import { printable } from './printable.ts';

const MARKS: Readonly<Record<RequirementStatus, string>> = {
  holds: '✓',
  violated: '✗',
  'not judged': '?',
  'not applicable': '–',
  untestable: '–',
  'not selected': '·',
};

/** A, B, … Z, AA, AB …: one short name for each target, since addresses are too wide for columns. */
function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}

/** Ids in the order in which any of the results first has them. */
function idsOf(results: readonly RunResult[]): readonly string[] {
  return [...new Set(results.flatMap((result) => result.requirements.map((row) => row.id)))];
}

function differingReadings(results: readonly RunResult[]): readonly string[] {
  const seen = results.map((result) => readings(result));
  const ids = new Set(seen.flatMap((all) => all.map((one) => one.requirement)));
  return [...ids].flatMap((id) => {
    const columns = seen.map((all) => all.filter((one) => one.requirement === id).map((one) => one.reading));
    const texts = columns.map((column) => column.toSorted().join(', '));
    if (new Set(texts.filter((text) => text !== '')).size < 2) return [];
    const cells = texts.flatMap((text, index) => (text === '' ? [] : [`${letter(index)}: ${printable(text)}`]));
    return [`  ${id.padEnd(10)} ${cells.join(' · ')}`];
  });
}

/**
 * Requirement by target, for a run against several: a row for every requirement that does not plainly hold on all of
 * them, and where they read the specification's silence differently. Text, ending in a line feed.
 */
export function renderMatrix(results: readonly RunResult[]): string {
  const legend = results.map((result, index) => {
    const target = result.target.embedded ? 'the embedded reference service' : printable(result.target.baseUrl);
    return `  ${letter(index)}  ${target} · ${result.verdict} · ${coverage(result.summary)} · ${conformance(result.summary)}`;
  });
  const width = letter(Math.max(0, results.length - 1)).length;
  const line = (id: string, cells: readonly string[], says: string) =>
    `  ${id.padEnd(10)} ${cells.map((cell) => cell.padEnd(width)).join('  ')}  ${says}`.trimEnd();
  let everywhere = 0;
  const rows = idsOf(results).flatMap((id) => {
    const columns = results.map((result) => result.requirements.find((row) => row.id === id));
    const statuses = new Set(columns.map((row) => row?.status));
    if (statuses.size === 1 && (statuses.has('untestable') || statuses.has('not selected'))) return [];
    if (statuses.size === 1 && statuses.has('holds')) {
      everywhere += 1;
      return [];
    }
    const says = columns.find((row) => row !== undefined)?.says ?? '';
    return [
      line(
        id,
        columns.map((row) => (row === undefined ? ' ' : MARKS[row.status])),
        printable(says),
      ),
    ];
  });
  const silent = differingReadings(results);
  const head = line(
    '',
    results.map((_, index) => letter(index)),
    '',
  );
  const sections = [
    ['Targets:', ...legend].join('\n'),
    ...(rows.length === 0 ? [] : [[head, ...rows].join('\n')]),
    `${count(everywhere, 'requirement')} ${everywhere === 1 ? 'holds' : 'hold'} on every target.  (✓ holds · ✗ violated · ? not judged · – does not apply · · not selected)`,
    ...(silent.length === 0 ? [] : [['Read differently where the specification is silent:', ...silent].join('\n')]),
  ];
  return `${sections.join('\n\n')}\n`;
}
