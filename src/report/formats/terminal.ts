import pc from 'picocolors';
import { type Finding, findings, groupedByReason, harnessFaults, type ReasonGroup, readings } from '../findings.ts';
import { figuresLine } from '../model/figures.ts';
import type { RunResult } from '../model/result.ts';
import { byPart, type PartResult } from '../parts.ts';
import { count, duration } from './excerpt.ts';
import { printable } from './printable.ts';
import { proofLines, whereSpecified } from './proof.ts';

export interface TerminalOptions {
  readonly color: boolean;
  /** quiet: violations and the conclusion · normal: the whole report · verbose: headers, every requirement, latencies. */
  readonly output: 'quiet' | 'normal' | 'verbose';
  /** Columns to wrap lists at; 120 where not known. */
  readonly width?: number;
  /** The folder that reports were written to, as the user typed it; `reports` where not given. */
  readonly reportDir?: string;
  /** Whether any report was written there, which the last line then says. */
  readonly written?: boolean;
}

type Colors = ReturnType<typeof pc.createColors>;

interface Page {
  readonly result: RunResult;
  readonly colors: Colors;
  readonly verbose: boolean;
  readonly width: number;
  readonly reportDir: string;
}

const LABEL_WIDTH = 10;

/** Pieces side by side, as many to a line as fit; `widths` are those of the pieces without colour. */
function flow(
  pieces: readonly { readonly shown: string; readonly width: number }[],
  gap: string,
  width: number,
): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of pieces) {
    const needed = (used === 0 ? 2 : used + gap.length) + piece.width;
    if (used > 0 && needed > width) {
      lines.push(line);
      line = `  ${piece.shown}`;
      used = 2 + piece.width;
    } else {
      line = used === 0 ? `  ${piece.shown}` : `${line}${gap}${piece.shown}`;
      used = needed;
    }
  }
  return used === 0 ? lines : [...lines, line];
}

/** Words side by side, broken at spaces, the first line after `lead` and the others under it. */
function wrap(lead: string, text: string, width: number): string {
  const lines: string[] = [];
  let line = lead;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `  ${word}`;
    } else {
      line = empty ? `${line}${word}` : `${line} ${word}`;
    }
    empty = false;
  }
  return [...lines, line].join('\n');
}

function partCounts(part: PartResult, colors: Colors): { readonly shown: string; readonly width: number } | undefined {
  const having = (status: string) => part.requirements.filter((requirement) => requirement.status === status).length;
  const expected = part.requirements.filter((row) => row.status === 'violated' && row.expectedFailure).length;
  const marks = [
    { mark: '✓', number: having('holds'), color: colors.green },
    { mark: '✗', number: having('violated') - expected, color: colors.red },
    { mark: '✗ expected', number: expected, color: colors.yellow },
    { mark: '?', number: having('not judged'), color: colors.yellow },
  ].filter(({ number }) => number > 0);
  if (marks.length === 0) return undefined;
  const plain = marks.map(({ mark, number }) => `${mark} ${number}`);
  const shown = marks.map(({ mark, number, color }) => color(`${mark} ${number}`));
  return {
    shown: `${part.title}  ${shown.join('  ')}`,
    width: part.title.length + 2 + plain.join('  ').length,
  };
}

function labelled(label: string, text: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)} ${printable(text)}`;
}

function findingText(finding: Finding, page: Page): string {
  const { check, requirement } = finding;
  const { colors } = page;
  const where = requirement === undefined ? '' : `   ${colors.dim(whereSpecified(requirement.source))}`;
  const mark = finding.expected ? colors.yellow('✗ expected') : colors.red('✗');
  const lines = [`${mark} ${colors.bold(check.id)}  ${printable(check.title)}${where}`];
  if (requirement !== undefined) lines.push(labelled('rule', requirement.says));
  if (requirement?.because !== undefined) lines.push(labelled('because', requirement.because));
  for (const [index, violation] of finding.violations.entries()) {
    if (index > 0) lines.push('');
    lines.push(labelled('wrong', `${violation.message} (${violation.code})`));
    const options = {
      bodyLimit: page.verbose ? 2000 : 300,
      headers: page.verbose,
      reportDir: page.reportDir,
    };
    for (const line of proofLines(page.result, violation, options)) lines.push(labelled(line.label, line.text));
  }
  return lines.join('\n');
}

function reasons(lead: string, groups: readonly ReasonGroup[], page: Page): readonly string[] {
  const texts = groups.map(({ reason, requirements }) => {
    const ids = requirements.map((requirement) => requirement.id).join(', ');
    return `${ids} (${printable(reason)})`;
  });
  if (texts.length === 0) return [];
  if (texts.length === 1) return [wrap(`${lead}: `, texts.join(''), page.width)];
  return [[`${lead}:`, ...texts.map((text) => wrap('  ', text, page.width))].join('\n')];
}

function silentPoints(page: Page): readonly string[] {
  const seen = readings(page.result);
  if (seen.length === 0) return [];
  const lead = 'Where the specification is silent, this service: ';
  if (page.verbose) {
    return [
      [lead.trimEnd(), ...seen.map((one) => `  ${one.requirement.padEnd(LABEL_WIDTH)} ${printable(one.reading)}`)].join(
        '\n',
      ),
    ];
  }
  const distinct = [...new Set(seen.map((one) => printable(one.reading)))];
  return [wrap(lead, distinct.join(' · '), page.width)];
}

function baselineLines(page: Page): readonly string[] {
  const { baseline } = page.result;
  if (baseline === undefined) return [];
  const file = printable(baseline.file);
  const lines: string[] = [];
  if (baseline.expected.length > 0) lines.push(`Expected failures (${file}): ${baseline.expected.join(', ')}`);
  if (baseline.stale.length > 0) {
    const text = `Stale in ${file}: ${baseline.stale.join(', ')} (listed as expected failures, but they hold; remove them)`;
    lines.push(page.colors.red(text));
  }
  return lines;
}

function notSelected(page: Page): readonly string[] {
  const number = page.result.requirements.filter((requirement) => requirement.status === 'not selected').length;
  return number === 0 ? [] : [`Not selected: ${count(number, 'requirement')}`];
}

function harnessText(page: Page): readonly string[] {
  const faults = harnessFaults(page.result);
  if (faults.length === 0) return [];
  const lines = [page.colors.red('Faults of the suite itself (they say nothing about the service):')];
  for (const fault of faults) {
    lines.push(`  ${fault.check.id}  ${printable(fault.message)}`);
    if (fault.stack !== undefined)
      lines.push(
        ...printable(fault.stack, { lines: 'keep' })
          .split('\n')
          .map((line) => `    ${line}`),
      );
  }
  const { seed } = page.result.run;
  lines.push(
    `  Please report them to the maintainers of ${page.result.suite.name} ${page.result.suite.version}, with seed ${seed} and conformance.json.`,
  );
  return [lines.join('\n')];
}

function verboseLists(page: Page): readonly string[] {
  if (!page.verbose) return [];
  const { result } = page;
  const requirements = result.requirements.map(
    (row) => `  ${row.id.padEnd(LABEL_WIDTH)} ${row.status.padEnd(14)} ${row.kind.padEnd(8)} ${printable(row.says)}`,
  );
  const latencies = result.latencies.map((row) => {
    const times = `p50 ${duration(row.p50)} · p95 ${duration(row.p95)} · p99 ${duration(row.p99)} · max ${duration(row.max)}`;
    return `  ${row.operation.padEnd(LABEL_WIDTH)} ${times} · ${count(row.requests, 'request')}`;
  });
  return [
    ['Requirements:', ...requirements].join('\n'),
    ...(latencies.length === 0 ? [] : [['Latency:', ...latencies].join('\n')]),
    ...reasons('Cannot be tested', groupedByReason(result, 'untestable'), page),
    ...(result.run.options.length === 0 ? [] : [`Options: ${printable(result.run.options.join(' '))}`]),
  ];
}

function conclusionText(page: Page, written: boolean): string {
  const { result, colors } = page;
  const color = result.exitCode === 0 ? colors.green : colors.red;
  const where = written ? ` Reports in ${printable(page.reportDir.replace(/\/*$/, '/'))}` : '';
  return `${color(colors.bold(printable(result.conclusion)))}${where}`;
}

/**
 * The final report of a run for a terminal, ending in a line feed. A green run is a few lines; a red one holds all that
 * a person needs to mend the service. Nothing that the service sent reaches the terminal unescaped.
 */
export function terminalReport(result: RunResult, options: TerminalOptions): string {
  const colors = pc.createColors(options.color);
  const reportDir = printable(options.reportDir ?? 'reports');
  const verbose = options.output === 'verbose';
  const page: Page = {
    result,
    colors,
    verbose,
    width: Math.max(40, options.width ?? 120),
    reportDir,
  };
  const all = findings(result);
  const violated = all.filter((finding) => verbose || !finding.expected).map((finding) => findingText(finding, page));
  const conclusion = `${figuresLine(result, reportDir)}\n${conclusionText(page, options.written ?? false)}`;
  if (options.output === 'quiet') {
    return `${[...violated, ...harnessText(page), ...baselineLines(page), conclusion].join('\n\n')}\n`;
  }
  const target = result.target.embedded ? 'the embedded reference service' : printable(result.target.baseUrl);
  const header = `${colors.bold('Pet Store conformance')} · ${target} · ${result.run.profile} · seed ${result.run.seed}`;
  const counts = byPart(result).flatMap((part) => partCounts(part, colors) ?? []);
  const remarks = [
    ...silentPoints(page),
    ...reasons('Not judged', groupedByReason(result, 'not judged'), page),
    ...reasons('Not applicable', groupedByReason(result, 'not applicable'), page),
    ...notSelected(page),
    ...baselineLines(page),
    ...result.notes.map((note) => wrap('Note: ', printable(note), page.width)),
  ];
  const sections = [
    header,
    flow(counts, '      ', page.width).join('\n'),
    ...violated,
    ...harnessText(page),
    ...verboseLists(page),
    remarks.join('\n'),
    conclusion,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
