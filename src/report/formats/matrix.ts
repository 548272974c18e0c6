import { recordedReadings } from '../history/record-of.ts';
import { distinct } from '../model/queries.ts';
import { type Behaviour, behavioursOf, readingsOf } from '../model/readings.ts';
import type { RequirementStatus, RunResult } from '../model/result.ts';
import { judgedLine } from '../model/summary.ts';
import { count, list, printable } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import { isUnjudgeable, targetName } from '../view.ts';
import { fill, hanging, paragraph } from './columns.ts';

/** A, B, … Z, AA, AB …: one short name for each target, since addresses are too wide for columns. */
export function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}

const statusOf = ({ requirements }: RunResult, id: string): RequirementStatus | undefined =>
  requirements.find((row) => row.id === id)?.status;

const saysOf = (results: readonly RunResult[], id: string): string =>
  results.flatMap(({ requirements }) => requirements).find((row) => row.id === id)?.says ?? '';

/**
 * Every requirement on every target, in the order of the catalogue. Of a target that could not be judged at all, there is
 * nothing to say: it differs from no other.
 */
export function matrixRows(results: readonly RunResult[]) {
  const judged = results.filter((result) => !isUnjudgeable(result));
  return distinct(judged.flatMap(({ requirements }) => requirements.map(({ id }) => id))).map((id) => {
    const statuses = results.map((result) => (isUnjudgeable(result) ? undefined : statusOf(result, id)));
    const [first, ...others] = judged.map((result) => statusOf(result, id));
    /** The status that it has on every target that could be judged; undefined where they differ. */
    const shared = others.every((status) => status === first) ? first : undefined;
    return { id, says: saysOf(results, id), statuses, shared };
  });
}

/**
 * Where the targets behave differently at open points, with what all do that were observed, and what each does beside that;
 * what was observed of one alone is no difference.
 */
export function readingDifferences(results: readonly RunResult[]) {
  const seen = results.map((result) => behavioursOf(recordedReadings(result)));
  return distinct(seen.flat().map(({ requirement }) => requirement)).flatMap((id) => {
    const readings = seen.map((all) => all.filter(({ requirement }) => requirement === id));
    const isShared = ({ input, does }: Behaviour): boolean =>
      readings
        .map((all) => all.filter((one) => one.input === input))
        .every((all) => all.length === 0 || all.some((one) => one.does === does));
    const own = readings.map((all) =>
      all.length === 0 ? undefined : readingsOf(all.filter((one) => !isShared(one))).toSorted(),
    );
    const shared = readingsOf(readings.flat().filter(isShared));
    return own.every((texts) => texts === undefined || texts.length === 0)
      ? []
      : [{ id, says: saysOf(results, id), shared, own }];
  });
}

const SIGNS: Readonly<Record<RequirementStatus, string>> = {
  holds: '✓',
  violated: '✗',
  'not judged': '?',
  'not applicable': '–',
  untestable: '–',
  'not selected': '·',
};

/** What needs no row where it is so on every target. */
const UNTOLD: ReadonlySet<RequirementStatus> = new Set(['holds', 'untestable', 'not selected']);

/** The open points at which the targets behave differently, with what each does that not all do. */
function differences(results: readonly RunResult[], width: number): readonly string[] {
  return readingDifferences(results).flatMap(({ id, own }) => {
    const shown = own.map((texts) => texts && (texts.length === 0 ? 'nothing more' : texts.join(', ')));
    return distinct(shown.flatMap((text) => text ?? [])).map((text, index) => {
      const letters = shown.flatMap((other, at) => (other === text ? [letter(at)] : []));
      return hanging(`  ${(index === 0 ? id : '').padEnd(10)} ${letters.join(', ')}: `, printable(text), width);
    });
  });
}

/**
 * Requirement by target, for a run against several: a row for every requirement that does not simply hold on all of
 * them, and where they behave differently at open points. Text, ending in a line feed.
 *
 * @param columns of the terminal; Infinity where the text goes elsewhere
 */
export function renderMatrix(results: readonly RunResult[], columns = Number.POSITIVE_INFINITY): string {
  const letters = results.map((_, index) => letter(index));
  const width = letters.at(-1)?.length ?? 1;
  const legend = results.map((result, index) => {
    const pieces = [
      printable(targetName(result)),
      VERDICT_NAMES[result.verdict],
      ...(isUnjudgeable(result) ? [] : judgedLine(result.summary).split(' · ')),
    ];
    return fill(`  ${letters[index]}  `, pieces, ' · ', columns, 4 + width);
  });
  const line = (id: string, cells: readonly string[], says: string) => {
    const lead = `  ${id.padEnd(10)} ${cells.map((cell) => cell.padEnd(width)).join('  ')}  `;
    return hanging(lead, printable(says), columns).trimEnd();
  };
  const all = matrixRows(results);
  const everywhere = all.filter(({ shared }) => shared === 'holds').length;
  const rows = all
    .filter(({ shared }) => shared === undefined || !UNTOLD.has(shared))
    .map(({ id, says, statuses }) => {
      const signs = statuses.map((status) => (status === undefined ? ' ' : SIGNS[status]));
      return line(id, signs, says);
    });
  const signs = '✓ holds · ✗ violated · ? not judged · – does not apply · · not selected';
  const where = results.some(isUnjudgeable) ? 'every target that could be judged' : 'every target';
  const held = `${count(everywhere, 'requirement')} ${everywhere === 1 ? 'holds' : 'hold'} on ${where}.`;
  const sections = [
    ['Targets:', ...legend].join('\n'),
    ...list(line('', letters, ''), rows),
    ...(all.length === 0 ? [] : [paragraph(`${held}  (${signs})`, columns)]),
    ...list('Different where the specification is silent:', differences(results, columns)),
  ];
  return `${sections.join('\n\n')}\n`;
}
