/** The result as JUnit XML: one case per requirement, whose name is the same in every run. */

import { adviceOf } from '../result/baseline.ts';
import type { RequirementResult, RunResult } from '../result/result.ts';
import { targetName } from '../result/result.ts';
import { outcomeText } from '../result/verdict.ts';
import type { FindingBlock, ReportContext } from './blocks.ts';
import { documentOf } from './document.ts';
import { bodyText, type EvidenceLine, exchangeLines } from './evidence-lines.ts';
import { harmless } from './harmless.ts';
import { html, type Markup } from './html/markup.ts';
import { byPart } from './requirements.ts';

/** The element in a case that did not pass: `failure` only for failed requirements, `error` for the run itself. */
interface Problem {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly text?: string | undefined;
}

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly seconds: number;
  readonly problem?: Problem | undefined;
}

const LONGEST_BODY = 20_000;

function evidenceText(lines: readonly EvidenceLine[]): string {
  return lines
    .map(({ label, text, body, sentAt }) => {
      const own = text
        .split('\n')
        .map(harmless)
        .join(`\n${' '.repeat(11)}`);
      const shown = body === undefined ? '' : `\n${' '.repeat(11)}${harmless(bodyText(body, LONGEST_BODY))}`;
      return `${label.padEnd(10)} ${own}${sentAt === undefined ? '' : ` (sent at ${sentAt})`}${shown}`;
    })
    .join('\n');
}

function problemOf(row: RequirementResult, findings: readonly FindingBlock[]): Problem | undefined {
  const { id, outcome, partly, reason = outcome, because } = row;
  if (outcome === 'passed' && partly !== true) return undefined;
  if (outcome !== 'failed') return { element: 'skipped', message: `${outcomeText(row)}: ${reason}` };
  const own = findings.filter(({ requirements }) => requirements.includes(id));
  const blocks = own.map(({ says, rate, lines }) => `${harmless(says)} (${rate})\n${evidenceText(lines)}`);
  const text = [...(because === undefined ? [] : [`because: ${harmless(because)}`]), ...blocks].join('\n\n');
  const more = own.length > 1 ? ` (and ${own.length - 1} more)` : '';
  const message = `${own[0]?.says ?? 'the requirement failed'}${more}`;
  if (row.expectedFailure) return { element: 'skipped', message: `expected failure: ${message}`, text };
  return { element: 'failure', message, text };
}

/** Cases for the run as a whole. Without them, a list of skipped cases would look green. */
function runCases({ run, exitCode, conclusion, baseline, preflight = [] }: RunResult): readonly Case[] {
  const about = { classname: 'conformance.Run' };
  const text = preflight.map((exchange) => evidenceText(exchangeLines(exchange))).join('\n\n');
  const verdict: Case = {
    ...about,
    name: 'the run reaches a verdict',
    // The duration of the whole run, as readers add up the cases.
    seconds: run.milliseconds / 1_000,
    problem: exitCode < 2 ? undefined : { element: 'error', message: conclusion, text },
  };
  if (baseline === undefined) return [verdict];
  const message = adviceOf(baseline).join('; ');
  const problem: Problem | undefined = message === '' ? undefined : { element: 'error', message };
  return [verdict, { ...about, name: 'no entry of the baseline is stale or expired', seconds: 0, problem }];
}

/** Attributes that have a value; line feeds are escaped, as an XML parser would turn them into blanks. */
function attributes(given: Readonly<Record<string, string | number | undefined>>): Markup {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined);
  return html`${pairs.map(([name, value]) => html` ${name}="${harmless(String(value))}"`)}`;
}

function counts(cases: readonly Case[]) {
  const having = (element: Problem['element']) => cases.filter(({ problem }) => problem?.element === element).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

type Properties = Readonly<Record<string, string | number | undefined>>;

function suiteMarkup(name: string, cases: readonly Case[], given: Properties, timestamp: string): Markup {
  const properties = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => html`      <property${attributes({ name: key, value })}/>\n`);
  const items = cases.map(({ problem, seconds, ...names }) => {
    const head = html`    <testcase${attributes({ ...names, time: seconds.toFixed(3) })}`;
    if (problem === undefined) return html`${head}/>\n`;
    const { element, message, text } = problem;
    return html`${head}>
      <${element}${attributes({ message })}>${text}</${element}>
    </testcase>\n`;
  });
  const time = cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  return html`  <testsuite${attributes({ name, ...counts(cases), time, timestamp })}>
    <properties>\n${properties}    </properties>\n${items}  </testsuite>
`;
}

export function junitXml(result: RunResult, context: ReportContext): string {
  const { suite, run, requirements, verdict, conclusion } = result;
  const { sections } = documentOf(result, context);
  const findings = sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'finding' ? block : [])));
  // Untestable and unselected requirements have no case.
  const rows = requirements.filter(({ outcome }) => outcome !== 'untestable' && outcome !== 'not selected');
  const shared = { target: targetName(result), seed: run.seed };
  // As a property, since a case that passed has no message.
  const about = { ...shared, profile: run.profile, verdict, conclusion };
  const ofRun = { name: 'Run', cases: runCases(result), properties: about };
  const parts = byPart(rows).map(({ number, title, file, rows: own }) => ({
    name: `${number} ${title}`,
    properties: { ...shared, file },
    cases: own.map((row): Case => {
      const classname = `conformance.${title.replaceAll(/[ .]+/g, '-')}`;
      return { classname, name: `${row.id} ${row.says}`, seconds: 0, problem: problemOf(row, findings) };
    }),
  }));
  const all = [ofRun, ...parts];
  const suites = all.map(({ name, cases, properties }) => suiteMarkup(name, cases, properties, run.startedAt));
  const time = (run.milliseconds / 1_000).toFixed(3);
  // No counts here: the schema has none for skipped cases, and readers would take those for passed. Without counts, they
  // add up those of the suites.
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name: suite.name, time })}>
${suites}</testsuites>
`.markup;
}
