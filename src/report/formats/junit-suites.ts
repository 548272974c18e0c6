import { byPart, causesOf, type FailedCheck, failedChecks, isExpected, staleAdvice } from '../model/queries.ts';
import type { CheckResult, RequirementResult, RunResult } from '../model/result.ts';
import type { ReportContext } from '../model/service.ts';
import { printable } from '../model/text.ts';
import { VERDICT_NAMES } from '../model/verdict.ts';
import { evidenceLines, lookLines, ruleText, whereSpecified } from './evidence.ts';

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
function failureText(
  result: RunResult,
  { check, requirement, violations }: Pick<FailedCheck, 'check' | 'requirement' | 'violations'>,
  reportDir: string,
): string {
  const blocks = violations.map((violation, at) => [
    ...(at === 0 ? [] : [printable(`${violation.message} (${violation.code})`)]),
    ...evidenceLines(result, violation, { bodyLimit: BODY_LIMIT, headers: true, reportDir }).map(
      ({ label, text }) => `  ${label.padEnd(12)} ${printable(text)}`,
    ),
  ]);
  if (requirement !== undefined) {
    const { id, source, because } = requirement;
    const head = `${id} (${whereSpecified(source)}): ${ruleText(requirement)}`;
    blocks.unshift(because === undefined ? [head] : [head, `because: ${because}`]);
  }
  const causes = causesOf(result).filter(
    ({ checks, says }) => checks.includes(check.id) && says !== violations[0]?.message,
  );
  if (causes.length > 0) blocks.push(causes.map(({ says }) => printable(`cause: ${says}`)));
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

function problemOf(
  result: RunResult,
  check: CheckResult,
  requirement: RequirementResult | undefined,
  reportDir: string,
): Problem | undefined {
  const { outcome } = check;
  switch (outcome.kind) {
    case 'passed':
      return undefined;
    case 'failed': {
      const [first, ...others] = outcome.violations;
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
      const message = `${first?.message ?? 'the requirement is violated'}${more}`;
      const text = failureText(result, { check, requirement, violations: outcome.violations }, reportDir);
      return isExpected(result, check)
        ? { element: 'skipped', type: 'expected-failure', message: `expected failure: ${message}`, text }
        : { element: 'failure', type: first?.code ?? 'violation', message, text };
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
function problemOfRun(result: RunResult, cases: readonly Case[]): Problem | undefined {
  const { exitCode, conclusion: message, verdict } = result;
  if (exitCode === 3) {
    const seen = lookLines(result, BODY_LIMIT).map(({ label, text }) => `${label.padEnd(12)} ${printable(text)}`);
    return { element: 'error', type: 'not-judged', message, ...(seen.length === 0 ? {} : { text: seen.join('\n') }) };
  }
  const shown = cases.some(({ problem }) => problem?.element === 'failure' || problem?.element === 'error');
  return exitCode === 0 || shown
    ? undefined
    : { element: 'error', type: VERDICT_NAMES[verdict].replaceAll(' ', '-'), message };
}

/** The suite of the run itself: its properties, which no other suite repeats, and cases that belong to no check. */
function suiteOfRun(result: RunResult, checks: readonly Case[]): Suite {
  const { seed } = result.run;
  const classname = 'conformance.Run';
  const about = { classname, milliseconds: 0, properties: [['seed', seed]] } as const;
  const stale = staleAdvice(result);
  const baseline: Case = {
    ...about,
    name: 'no entry of the baseline is stale or expired',
    problem: stale === undefined ? undefined : { element: 'failure', type: 'stale-baseline', message: stale },
  };
  const cases = result.baseline === undefined ? [] : [baseline];
  const problem = problemOfRun(result, [...checks, ...cases]);
  return {
    name: 'Run',
    properties: propertiesOf(result),
    cases: [{ ...about, name: 'the run reaches a verdict', problem }, ...cases],
  };
}

/**
 * What a JUnit report of a run holds: a suite for the run itself, with its properties, and one for each part of the
 * specification, with a case for each check.
 */
export function suitesOf(result: RunResult, { service, reportDir }: ReportContext): readonly Suite[] {
  const suites = byPart(result, service).map(({ part, title, file, requirements, checks }) => ({
    name: part === '' ? title : `${part} ${title}`,
    file,
    properties: [],
    cases: checks.map((check): Case => {
      const requirement = requirements.find(({ id }) => id === check.requirement);
      return {
        classname: `conformance.${title.replaceAll(' ', '-')}`,
        name: `${check.id} ${check.title}`,
        milliseconds: check.milliseconds,
        properties: [
          ...(file === undefined ? [] : [['file', file] as const]),
          ['requirement', check.requirement],
          ['seed', result.run.seed],
        ],
        problem: problemOf(result, check, requirement, reportDir),
      };
    }),
  }));
  const run = suiteOfRun(
    result,
    suites.flatMap(({ cases }) => cases),
  );
  return [run, ...suites.filter(({ cases }) => cases.length > 0)];
}

function propertiesOf(result: RunResult): Properties {
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
    ['findings', failedChecks(result).length],
    ...causesOf(result).map(
      ({ says, requirements }, at) => [`cause.${at + 1}`, `${says}: ${requirements.join(', ')}`] as const,
    ),
  ];
}
