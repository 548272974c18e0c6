import XMLBuilder from 'fast-xml-builder';
import { printable } from '../model/text.ts';
import type { ReportView } from '../view.ts';
import { type Case, type Problem, type Properties, suitesOf } from './junit-suites.ts';

/** An element as the builder takes it: its name with its children in order, and its attributes. */
type Node = Readonly<Record<string, readonly Node[] | string | Attributes>>;
type Attributes = Readonly<Record<string, string | number | undefined>>;

const ATTRIBUTES = ':@';
const TEXT = '#text';

const builder = new XMLBuilder({
  preserveOrder: true,
  attributeNamePrefix: '',
  textNodeName: TEXT,
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  suppressEmptyNode: true,
  format: true,
  processEntities: false,
});

/** References, but for the quotes of attributes: the builder writes those, and would in texts too, where JSON has many. */
function xml(text: string, lines: 'keep' | 'escape' = 'escape'): string {
  return printable(text, { lines }).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function element(name: string, attributes: Attributes, children: readonly Node[] = []): Node {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return { [name]: children, [ATTRIBUTES]: Object.fromEntries(given) };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** The counts of a suite, or of all, as attributes. */
function counts(cases: readonly Case[]) {
  const having = (element: Problem['element']) => cases.filter(({ problem }) => problem?.element === element).length;
  return { tests: cases.length, failures: having('failure'), errors: having('error'), skipped: having('skipped') };
}

function propertiesOf(properties: Properties): readonly Node[] {
  if (properties.length === 0) return [];
  const entries = properties.map(([name, value]) => element('property', { name, value: xml(String(value)) }));
  return [element('properties', {}, entries)];
}

function problemOf({ element: name, message, type, text }: Problem): Node {
  const content = text === undefined ? [] : [{ [TEXT]: xml(text, 'keep') }];
  return element(name, { type: xml(type), message: xml(message) }, content);
}

function caseOf({ classname, name, milliseconds, properties, problem }: Case): Node {
  return element('testcase', { classname: xml(classname), name: xml(name), time: seconds(milliseconds) }, [
    ...propertiesOf(properties),
    ...(problem === undefined ? [] : [problemOf(problem)]),
  ]);
}

/**
 * The result as JUnit XML: a suite for the run, with its properties, and one for each part of the specification; a case
 * for each check under a name that does not change from run to run, with the whole evidence in the failure.
 */
export function junitReport(view: ReportView): string {
  const { result } = view;
  const suites = suitesOf(view);
  const all = suites.flatMap(({ cases }) => cases);
  const { startedAt: timestamp, milliseconds } = result.run;
  const children = suites.map(({ name, file, properties, cases }) => {
    const time = seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
    const attributes = { name: xml(name), ...counts(cases), time, timestamp, file };
    return element('testsuite', attributes, [...propertiesOf(properties), ...cases.map(caseOf)]);
  });
  const root = element(
    'testsuites',
    { name: result.suite.name, ...counts(all), time: seconds(milliseconds) },
    children,
  );
  return `${builder.build([element('?xml', { version: '1.0', encoding: 'UTF-8' }), root])}\n`;
}
