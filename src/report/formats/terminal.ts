import pc from 'picocolors';
import type { RunResult } from '../model/result.ts';
import type { ServiceDescription } from '../model/service.ts';
import { count, excerptText, list, printable } from '../model/text.ts';
import { withTexts } from '../redact/redact-result.ts';
import { viewOf } from '../view.ts';
import { fill, hanging, paragraph } from './columns.ts';
import { lookLines } from './evidence.ts';
import { causeSections, type Layout, labelled } from './terminal-findings.ts';
import {
  baselineLines,
  coverageLines,
  openPoints,
  rareFaultLines,
  reasons,
  tally,
  verboseSections,
} from './terminal-lists.ts';

interface TerminalOptions {
  readonly service: ServiceDescription;
  readonly color: boolean;
  /** quiet: violations and the conclusion · normal: the whole report · verbose: headers, every requirement, latencies. */
  readonly output: 'quiet' | 'normal' | 'verbose';
  /** Columns of the terminal; undefined where the report goes elsewhere. */
  readonly columns?: number | undefined;
  /** The folder that reports were written to, as the user typed it; `reports` by default. */
  readonly reportDir?: string;
  /** Whether any report was written there, which the last line then says. */
  readonly written?: boolean;
  /** Removes every secret from a text; nothing is removed where it is missing. */
  readonly redact?: (text: string) => string;
}

/** Lines longer than this are hard to read, however wide the terminal is; in a narrower one than that nothing fits. */
const WIDEST = 120;
const NARROWEST = 40;
const LONGEST_NOTE = 300;

/**
 * The final report of a run for a terminal, ending in a line feed. A green run is a few lines; a red one has everything
 * a person needs to fix the service; of a target that cannot be judged, only the reason is given. Nothing that the
 * service sent reaches the terminal unescaped.
 */
export function terminalReport(result: RunResult, options: TerminalOptions): string {
  const { redact = (text) => text } = options;
  // Before it is laid out, too: a line break could hide a secret.
  return redact(reportOf(withTexts(result, redact), options));
}

function reportOf(result: RunResult, options: TerminalOptions): string {
  const { service, output, columns } = options;
  const colors = pc.createColors(options.color);
  const verbose = output === 'verbose';
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns ?? WIDEST));
  const lineWidth = columns === undefined ? Number.POSITIVE_INFINITY : width;
  const view = viewOf(result, { service, reportDir: printable(options.reportDir ?? 'reports') });
  const layout: Layout = { ...view, colors, verbose, width, lineWidth };

  const text = (...sections: readonly string[]) => `${sections.filter((section) => section !== '').join('\n\n')}\n`;
  const conclusion = conclusionText(layout, options.written === true);
  const header = fill('', [colors.bold(view.heading), printable(view.target), ...view.made], ' · ', lineWidth);
  const remarks = result.notes.map((note) => paragraph(`Note: ${noteText(note, verbose)}`, width));
  if (view.isUnjudgeable) {
    const look = lookLines(view, 200).map((line) => labelled(line.label, line.text, lineWidth));
    return output === 'quiet' ? text(conclusion) : text(header, remarks.join('\n'), look.join('\n'), conclusion);
  }

  const failed = [...causeSections(layout), ...internalErrorSections(layout)];
  const end = `${fill('', view.figures.split(' · '), ' · ', lineWidth)}\n${conclusion}`;
  if (output === 'quiet') return text(...failed, ...baselineLines(layout), end);

  const unselected = view.outcomes.filter(({ status }) => status === 'not selected');
  const lists = [
    ...openPoints(layout),
    ...coverageLines(layout),
    ...rareFaultLines(layout),
    ...reasons('Not judged', view.notJudged, layout),
    ...reasons('Not applicable', view.notApplicable, layout),
    ...unselected.map(({ number }) => `Not selected: ${count(number, 'requirement')}`),
    ...baselineLines(layout),
    ...remarks,
  ];
  return text(header, tally(layout), ...failed, ...(verbose ? verboseSections(layout) : []), lists.join('\n'), end);
}

function internalErrorSections({ internalErrors, internalErrorAdvice, colors, lineWidth }: Layout): readonly string[] {
  const lines = internalErrors.flatMap(({ check, message, stack }) => [
    hanging(`  ${check.id}  `, printable(message), lineWidth),
    ...(stack === undefined ? [] : printable(stack, { lines: 'keep' }).split('\n')).map((line) => `    ${line}`),
  ]);
  if (lines.length === 0) return [];
  const title = paragraph('Internal errors of the suite (they say nothing about the service):', lineWidth);
  return list(colors.red(title), [...lines, hanging('  ', internalErrorAdvice, lineWidth)]);
}

/** A note; the list that ends a very long one stands in full in the reports. */
function noteText(note: string, verbose: boolean): string {
  const text = printable(note);
  return verbose || text.length <= LONGEST_NOTE ? text : `${excerptText(text, LONGEST_NOTE)} (whole with --verbose)`;
}

/** The conclusion, and where the reports are. */
function conclusionText({ result, colors, reportDir, lineWidth }: Layout, isWritten: boolean): string {
  const { conclusion, exitCode } = result;
  const color = exitCode === 0 ? colors.green : colors.red;
  const where = isWritten ? ` Reports in ${reportDir.replace(/\/*$/, '/')}` : '';
  return paragraph(`${color(colors.bold(printable(conclusion)))}${where}`, lineWidth);
}
