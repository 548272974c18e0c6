import { create } from 'xmlbuilder2';
import { byPart, causesOf, type FailedCheck, failedChecks, staleAdvice } from '../model/queries.ts';
import type { CheckResult, RequirementResult, RunResult } from '../model/result.ts';
import type { ReportContext } from '../model/service.ts';
import { printable } from '../model/text.ts';
import { evidenceLines, lookLines, whereSpecified } from './evidence.ts';

/** The element inside a test case that did not pass. */
interface Problem {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly type?: string;
  readonly message: string;
  readonly text?: string;
}

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly milliseconds: number;
  readonly problem: Problem | undefined;
}

const BODY_LIMIT = 20_000;

// The builder leaves what looks like a reference as it is, so `&foo;` from a service would break the document; with
// every ampersand spelled out it has nothing to guess.
function xml(text: string, lines: 'keep' | 'escape' = 'escape'): string {
  return printable(text, { lines }).replaceAll('&', '&amp;');
}

function failureText(
  result: RunResult,
  { check, requirement, violations }: Pick<FailedCheck, 'check' | 'requirement' | 'violations'>,
  reportDir: string,
): string {
  const blocks = violations.map((violation) => [
    printable(`${violation.message} (${violation.code})`),
    ...evidenceLines(result, violation, { bodyLimit: BODY_LIMIT, headers: true, reportDir }).map(
      ({ label, text }) => `  ${label.padEnd(12)} ${printable(text)}`,
    ),
  ]);
  if (requirement !== undefined) {
    const { id, source, says, because } = requirement;
    const head = `${id} (${whereSpecified(source)}): ${says}`;
    blocks.unshift(because === undefined ? [head] : [head, `because: ${because}`]);
  }
  const causes = causesOf(result).filter(({ checks }) => checks.includes(check.id));
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
      return requirement?.expectedFailure === true
        ? { element: 'skipped', message: 'expected failure', text: `${message}\n\n${text}` }
        : { element: 'failure', type: first?.code ?? 'violation', message, text };
    }
    case 'inconclusive': {
      const see = outcome.see === undefined ? '' : ` (see ${outcome.see})`;
      return { element: 'skipped', message: `inconclusive: ${outcome.reason}${see}` };
    }
    case 'not applicable':
      return { element: 'skipped', message: `not applicable: ${outcome.reason}` };
    case 'harness error': {
      const { message, stack } = outcome;
      return { element: 'error', type: 'suite-fault', message, text: stack ?? message };
    }
  }
}

/**
 * What is wrong with the run as a whole where no check's failure shows it: nothing was judged, the baseline is stale,
 * the suite failed outside of every check. Without a case of its own, a list of skipped cases would look green.
 */
function problemOfRun(result: RunResult, cases: readonly Case[]): Problem | undefined {
  const { exitCode, conclusion: message, verdict } = result;
  const stale = staleAdvice(result);
  if (exitCode === 3) {
    const seen = lookLines(result, BODY_LIMIT).map(({ label, text }) => `${label.padEnd(12)} ${printable(text)}`);
    return { element: 'error', type: 'not-judged', message, ...(seen.length === 0 ? {} : { text: seen.join('\n') }) };
  }
  if (stale !== undefined) return { element: 'failure', type: 'stale-baseline', message: stale };
  const shown = cases.some(({ problem }) => problem?.element === 'failure' || problem?.element === 'error');
  return exitCode === 0 || shown ? undefined : { element: 'error', type: verdict.replaceAll(' ', '-'), message };
}

function suitesOf(result: RunResult, { service, reportDir }: ReportContext) {
  // A check that passed is a case of the shard that sends its requests: a reader of all shards must not see it again.
  const isOwn = ({ id, outcome }: CheckResult): boolean =>
    outcome.kind !== 'passed' || result.run.shard?.others.includes(id) !== true;
  const suites = byPart(result, service).map(({ part, title, requirements, checks }) => ({
    name: part === '' ? title : `${part} ${title}`,
    cases: checks.filter(isOwn).map((check): Case => {
      const requirement = requirements.find(({ id }) => id === check.requirement);
      return {
        classname: `conformance.${title.replaceAll(' ', '-')}`,
        name: `${check.id} ${check.title}`,
        milliseconds: check.milliseconds,
        problem: problemOf(result, check, requirement, reportDir),
      };
    }),
  }));
  const problem = problemOfRun(
    result,
    suites.flatMap(({ cases }) => cases),
  );
  const verdict = { classname: 'conformance.verdict', name: 'verdict', milliseconds: 0, problem };
  return [...suites, { name: 'Verdict', cases: problem === undefined ? [] : [verdict] }].filter(
    ({ cases }) => cases.length > 0,
  );
}

function propertiesOf(result: RunResult): readonly (readonly [name: string, value: string | number])[] {
  const { summary, suite, run } = result;
  return [
    ['target', result.target.baseUrl],
    ['profile', run.profile],
    ['seed', run.seed],
    ...(run.shard === undefined ? [] : [['shard', `${run.shard.number}/${run.shard.of}`] as const]),
    ['suite', `${suite.name} ${suite.version}`],
    ['verdict', result.verdict],
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

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** The counts of a suite, or of all, as attributes. */
function counts(cases: readonly Case[]) {
  const having = (element: Problem['element']) => cases.filter(({ problem }) => problem?.element === element).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

/**
 * The result as JUnit XML: a suite for each part of the specification, a case for each check under a name that does
 * not change from run to run, the whole evidence in the failure.
 */
export function junitReport(result: RunResult, context: ReportContext): string {
  const suites = suitesOf(result, context);
  const all = suites.flatMap(({ cases }) => cases);
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\ufffd' });
  const { startedAt: timestamp, milliseconds } = result.run;
  const root = document.ele('testsuites', {
    name: result.suite.name,
    ...counts(all),
    time: seconds(milliseconds),
    timestamp,
  });
  for (const { name, cases } of suites) {
    const time = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    const suite = root.ele('testsuite', { name: xml(name), ...counts(cases), time, timestamp });
    const properties = suite.ele('properties');
    for (const [name, value] of propertiesOf(result)) properties.ele('property', { name, value: xml(String(value)) });
    for (const { classname, name, milliseconds, problem } of cases) {
      const attributes = { classname: xml(classname), name: xml(name), time: seconds(milliseconds) };
      const testcase = suite.ele('testcase', attributes);
      if (problem === undefined) continue;
      const { element, message, type, text } = problem;
      const child = testcase.ele(element, { message: xml(message), type: type && xml(type) });
      if (text !== undefined) child.txt(xml(text, 'keep'));
    }
  }
  return `${document.end({ prettyPrint: true })}\n`;
}
