import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import {
  byPart,
  type CauseOfFailures,
  distinct,
  type FailedCheck,
  failuresByCause,
  furtherInputs,
  groupedByReason,
  internalErrorAdvice,
  internalErrors,
  isUnjudgeable,
  observations,
  type PartResult,
  runName,
  staleAdvice,
  targetName,
} from '../model/queries.ts';
import type { RequirementStatus, RunResult } from '../model/result.ts';
import type { ReportContext, ServiceDescription } from '../model/service.ts';
import { coverageText, explainedText, figuresLine, unjudgedText } from '../model/summary.ts';
import { count, duration, list, printable } from '../model/text.ts';
import { evidenceLines, exchangeText, inputText, lookLines, whereSpecified } from './evidence.ts';

/** Distinct failures of one check that are shown. */
const VIOLATIONS_SHOWN = 4;
/** Further inputs of a check, characters of each, and of the bodies of the exchange that shows a cause. */
const INPUTS_SHOWN = 3;
const INPUT_LENGTH = 160;
const CAUSE_BODY = 120;

interface TerminalOptions {
  readonly service: ServiceDescription;
  readonly color: boolean;
  /** quiet: violations and the conclusion · normal: the whole report · verbose: headers, every requirement, latencies. */
  readonly output: 'quiet' | 'normal' | 'verbose';
  /** Columns to wrap lists at; 120 by default. */
  readonly width?: number;
  /** The folder that reports were written to, as the user typed it; `reports` by default. */
  readonly reportDir?: string;
  /** Whether any report was written there, which the last line then says. */
  readonly written?: boolean;
}

/** What every section is written with. */
interface Layout extends ReportContext {
  readonly result: RunResult;
  readonly colors: ReturnType<typeof pc.createColors>;
  readonly verbose: boolean;
  readonly width: number;
}

/** Pieces side by side after `lead`, as many to a line as fit; further lines are indented. */
function fill(
  lead: string,
  [first = '', ...pieces]: readonly string[],
  gap: string,
  width: number,
  indent = '  ',
): string {
  const lines: string[] = [];
  let line = `${lead}${first}`;
  for (const piece of pieces) {
    const longer = `${line}${gap}${piece}`;
    const fits = stripVTControlCharacters(longer).length <= width;
    if (!fits) lines.push(line);
    line = fits ? longer : `${indent}${piece}`;
  }
  return [...lines, line].join('\n');
}

function wrap(lead: string, text: string, { width }: Layout): string {
  return fill(lead, text.split(' '), ' ', width);
}

function labelled(label: string, text: string): string {
  return `  ${label.padEnd(10)} ${printable(text)}`;
}

function partCounts({ title, requirements }: PartResult, { colors }: Layout): readonly string[] {
  const having = (status: string) => requirements.filter((row) => row.status === status).length;
  const expected = requirements.filter((row) => row.status === 'violated' && row.expectedFailure).length;
  const counts = [
    { sign: '✓', number: having('holds'), color: colors.green },
    { sign: '✗', number: having('violated') - expected, color: colors.red },
    { sign: '✗ expected', number: expected, color: colors.yellow },
    { sign: '?', number: having('not judged'), color: colors.yellow },
  ].filter(({ number }) => number > 0);
  if (counts.length === 0) return [];
  return [`${title}  ${counts.map(({ sign, number, color }) => color(`${sign} ${number}`)).join('  ')}`];
}

function failedText(failed: FailedCheck, layout: Layout): string {
  const { check, requirement, expected, violations } = failed;
  const { result, colors, verbose, reportDir } = layout;
  const where = requirement === undefined ? '' : `   ${colors.dim(whereSpecified(requirement.source))}`;
  const sign = expected ? colors.yellow('✗ expected') : colors.red('✗');
  const lines = [`${sign} ${colors.bold(check.id)}  ${printable(check.title)}${where}`];
  if (requirement !== undefined) lines.push(labelled('rule', requirement.says));
  if (requirement?.because !== undefined) lines.push(labelled('because', requirement.because));
  const options = { bodyLimit: verbose ? 2000 : 300, headers: verbose, reportDir };
  const shown = verbose ? violations : violations.slice(0, VIOLATIONS_SHOWN);
  const blocks = shown.map((violation) => [
    labelled('wrong', `${violation.message} (${violation.code})`),
    ...evidenceLines(result, violation, options).map(({ label, text }) => labelled(label, text)),
  ]);
  const others = violations.length - shown.length;
  if (others > 0) blocks.push([labelled('', `and ${count(others, 'more failure')} of other kinds, in the reports`)]);
  const { first, more } = furtherInputs(failed, INPUTS_SHOWN);
  const inputs = first.map((input, at) => labelled(at === 0 ? 'also' : '', inputText(input, INPUT_LENGTH)));
  if (more > 0) inputs.push(labelled('', `and ${count(more, 'more input')}, listed in the reports`));
  return [...lines, blocks.map((block) => block.join('\n')).join('\n\n'), ...inputs].join('\n');
}

/** Every cause in a line, with the requirements that it violates and the request that shows it below. */
function causeList(groups: readonly CauseOfFailures[], layout: Layout): readonly string[] {
  if (groups.reduce((sum, { failed }) => sum + failed.length, 0) < 2) return [];
  const lines = groups.flatMap(({ cause, expected }, at) => {
    const { says, requirements, unjudged = [], since, exchange } = cause;
    const lead = `  ${at + 1}. ${layout.colors.bold(printable(says))}: ${explainedText(cause)}${expected ? ', expected' : ''}`;
    const ids = requirements.length === 1 ? [] : [fill('     ', requirements, ', ', layout.width, '     ')];
    return [
      lead,
      ...ids,
      ...(unjudged.length === 0 ? [] : [`     ${unjudgedText(cause)}`]),
      ...(since === undefined ? [] : [`     ${printable(since)}`]),
      ...(exchange === undefined ? [] : [`     ${printable(exchangeText(exchange, CAUSE_BODY))}`]),
    ];
  });
  return list(groups.length === 1 ? 'The cause:' : `${groups.length} causes, the one that explains most first:`, lines);
}

/** The failed checks of a cause, under a heading where there are several causes. */
function causeText({ cause, failed }: CauseOfFailures, number: number, of: number, layout: Layout): readonly string[] {
  const checks = failed.map((one) => failedText(one, layout));
  if (of === 1 || checks.length === 0) return checks;
  return [layout.colors.dim(`Cause ${number}: ${printable(cause.says)}`), ...checks];
}

function lookText(result: RunResult): string {
  return lookLines(result, 200)
    .map(({ label, text }) => labelled(label, text))
    .join('\n');
}

/** So many requirements with one reason are named; more are counted. */
const MOST_NAMED = 20;

function reasons(lead: string, status: RequirementStatus, layout: Layout): readonly string[] {
  const groups = groupedByReason(layout.result, status);
  const lines = groups.map(({ reason, ids }) => {
    const names = ids.length > MOST_NAMED && !layout.verbose ? count(ids.length, 'requirement') : ids.join(', ');
    const text = `${names} (${printable(reason)})`;
    return wrap(groups.length === 1 ? `${lead}: ` : '  ', text, layout);
  });
  return lines.length === 1 ? lines : list(`${lead}:`, lines);
}

function openPoints(layout: Layout): readonly string[] {
  const lead = 'Where the specification is silent, this service:';
  const seen = observations(layout.result);
  const lines = seen.map(({ requirement, reading }) => labelled(requirement, reading));
  if (layout.verbose || seen.length === 0) return list(lead, lines);
  return [wrap(`${lead} `, distinct(seen.map(({ reading }) => printable(reading))).join(' · '), layout)];
}

/** One line where every space was covered; a line each where something is missing, or with --verbose. */
function coverageLines({ result, verbose, width }: Layout): readonly string[] {
  const spaces = result.coverage ?? [];
  const texts = spaces.map((space) => printable(coverageText(space)));
  if (texts.length === 0) return [];
  const isComplete = spaces.every(({ covered, possible }) => covered === possible);
  if (isComplete && !verbose) return [fill('Covered: ', texts, ' · ', width)];
  return list(
    'Covered:',
    texts.map((text) => `  ${text}`),
  );
}

function baselineLines({ result, colors }: Layout): readonly string[] {
  const { expected = [], file = '' } = result.baseline ?? {};
  const stale = staleAdvice(result);
  return [
    ...(expected.length === 0 ? [] : [`Expected failures (${printable(file)}): ${expected.join(', ')}`]),
    ...(stale === undefined ? [] : [colors.red(printable(stale))]),
  ];
}

function internalErrorLines({ result, colors }: Layout): readonly string[] {
  const lines = internalErrors(result).flatMap(({ check, message, stack }) => [
    `  ${check.id}  ${printable(message)}`,
    ...(stack === undefined ? [] : printable(stack, { lines: 'keep' }).split('\n')).map((line) => `    ${line}`),
  ]);
  if (lines.length === 0) return [];
  const title = colors.red('Internal errors of the suite (they say nothing about the service):');
  return list(title, [...lines, `  ${internalErrorAdvice(result)}`]);
}

function verboseLists(layout: Layout): readonly string[] {
  const { requirements, latencies, run } = layout.result;
  const rows = requirements.map(({ id, status, kind, says }) =>
    labelled(id, `${status.padEnd(14)} ${kind.padEnd(8)} ${says}`),
  );
  const times = latencies.map(({ operation, requests, p50, p95, p99, max }) => {
    const percentiles = `p50 ${duration(p50)} · p95 ${duration(p95)} · p99 ${duration(p99)} · max ${duration(max)}`;
    return labelled(operation, `${percentiles} · ${count(requests, 'request')}`);
  });
  return [
    ...list('Requirements:', rows),
    ...list('Latency:', times),
    ...reasons('Cannot be tested', 'untestable', layout),
    ...(run.options.length === 0 ? [] : [`Options: ${printable(run.options.join(' '))}`]),
  ];
}

/**
 * The final report of a run for a terminal, ending in a line feed. A green run is a few lines; a red one has everything
 * a person needs to fix the service; of a target that cannot be judged, only the reason is told. Nothing that the
 * service sent reaches the terminal unescaped.
 */
export function terminalReport(result: RunResult, options: TerminalOptions): string {
  const { service, output } = options;
  const colors = pc.createColors(options.color);
  const reportDir = printable(options.reportDir ?? 'reports');
  const width = Math.max(40, options.width ?? 120);
  const verbose = output === 'verbose';
  const layout: Layout = { result, service, reportDir, colors, verbose, width };
  const { requirements, notes, exitCode } = result;

  const color = exitCode === 0 ? colors.green : colors.red;
  const where = options.written === true ? ` Reports in ${reportDir.replace(/\/*$/, '/')}` : '';
  const conclusion = `${color(colors.bold(printable(result.conclusion)))}${where}`;
  const header = `${colors.bold(`${service.title} conformance`)} · ${printable(targetName(result))} · ${runName(result)}`;
  const remarks = notes.map((note) => wrap('Note: ', printable(note), layout));
  const text = (...sections: readonly string[]) => `${sections.filter((section) => section !== '').join('\n\n')}\n`;
  if (isUnjudgeable(result))
    return output === 'quiet' ? text(conclusion) : text(header, remarks.join('\n'), lookText(result), conclusion);

  const groups = failuresByCause(result)
    .map((group) => ({ ...group, failed: group.failed.filter(({ expected }) => verbose || !expected) }))
    .filter(({ expected }) => verbose || !expected);
  const failed = [
    causeList(groups, layout).join('\n'),
    ...groups.flatMap((group, at) => causeText(group, at + 1, groups.length, layout)),
  ];
  const errors = internalErrorLines(layout);
  const figures = `${figuresLine(result, layout)}\n${conclusion}`;
  if (output === 'quiet') return text(...failed, ...errors, ...baselineLines(layout), figures);

  const parts = byPart(result, service).flatMap((part) => partCounts(part, layout));
  const unselected = requirements.filter(({ status }) => status === 'not selected').length;
  const lists = [
    ...openPoints(layout),
    ...coverageLines(layout),
    ...reasons('Not judged', 'not judged', layout),
    ...reasons('Not applicable', 'not applicable', layout),
    ...(unselected === 0 ? [] : [`Not selected: ${count(unselected, 'requirement')}`]),
    ...baselineLines(layout),
    ...remarks,
  ];
  const tally = parts.length === 0 ? '' : fill('  ', parts, '      ', width);
  const details = verbose ? verboseLists(layout) : [];
  return text(header, tally, ...failed, ...errors, ...details, lists.join('\n'), figures);
}
