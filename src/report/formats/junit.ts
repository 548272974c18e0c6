import { create } from 'xmlbuilder2';
import { findings } from '../findings.ts';
import type { CheckResult, RequirementResult, RunResult, Violation } from '../model/result.ts';
import { byPart, requirementsById } from '../parts.ts';
import { printable } from './printable.ts';
import { proofLines, whereSpecified } from './proof.ts';

/** What stands inside a test case that is not plainly green. */
interface Mark {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly type?: string;
  readonly message: string;
  readonly text?: string;
}

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly milliseconds: number;
  readonly mark: Mark | undefined;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
  readonly milliseconds: number;
}

const BODY_LIMIT = 20_000;

// The builder leaves what looks like a reference as it is, so `&foo;` from a service would break the document; with
// every ampersand spelled out it has nothing to guess.
function xml(text: string, lines: 'keep' | 'escape'): string {
  return printable(text, { lines }).replaceAll('&', '&amp;');
}

function proofText(
  result: RunResult,
  requirement: RequirementResult | undefined,
  violations: readonly Violation[],
  reportDir: string,
): string {
  const head =
    requirement === undefined ? [] : [`${requirement.id} (${whereSpecified(requirement.source)}): ${requirement.says}`];
  const because = requirement?.because === undefined ? [] : [`because: ${requirement.because}`];
  const proofs = violations.map((violation) =>
    [
      printable(`${violation.message} (${violation.code})`),
      ...proofLines(result, violation, {
        bodyLimit: BODY_LIMIT,
        headers: true,
        reportDir,
      }).map(({ label, text }) => `  ${label.padEnd(12)} ${printable(text)}`),
    ].join('\n'),
  );
  return [[...head, ...because].join('\n'), ...proofs].filter((text) => text !== '').join('\n\n');
}

function markOf(
  result: RunResult,
  check: CheckResult,
  requirement: RequirementResult | undefined,
  reportDir: string,
): Mark | undefined {
  const { outcome } = check;
  switch (outcome.kind) {
    case 'passed':
      return undefined;
    case 'failed': {
      const [first, ...others] = outcome.violations;
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
      const message = `${first?.message ?? 'the requirement is violated'}${more}`;
      const text = proofText(result, requirement, outcome.violations, reportDir);
      if (requirement?.expectedFailure === true)
        return {
          element: 'skipped',
          message: 'expected failure',
          text: `${message}\n\n${text}`,
        };
      return {
        element: 'failure',
        type: first?.code ?? 'violation',
        message,
        text,
      };
    }
    case 'inconclusive': {
      const see = outcome.see === undefined ? '' : ` (see ${outcome.see})`;
      return {
        element: 'skipped',
        message: `inconclusive: ${outcome.reason}${see}`,
      };
    }
    case 'not applicable':
      return {
        element: 'skipped',
        message: `not applicable: ${outcome.reason}`,
      };
    case 'harness error':
      return {
        element: 'error',
        type: 'suite-fault',
        message: outcome.message,
        text: outcome.stack ?? outcome.message,
      };
  }
}

function countCases(cases: readonly Case[]): Counts {
  const having = (element: Mark['element']) => cases.filter((one) => one.mark?.element === element).length;
  return {
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
    milliseconds: cases.reduce((sum, one) => sum + one.milliseconds, 0),
  };
}

/**
 * A case of its own for a verdict that no check's failure would show: a run in which nothing stands, a stale baseline,
 * a fault outside every check. Without it a page of skipped cases would read as green.
 */
function verdictCases(result: RunResult, cases: readonly Case[]): readonly Case[] {
  const stale = result.baseline?.stale ?? [];
  const shown = cases.some((one) => one.mark?.element === 'failure' || one.mark?.element === 'error');
  const verdict = (mark: Mark): Case => ({
    classname: 'conformance.verdict',
    name: 'verdict',
    milliseconds: 0,
    mark,
  });
  if (result.exitCode === 3)
    return [
      verdict({
        element: 'error',
        type: 'not-judged',
        message: result.conclusion,
      }),
    ];
  if (stale.length > 0) {
    const message = `stale expected failures in ${result.baseline?.file ?? 'the baseline'}: ${stale.join(', ')} hold; remove the entries`;
    return [verdict({ element: 'failure', type: 'stale-baseline', message })];
  }
  if (result.exitCode !== 0 && !shown) {
    return [
      verdict({
        element: 'error',
        type: result.verdict.replaceAll(' ', '-'),
        message: result.conclusion,
      }),
    ];
  }
  return [];
}

function suitesOf(result: RunResult, reportDir: string): readonly Suite[] {
  const requirements = requirementsById(result);
  const suites = byPart(result).flatMap(({ part, title, checks }): readonly Suite[] => {
    if (checks.length === 0) return [];
    const name = part === '' ? title : `${part} ${title}`;
    const classname = `conformance.${title.replaceAll(' ', '-')}`;
    const cases = checks.map((check) => ({
      classname,
      name: `${check.id} ${check.title}`,
      milliseconds: check.milliseconds,
      mark: markOf(result, check, requirements.get(check.requirement), reportDir),
    }));
    return [{ name, cases }];
  });
  const verdict = verdictCases(
    result,
    suites.flatMap((suite) => suite.cases),
  );
  return verdict.length === 0 ? suites : [...suites, { name: 'Verdict', cases: verdict }];
}

function propertiesOf(result: RunResult): readonly (readonly [string, string])[] {
  const { summary } = result;
  return [
    ['target', result.target.baseUrl],
    ['profile', result.run.profile],
    ['seed', String(result.run.seed)],
    ['suite', `${result.suite.name} ${result.suite.version}`],
    ['verdict', result.verdict],
    ['conclusion', result.conclusion],
    ['requirements.testable', String(summary.testable)],
    ['requirements.judged', String(summary.judged)],
    ['requirements.holding', String(summary.holding)],
    ['requirements.violated', String(summary.violated)],
    ['requests', String(summary.requests)],
    ['creations', String(summary.creations)],
    ['findings', String(findings(result).length)],
  ];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function countAttributes(counts: Counts): Record<string, string> {
  return {
    tests: String(counts.tests),
    failures: String(counts.failures),
    errors: String(counts.errors),
    skipped: String(counts.skipped),
  };
}

/**
 * The result as JUnit XML: a suite for each part of the specification, a case for each check under a name that does
 * not change from run to run, the whole proof in the failure.
 *
 * `reportDir` is the folder that the replay command names.
 */
export function junitReport(result: RunResult, reportDir = 'reports'): string {
  const suites = suitesOf(result, reportDir);
  const total = countCases(suites.flatMap((suite) => suite.cases));
  const document = create({
    version: '1.0',
    encoding: 'UTF-8',
    invalidCharReplacement: '\ufffd',
  });
  const root = document.ele('testsuites', {
    name: result.suite.name,
    ...countAttributes(total),
    time: seconds(result.run.milliseconds),
    timestamp: result.run.startedAt,
  });
  for (const suite of suites) {
    const counts = countCases(suite.cases);
    const element = root.ele('testsuite', {
      name: xml(suite.name, 'escape'),
      ...countAttributes(counts),
      time: seconds(counts.milliseconds),
      timestamp: result.run.startedAt,
    });
    const properties = element.ele('properties');
    for (const [name, value] of propertiesOf(result)) properties.ele('property', { name, value: xml(value, 'escape') });
    for (const one of suite.cases) {
      const testcase = element.ele('testcase', {
        classname: xml(one.classname, 'escape'),
        name: xml(one.name, 'escape'),
        time: seconds(one.milliseconds),
      });
      if (one.mark === undefined) continue;
      const mark = testcase.ele(one.mark.element, {
        message: xml(one.mark.message, 'escape'),
        ...(one.mark.type === undefined ? {} : { type: xml(one.mark.type, 'escape') }),
      });
      if (one.mark.text !== undefined) mark.txt(xml(one.mark.text, 'keep'));
    }
  }
  return `${document.end({ prettyPrint: true })}\n`;
}
