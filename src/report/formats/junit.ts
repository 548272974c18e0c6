import { create } from 'xmlbuilder2';
import type { RunResult } from '../model/result.ts';
import type { ReportContext } from '../model/service.ts';
import { printable } from '../model/text.ts';
import { type Case, type Problem, type Properties, suitesOf } from './junit-suites.ts';

// The builder leaves what looks like a reference as it is, so `&foo;` from a service would break the document; with
// every ampersand spelled out it has nothing to guess.
function xml(text: string, lines: 'keep' | 'escape' = 'escape'): string {
  return printable(text, { lines }).replaceAll('&', '&amp;');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** The counts of a suite, or of all, as attributes. */
function counts(cases: readonly Case[]) {
  const having = (element: Problem['element']) => cases.filter(({ problem }) => problem?.element === element).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

type Builder = ReturnType<typeof create>;

function writeProperties(parent: Builder, properties: Properties): void {
  if (properties.length === 0) return;
  const element = parent.ele('properties');
  for (const [name, value] of properties) element.ele('property', { name, value: xml(String(value)) });
}

function writeCase(parent: Builder, { classname, name, milliseconds, properties, problem }: Case): void {
  const testcase = parent.ele('testcase', {
    classname: xml(classname),
    name: xml(name),
    time: seconds(milliseconds),
  });
  writeProperties(testcase, properties);
  if (problem === undefined) return;
  const { element, message, type, text } = problem;
  const child = testcase.ele(element, { type: xml(type), message: xml(message) });
  if (text !== undefined) child.txt(xml(text, 'keep'));
}

/**
 * The result as JUnit XML: a suite for the run, with its properties, and one for each part of the specification; a case
 * for each check under a name that does not change from run to run, with the whole evidence in the failure.
 */
export function junitReport(result: RunResult, context: ReportContext): string {
  const suites = suitesOf(result, context);
  const all = suites.flatMap(({ cases }) => cases);
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\ufffd' });
  const { startedAt: timestamp, milliseconds } = result.run;
  const name = result.suite.name;
  const root = document.ele('testsuites', { name, ...counts(all), time: seconds(milliseconds) });
  for (const { name, file, properties, cases } of suites) {
    const time = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    const suite = root.ele('testsuite', { name: xml(name), ...counts(cases), time, timestamp, file });
    writeProperties(suite, properties);
    for (const one of cases) writeCase(suite, one);
  }
  return `${document.end({ prettyPrint: true })}\n`;
}
