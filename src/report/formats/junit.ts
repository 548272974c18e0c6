import type { CheckResult } from '../model/result.ts';
import { printable } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import type { Finding, ReportView } from '../view.ts';
import { evidenceBlock, evidenceLines, lookLines } from './evidence.ts';
import { html, type Markup } from './html/markup.ts';

/** The element inside a test case that did not pass. */
interface Problem {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly type: string;
  /** What is wrong, in one sentence: the line that lists of failures show. */
  readonly message: string;
  /** All that there is to know beside the message, which it does not repeat. */
  readonly text?: string;
}

type Properties = readonly (readonly [name: string, value: string | number])[];

interface Case {
  /** With `name` unique, and the same in every run. */
  readonly classname: string;
  readonly name: string;
  readonly milliseconds: number;
  readonly properties: Properties;
  readonly problem: Problem | undefined;
}

interface Suite {
  readonly name: string;
  /** The source file of its checks. */
  readonly file: string | undefined;
  readonly properties: Properties;
  readonly cases: readonly Case[];
}

const BODY_LIMIT = 20_000;

/** The requirement, and the evidence of each violation; the sentence of the first is the message of the failure. */
function failureText({ requirement, where, rule, violations, because }: Finding, view: ReportView): string {
  const blocks = violations.map((violation, at) => {
    const evidence = evidenceBlock(evidenceLines(violation, { bodyLimit: BODY_LIMIT, headers: true, view }), '  ');
    return at === 0 ? evidence : `${printable(`${violation.message} (${violation.code})`)}\n${evidence}`;
  });
  const derived = requirement?.because === undefined ? '' : `\nbecause: ${requirement.because}`;
  const head = requirement === undefined ? [] : [`${requirement.id} (${where}): ${rule}${derived}`];
  const causes = because.map((says) => printable(`cause: ${says}`)).join('\n');
  return [...head, ...blocks, ...(causes === '' ? [] : [causes])].join('\n\n');
}

function failureOf(finding: Finding, view: ReportView): Problem {
  const [first, ...others] = finding.violations;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const message = `${first?.message ?? 'the requirement is violated'}${more}`;
  const text = failureText(finding, view);
  return finding.expected
    ? { element: 'skipped', type: 'expected-failure', message: `expected failure: ${message}`, text }
    : { element: 'failure', type: first?.code ?? 'violation', message, text };
}

function problemOf({ id, outcome }: CheckResult, view: ReportView): Problem | undefined {
  switch (outcome.kind) {
    case 'passed':
      return undefined;
    case 'failed': {
      const finding = view.findings.find(({ check }) => check.id === id);
      return finding && failureOf(finding, view);
    }
    case 'inconclusive': {
      const { reason, see } = outcome;
      const owner = see === undefined || reason.includes(see) ? '' : ` (see ${see})`;
      return { element: 'skipped', type: 'inconclusive', message: `inconclusive: ${reason}${owner}` };
    }
    case 'not applicable':
      return { element: 'skipped', type: 'not-applicable', message: `not applicable: ${outcome.reason}` };
    case 'harness error': {
      const { message, stack } = outcome;
      const problem = { element: 'error', type: 'internal-error', message } as const;
      // A stack begins with the message.
      return stack === undefined ? problem : { ...problem, text: stack.replace(message, '').trim() };
    }
  }
}

/**
 * What is wrong with the run as a whole where no check's failure shows it: nothing was judged, or the suite failed
 * outside of every check. Without a case of its own, a list of skipped cases would look green.
 */
function problemOfRun(view: ReportView, cases: readonly Case[]): Problem | undefined {
  const { exitCode, conclusion: message, verdict } = view.result;
  if (exitCode === 3) {
    const text = evidenceBlock(lookLines(view, BODY_LIMIT), '');
    return { element: 'error', type: 'not-judged', message, ...(text === '' ? {} : { text }) };
  }
  const isShown = cases.some(({ problem }) => problem?.element === 'failure' || problem?.element === 'error');
  const type = VERDICT_NAMES[verdict].replaceAll(' ', '-');
  return exitCode === 0 || isShown ? undefined : { element: 'error', type, message };
}

/** The cases of the run itself, which belong to no check. */
function casesOfRun(view: ReportView, checks: readonly Case[]): readonly Case[] {
  const { result, staleAdvice } = view;
  const about = { classname: 'conformance.Run', milliseconds: 0, properties: [['seed', result.run.seed]] } as const;
  const message = staleAdvice.join('; ');
  const stale: Problem | undefined =
    message === '' ? undefined : { element: 'failure', type: 'stale-baseline', message };
  const baseline = { ...about, name: 'no entry of the baseline is stale or expired', problem: stale };
  const cases = result.baseline === undefined ? [] : [baseline];
  return [
    { ...about, name: 'the run reaches a verdict', problem: problemOfRun(view, [...checks, ...cases]) },
    ...cases,
  ];
}

function propertiesOfRun({ result, findings, causes }: ReportView): Properties {
  const { summary, suite, run, target, verdict, conclusion } = result;
  return [
    ['target', target.baseUrl],
    ['profile', run.profile],
    ['seed', run.seed],
    ['suite', `${suite.name} ${suite.version}`],
    ['verdict', VERDICT_NAMES[verdict]],
    ['conclusion', conclusion],
    ['requirements.testable', summary.testable],
    ['requirements.judged', summary.judged],
    ['requirements.holding', summary.holding],
    ['requirements.violated', summary.violated],
    ['requests', summary.requests],
    ['creations', summary.creations],
    ['findings', findings.length],
    ...causes.map(
      ({ number, says, requirements }) => [`cause.${number}`, `${says}: ${requirements.join(', ')}`] as const,
    ),
  ];
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** Attributes that are given; in a value, an XML parser would take a line feed for a blank. */
function attributes(given: Readonly<Record<string, string | number | undefined>>): Markup {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined);
  return html`${pairs.map(([name, value]) => html` ${name}="${printable(String(value))}"`)}`;
}

/** The counts of a suite, or of all, as attributes. */
function counts(cases: readonly Case[]) {
  const having = (element: Problem['element']) => cases.filter(({ problem }) => problem?.element === element).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

function propertiesMarkup(properties: Properties, indent: string): Markup | undefined {
  if (properties.length === 0) return undefined;
  const entries = properties.map(([name, value]) => html`${indent}  <property${attributes({ name, value })}/>\n`);
  return html`${indent}<properties>\n${entries}${indent}</properties>\n`;
}

function caseMarkup({ classname, name, milliseconds, properties, problem }: Case): Markup {
  const mark =
    problem &&
    html`      <${problem.element}${attributes({ type: problem.type, message: problem.message })}>${problem.text}</${problem.element}>\n`;
  return html`    <testcase${attributes({ classname, name, time: seconds(milliseconds) })}>
${propertiesMarkup(properties, '      ')}${mark}    </testcase>
`;
}

/**
 * The result as JUnit XML: a suite for the run, with its properties, and one for each part of the specification; a case
 * for each check under a name that does not change from run to run, with the whole evidence in the failure.
 */
export function junitReport(view: ReportView): string {
  const { suite, run } = view.result;
  const parts = view.parts.map(({ title, heading, file, checks }) => ({
    name: heading,
    file,
    properties: [],
    cases: checks.map((check): Case => {
      const place: Properties = file === undefined ? [] : [['file', file]];
      return {
        classname: `conformance.${title.replaceAll(' ', '-')}`,
        name: `${check.id} ${check.title}`,
        milliseconds: check.milliseconds,
        properties: [...place, ['requirement', check.requirement], ['seed', run.seed]],
        problem: problemOf(check, view),
      };
    }),
  }));
  const checks = parts.flatMap(({ cases }) => cases);
  const ofRun = { name: 'Run', file: undefined, properties: propertiesOfRun(view), cases: casesOfRun(view, checks) };
  const suites: readonly Suite[] = [ofRun, ...parts.filter(({ cases }) => cases.length > 0)];
  const children = suites.map(({ name, file, properties, cases }) => {
    const time = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    return html`  <testsuite${attributes({ name, ...counts(cases), time, timestamp: run.startedAt, file })}>
${propertiesMarkup(properties, '    ')}${cases.map(caseMarkup)}  </testsuite>
`;
  });
  const all = { name: suite.name, ...counts(suites.flatMap(({ cases }) => cases)), time: seconds(run.milliseconds) };
  return html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes(all)}>
${children}</testsuites>
`.markup;
}
