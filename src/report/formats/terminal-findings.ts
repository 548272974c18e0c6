import type pc from 'picocolors';
import type { Violation } from '../model/result.ts';
import { count, list, printable } from '../model/text.ts';
import { type Finding, type FoundCause, furtherInputs, type ReportView } from '../view.ts';
import { columnsOf, fill, hanging, paragraph } from './columns.ts';
import { evidenceLines, exchangeText, inputText } from './evidence.ts';

/** What every section of the terminal's report is written with. */
export interface Layout extends ReportView {
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly verbose: boolean;
  /** Columns for lists and tables. */
  readonly width: number;
  /** Columns for sentences and evidence; Infinity where nobody reads along, so that each stays on a line of its own. */
  readonly lineWidth: number;
}

/** Distinct failures of one check that are shown. */
const VIOLATIONS_SHOWN = 4;
/** Further inputs of a check, characters of each, and of the bodies of the exchange that shows a cause. */
const INPUTS_SHOWN = 3;
const INPUT_LENGTH = 160;
const CAUSE_BODY = 120;

/** A line of evidence: its label, and its text, which is escaped here. */
export const labelled = (label: string, text: string, width: number): string =>
  hanging(`  ${label.padEnd(10)} `, printable(text), width);

/** Why checks failed, and each of them with its evidence; what is expected only in a verbose report. */
export function causeSections(layout: Layout): readonly string[] {
  const { verbose, colors, lineWidth } = layout;
  const causes = layout.causes
    .map((cause) => ({ ...cause, findings: cause.findings.filter(({ expected }) => verbose || !expected) }))
    .filter(({ expected }) => verbose || !expected);
  return [
    ...causeList(causes, layout),
    ...causes.flatMap(({ number, says, findings }) => {
      const heading = colors.dim(paragraph(`Cause ${number}: ${printable(says)}`, lineWidth));
      const checks = findings.map((finding) => findingText(finding, layout));
      return causes.length === 1 || checks.length === 0 ? checks : [heading, ...checks];
    }),
  ];
}

/** Every cause in a line, with the requirements that it violates and the request that shows it below. */
function causeList(causes: readonly FoundCause[], { colors, lineWidth, width }: Layout): readonly string[] {
  const isTold = causes.flatMap(({ findings }) => findings).length > 1 || causes.some(({ since }) => since.length > 0);
  if (!isTold) return [];
  const below = (text: string): string => hanging('     ', printable(text), lineWidth);
  const lines = causes.flatMap(({ number, says, explains, expected, requirements, unjudged, since, exchange }) => [
    hanging(`  ${number}. `, `${colors.bold(printable(says))}: ${explains}${expected ? ', expected' : ''}`, lineWidth),
    ...(requirements.length === 1 ? [] : [fill('     ', requirements, ', ', width, 5)]),
    ...[...unjudged.text, ...since, ...(exchange === undefined ? [] : [exchangeText(exchange, CAUSE_BODY)])].map(below),
  ]);
  const title = causes.length === 1 ? 'The cause:' : `${causes.length} causes, the most far-reaching first:`;
  return list(paragraph(title, lineWidth), lines);
}

function findingText(finding: Finding, layout: Layout): string {
  const { requirement, rule, violations } = finding;
  const { verbose, lineWidth } = layout;
  const line = (label: string, text: string): string => labelled(label, text, lineWidth);
  const shown = verbose ? violations : violations.slice(0, VIOLATIONS_SHOWN);
  const blocks = shown.map((violation) => violationLines(violation, layout).join('\n'));
  const others = violations.length - shown.length;
  if (others > 0) blocks.push(line('', `and ${count(others, 'more failure')} of other kinds, in the reports`));
  const { first, more } = furtherInputs(finding, INPUTS_SHOWN);
  return [
    headingOf(finding, layout),
    ...(requirement === undefined ? [] : [line('rule', rule)]),
    ...(requirement?.because === undefined ? [] : [line('because', requirement.because)]),
    blocks.join('\n\n'),
    ...first.map((input, at) => line(at === 0 ? 'also' : '', inputText(input, INPUT_LENGTH))),
    ...(more === 0 ? [] : [line('', `and ${count(more, 'more input')}, listed in the reports`)]),
  ].join('\n');
}

/** `✗ LIST-2  its sentence   where it is specified`; the place on a line of its own where it does not fit. */
function headingOf({ check, where, expected }: Finding, { colors, lineWidth }: Layout): string {
  const sign = expected ? colors.yellow('✗ expected') : colors.red('✗');
  const title = `${sign} ${colors.bold(check.id)}  ${printable(check.title)}`;
  if (where === '') return paragraph(title, lineWidth);
  const fits = columnsOf(`${title}   ${where}`) <= lineWidth;
  return `${paragraph(title, lineWidth)}${fits ? '   ' : '\n  '}${colors.dim(where)}`;
}

function violationLines(violation: Violation, layout: Layout): readonly string[] {
  const { verbose, lineWidth } = layout;
  const lines = evidenceLines(violation, { bodyLimit: verbose ? 2000 : 300, headers: verbose, view: layout });
  return [{ label: 'wrong', text: `${violation.message} (${violation.code})` }, ...lines].map(({ label, text }) => {
    // A line feed would break what is to be copied: the terminal itself wraps it.
    const isCommand = label === 'replay' || label.endsWith('curl');
    return labelled(label, text, isCommand ? Number.POSITIVE_INFINITY : lineWidth);
  });
}
