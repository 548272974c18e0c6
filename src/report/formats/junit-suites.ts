import type { CheckResult } from '../model/result.ts';
import { printable } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import type { Finding, ReportView } from '../view.ts';
import { evidenceBlock, evidenceLines, lookLines } from './evidence.ts';

/** The element inside a test case that did not pass. */
export interface Problem {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly type: string;
  /** What is wrong, in one sentence: the line that lists of failures show. */
  readonly message: string;
  /** All that there is to know beside the message, which it does not repeat. */
  readonly text?: string;
}

export type Properties = readonly (readonly [name: string, value: string | number])[];

export interface Case {
  /** With `name` unique, and the same in every run. */
  readonly classname: string;
  readonly name: string;
  readonly milliseconds: number;
  readonly properties: Properties;
  readonly problem: Problem | undefined;
}

export interface Suite {
  readonly name: string;
  /** The source file of its checks. */
  readonly file?: string | undefined;
  readonly properties: Properties;
  readonly cases: readonly Case[];
}

const BODY_LIMIT = 20_000;

/** The requirement, and the evidence of each violation; the sentence of the first is the message of the failure. */
function failureText({ requirement, where, rule, violations, because }: Finding, view: ReportView): string {
  const blocks = violations.map((violation, at) => [
    ...(at === 0 ? [] : [`${violation.message} (${violation.code})`].map((line) => printable(line))),
    evidenceBlock(evidenceLines(violation, { bodyLimit: BODY_LIMIT, headers: true, view }), '  '),
  ]);
  if (requirement !== undefined) {
    const derived = requirement.because === undefined ? [] : [`because: ${requirement.because}`];
    blocks.unshift([`${requirement.id} (${where}): ${rule}`, ...derived]);
  }
  if (because.length > 0) blocks.push(because.map((says) => printable(`cause: ${says}`)));
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
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

/** The suite of the run itself: its properties, which no other suite repeats, and cases that belong to no check. */
function suiteOfRun(view: ReportView, checks: readonly Case[]): Suite {
  const { result, staleAdvice } = view;
  const about = { classname: 'conformance.Run', milliseconds: 0, properties: [['seed', result.run.seed]] } as const;
  const message = staleAdvice.join('; ');
  const problem: Problem | undefined =
    message === '' ? undefined : { element: 'failure', type: 'stale-baseline', message };
  const baseline = { ...about, name: 'no entry of the baseline is stale or expired', problem };
  const cases = result.baseline === undefined ? [] : [baseline];
  const verdict = { ...about, name: 'the run reaches a verdict', problem: problemOfRun(view, [...checks, ...cases]) };
  return { name: 'Run', properties: propertiesOf(view), cases: [verdict, ...cases] };
}

/**
 * What a JUnit report of a run holds: a suite for the run itself, with its properties, and one for each part of the
 * specification, with a case for each check.
 */
export function suitesOf(view: ReportView): readonly Suite[] {
  const suites = view.parts.map(({ title, heading, file, checks }) => ({
    name: heading,
    file,
    properties: [],
    cases: checks.map(
      (check): Case => ({
        classname: `conformance.${title.replaceAll(' ', '-')}`,
        name: `${check.id} ${check.title}`,
        milliseconds: check.milliseconds,
        properties: [
          ...(file === undefined ? [] : [['file', file] as const]),
          ['requirement', check.requirement],
          ['seed', view.result.run.seed],
        ],
        problem: problemOf(check, view),
      }),
    ),
  }));
  const all = suites.flatMap(({ cases }) => cases);
  return [suiteOfRun(view, all), ...suites.filter(({ cases }) => cases.length > 0)];
}

function propertiesOf({ result, findings, causes }: ReportView): Properties {
  const { summary, suite, run } = result;
  return [
    ['target', result.target.baseUrl],
    ['profile', run.profile],
    ['seed', run.seed],
    ['suite', `${suite.name} ${suite.version}`],
    ['verdict', VERDICT_NAMES[result.verdict]],
    ['conclusion', result.conclusion],
    ...(['testable', 'judged', 'holding', 'violated'] as const).map(
      (key) => [`requirements.${key}`, summary[key]] as const,
    ),
    ['requests', summary.requests],
    ['creations', summary.creations],
    ['findings', findings.length],
    ...causes.map(
      ({ number, says, requirements }) => [`cause.${number}`, `${says}: ${requirements.join(', ')}`] as const,
    ),
  ];
}
