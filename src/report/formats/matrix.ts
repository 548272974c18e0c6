import { distinct, observations, targetName } from '../model/queries.ts';
import type { RequirementStatus, RunResult } from '../model/result.ts';
import { judgedLine } from '../model/summary.ts';
import { count, list, printable } from '../model/text.ts';

const SIGNS: Readonly<Record<RequirementStatus, string>> = {
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

/** The open points at which the targets behave differently. */
function differences(results: readonly RunResult[]): readonly string[] {
  const seen = results.map(observations);
  return distinct(seen.flat().map(({ requirement }) => requirement)).flatMap((id) => {
    const texts = seen.map((all) => {
      const readings = all.filter(({ requirement }) => requirement === id).map(({ reading }) => reading);
      return readings.toSorted().join(', ');
    });
    if (new Set(texts.filter((text) => text !== '')).size < 2) return [];
    const cells = texts.flatMap((text, index) => (text === '' ? [] : `${letter(index)}: ${printable(text)}`));
    return `  ${id.padEnd(10)} ${cells.join(' · ')}`;
  });
}

/**
 * Requirement by target, for a run against several: a row for every requirement that does not simply hold on all of
 * them, and where they behave differently at open points. Text, ending in a line feed.
 */
export function renderMatrix(results: readonly RunResult[]): string {
  const letters = results.map((_, index) => letter(index));
  const width = letters.at(-1)?.length ?? 1;
  const legend = results.map(
    (result, index) =>
      `  ${letters[index]}  ${printable(targetName(result))} · ${result.verdict} · ${judgedLine(result.summary)}`,
  );
  const line = (id: string, cells: readonly string[], says: string) =>
    `  ${id.padEnd(10)} ${cells.map((cell) => cell.padEnd(width)).join('  ')}  ${printable(says)}`.trimEnd();
  let everywhere = 0;
  const rows: string[] = [];
  for (const id of distinct(results.flatMap(({ requirements }) => requirements.map((row) => row.id)))) {
    const columns = results.map(({ requirements }) => requirements.find((row) => row.id === id));
    const statuses = new Set(columns.map((row) => row?.status));
    const shared = statuses.size === 1 ? columns[0]?.status : undefined;
    if (shared === 'holds') everywhere += 1;
    else if (shared !== 'untestable' && shared !== 'not selected') {
      const signs = columns.map((row) => (row === undefined ? ' ' : SIGNS[row.status]));
      rows.push(line(id, signs, columns.find((row) => row !== undefined)?.says ?? ''));
    }
  }
  const signs = '✓ holds · ✗ violated · ? not judged · – does not apply · · not selected';
  const sections = [
    ['Targets:', ...legend].join('\n'),
    ...list(line('', letters, ''), rows),
    `${count(everywhere, 'requirement')} ${everywhere === 1 ? 'holds' : 'hold'} on every target.  (${signs})`,
    ...list('Different where the specification is silent:', differences(results)),
  ];
  return `${sections.join('\n\n')}\n`;
}
