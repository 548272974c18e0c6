import {
  type CauseOfFailures,
  type FailedCheck,
  failuresByCause,
  furtherInputs,
  internalErrorAdvice,
  internalErrors,
} from '../model/queries.ts';
import type { Violation } from '../model/result.ts';
import { explainedText, unjudgedText } from '../model/summary.ts';
import { count, list, printable } from '../model/text.ts';
import { columnsOf, fill, hanging, paragraph } from './columns.ts';
import {
  type EvidenceLine,
  evidenceLines,
  exchangeText,
  inputText,
  lookLines,
  ruleText,
  whereSpecified,
} from './evidence.ts';
import { type Layout, labelled, verbatim } from './terminal-layout.ts';

/** Distinct failures of one check that are shown. */
const VIOLATIONS_SHOWN = 4;
/** Further inputs of a check, characters of each, and of the bodies of the exchange that shows a cause. */
const INPUTS_SHOWN = 3;
const INPUT_LENGTH = 160;
const CAUSE_BODY = 120;

/** Why checks failed, and each of them with its evidence; what is expected only in a verbose report. */
export function failureSections(layout: Layout): readonly string[] {
  const { result, verbose } = layout;
  const groups = failuresByCause(result)
    .map((group) => ({ ...group, failed: group.failed.filter(({ expected }) => verbose || !expected) }))
    .filter(({ expected }) => verbose || !expected);
  return [
    causeList(groups, layout).join('\n'),
    ...groups.flatMap((group, at) => causeSections(group, at + 1, groups.length, layout)),
  ];
}

/** What was sent to a target that cannot be judged, and what came back. */
export function lookText({ result, lineWidth }: Layout): string {
  return lookLines(result, 200)
    .map(({ label, text }) => labelled(label, text, { lineWidth }))
    .join('\n');
}

export function internalErrorSections({ result, colors, lineWidth }: Layout): readonly string[] {
  const lines = internalErrors(result).flatMap(({ check, message, stack }) => [
    hanging(`  ${check.id}  `, printable(message), lineWidth),
    ...(stack === undefined ? [] : printable(stack, { lines: 'keep' }).split('\n')).map((line) => `    ${line}`),
  ]);
  if (lines.length === 0) return [];
  const title = paragraph('Internal errors of the suite (they say nothing about the service):', lineWidth);
  return list(colors.red(title), [...lines, hanging('  ', internalErrorAdvice(result), lineWidth)]);
}

/** Every cause in a line, with the requirements that it violates and the request that shows it below. */
function causeList(groups: readonly CauseOfFailures[], layout: Layout): readonly string[] {
  const { colors, lineWidth, width } = layout;
  if (groups.reduce((sum, { failed }) => sum + failed.length, 0) < 2) return [];
  const lines = groups.flatMap(({ cause, expected }, at) => {
    const { says, requirements, unjudged = [], since, exchange } = cause;
    const below = (text: string): string => hanging('     ', text, lineWidth);
    const explained = `${colors.bold(printable(says))}: ${explainedText(cause)}${expected ? ', expected' : ''}`;
    return [
      hanging(`  ${at + 1}. `, explained, lineWidth),
      ...(requirements.length === 1 ? [] : [fill('     ', requirements, ', ', width, 5)]),
      ...(unjudged.length === 0 ? [] : [below(unjudgedText(cause))]),
      ...(since === undefined ? [] : [below(printable(since))]),
      ...(exchange === undefined ? [] : [below(printable(exchangeText(exchange, CAUSE_BODY)))]),
    ];
  });
  const title = groups.length === 1 ? 'The cause:' : `${groups.length} causes, the most far-reaching first:`;
  return list(paragraph(title, lineWidth), lines);
}

/** The failed checks of a cause, under a heading where there are several causes. */
function causeSections(
  { cause, failed }: CauseOfFailures,
  number: number,
  of: number,
  layout: Layout,
): readonly string[] {
  const checks = failed.map((one) => failedText(one, layout));
  if (of === 1 || checks.length === 0) return checks;
  const heading = paragraph(`Cause ${number}: ${printable(cause.says)}`, layout.lineWidth);
  return [layout.colors.dim(heading), ...checks];
}

function failedText(failed: FailedCheck, layout: Layout): string {
  const { requirement, violations } = failed;
  const { verbose } = layout;
  const lines = [headingOf(failed, layout)];
  if (requirement !== undefined) lines.push(labelled('rule', ruleText(requirement), layout));
  if (requirement?.because !== undefined) lines.push(labelled('because', requirement.because, layout));
  const shown = verbose ? violations : violations.slice(0, VIOLATIONS_SHOWN);
  const blocks = shown.map((violation) => violationLines(violation, layout));
  const others = violations.length - shown.length;
  if (others > 0) {
    blocks.push([labelled('', `and ${count(others, 'more failure')} of other kinds, in the reports`, layout)]);
  }
  const { first, more } = furtherInputs(failed, INPUTS_SHOWN);
  const inputs = first.map((input, at) => labelled(at === 0 ? 'also' : '', inputText(input, INPUT_LENGTH), layout));
  if (more > 0) inputs.push(labelled('', `and ${count(more, 'more input')}, listed in the reports`, layout));
  return [...lines, blocks.map((block) => block.join('\n')).join('\n\n'), ...inputs].join('\n');
}

/** `✗ LIST-2  its sentence   where it is specified`; the place on a line of its own where it does not fit. */
function headingOf({ check, requirement, expected }: FailedCheck, { colors, lineWidth }: Layout): string {
  const sign = expected ? colors.yellow('✗ expected') : colors.red('✗');
  const title = `${sign} ${colors.bold(check.id)}  ${printable(check.title)}`;
  if (requirement === undefined) return paragraph(title, lineWidth);
  const where = whereSpecified(requirement.source);
  const fits = columnsOf(`${title}   ${where}`) <= lineWidth;
  return `${paragraph(title, lineWidth)}${fits ? '   ' : '\n  '}${colors.dim(where)}`;
}

function violationLines(violation: Violation, layout: Layout): readonly string[] {
  const { result, verbose, reportDir } = layout;
  const options = { bodyLimit: verbose ? 2000 : 300, headers: verbose, reportDir };
  const evidence = evidenceLines(result, violation, options);
  return [
    labelled('wrong', `${violation.message} (${violation.code})`, layout),
    ...evidence.map((line) =>
      isCommand(line) ? verbatim(line.label, line.text) : labelled(line.label, line.text, layout),
    ),
  ];
}

const isCommand = ({ label }: EvidenceLine): boolean => label === 'replay' || label.endsWith('curl');
