import { describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import {
  answering,
  check,
  greenResult,
  HOSTILE,
  redResult,
  requirement,
  resultOf,
  viewed,
  violation,
} from '../sample.fixture.ts';
import { junitReport } from './junit.ts';

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** The document read back by a parser: it throws where it is not well-formed. */
function parse(xml: string): Element {
  const read = (node: ReturnType<typeof create>): Element => {
    const children: Element[] = [];
    let text = '';
    node.each((child) => {
      if (child.node.nodeType === 1) children.push(read(child));
      else text += child.node.textContent ?? '';
    });
    const attributes = new Map<string, string>();
    if ('attributes' in node.node) {
      for (const [name, value] of xmlAttributes(node.toString())) attributes.set(name, value);
    }
    return { name: node.node.nodeName, attributes, children, text };
  };
  return read(create(xml).root());
}

function unescapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(\w+);/g, (whole, name: string) => named[name] ?? whole);
}

function xmlAttributes(element: string): readonly (readonly [string, string])[] {
  const tag = /^<[^>]*>/.exec(element)?.[0] ?? '';
  return [...tag.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name, value]) => [name ?? '', unescapeXml(value ?? '')]);
}

function all(element: Element, name: string): readonly Element[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => all(child, name))];
}

function cases(element: Element): ReadonlyMap<string, Element> {
  return new Map(all(element, 'testcase').map((one) => [one.attributes.get('name') ?? '', one]));
}

/** The element inside of a case that tells its outcome. */
const markOf = (testcase: Element | undefined): Element | undefined =>
  testcase?.children.find(({ name }) => name !== 'properties');

function propertiesOf(element: Element | undefined): ReadonlyMap<string, string> {
  const properties = element?.children.find(({ name }) => name === 'properties')?.children ?? [];
  return new Map(properties.map(({ attributes }) => [attributes.get('name') ?? '', attributes.get('value') ?? '']));
}

describe('junitReport', () => {
  test('a suite for each part, a case for each check, counts that add up', () => {
    const root = parse(junitReport(viewed(redResult())));
    const suites = all(root, 'testsuite');
    expect(suites.map((suite) => suite.attributes.get('name'))).toEqual([
      'Run',
      '4.1 listPets',
      '4.2 createPet',
      '5 Authentication',
      '9 Versioning',
    ]);
    for (const scope of [root, ...suites]) {
      for (const [attribute, element] of [
        ['tests', 'testcase'],
        ['failures', 'failure'],
        ['errors', 'error'],
        ['skipped', 'skipped'],
      ] as const) {
        expect(scope.attributes.get(attribute)).toBe(String(all(scope, element).length));
      }
    }
    expect(root.attributes.get('time')).toBe('3.100');
    expect(suites.map((suite) => suite.attributes.get('timestamp'))).toContain('2026-03-01T10:00:00.000Z');
    expect(suites.map((suite) => suite.attributes.get('file'))).toContain('suites/4.1-list-pets.ts');
    const names = all(root, 'testcase').map(
      (one) => `${one.attributes.get('classname')} ${one.attributes.get('name')}`,
    );
    expect(new Set(names).size).toBe(names.length);
    const ofSuites = suites.map(({ children }) => children.filter(({ name }) => name === 'properties'));
    expect(ofSuites.map((elements) => elements.length)).toEqual([1, 0, 0, 0, 0]);
    const properties = propertiesOf(suites[0]);
    expect(properties.get('seed')).toBe('1729');
    expect(properties.get('verdict')).toBe('violations');
    expect(properties.get('requirements.testable')).toBe('9');
  });

  test('each outcome has its own mark', () => {
    const found = cases(parse(junitReport(viewed(redResult()))));
    const mark = (id: string) => markOf(found.get(`${id} the title of ${id}`));
    expect(mark('LIST-2')?.name).toBe('failure');
    expect(mark('LIST-2')?.attributes.get('type')).toBe('page-too-long');
    expect(mark('LIST-2')?.text).toContain('in 3 of the 812 answers');
    expect(mark('LIST-2')?.text).toContain('control');
    expect(mark('LIST-4')?.attributes.get('message')).toBe('inconclusive: the collection holds too few animals');
    expect(mark('VERS-4')?.attributes.get('message')).toBe('not applicable: the removal date has not come');
    expect(mark('CREATE-2')?.name).toBe('skipped');
    expect(mark('CREATE-2')?.attributes.get('message')).toBe('expected failure: Accepted.');
    expect(mark('CREATE-9')?.name).toBe('error');
    expect(mark('CREATE-9')?.text).toBe('Error: cannot\n    at a.ts:1');
    expect(mark('LIST-10')).toBeUndefined();
  });

  test('a stale baseline fails a case of its own', () => {
    const failing = markOf(
      cases(parse(junitReport(viewed(redResult())))).get('no entry of the baseline is stale or expired'),
    );
    expect(failing?.name).toBe('failure');
    expect(failing?.attributes.get('message')).toContain('AUTH-2');
  });

  test.each([
    ['the control failed', 'inconclusive: the control failed (see CREATE-1)'],
    ['the control failed: see CREATE-1', 'inconclusive: the control failed: see CREATE-1'],
  ])('what owns a failed control is named once: %s', (reason, message) => {
    const outcome = { kind: 'inconclusive', code: 'control', reason, see: 'CREATE-1', byOption: false } as const;
    const root = parse(junitReport(viewed(resultOf([requirement('LIST-2')], [check('LIST-2', outcome)]))));
    expect(all(root, 'skipped').map(({ attributes }) => attributes.get('message'))).toEqual([message]);
  });

  test('nothing is said twice', () => {
    const others = [violation(), violation({ code: 'another', message: 'Another thing is wrong.' })];
    const failed = check('LIST-2', { kind: 'failed', violations: others });
    const root = parse(junitReport(viewed(resultOf([requirement('LIST-2', { status: 'violated' })], [failed]))));
    const failure = markOf(cases(root).get('LIST-2 the title of LIST-2'));
    expect(failure?.attributes.get('message')).toBe('The page holds more animals than `limit`. (and 1 more)');
    expect(failure?.text).not.toContain('The page holds more animals');
    expect(failure?.text).toContain('\n\nAnother thing is wrong. (another)\n');
    expect(all(root, 'system-out')).toEqual([]);
  });

  test('each case tells its file, requirement and seed', () => {
    const found = cases(parse(junitReport(viewed(redResult()))));
    expect(Object.fromEntries(propertiesOf(found.get('LIST-2 the title of LIST-2')))).toEqual({
      file: 'suites/4.1-list-pets.ts',
      requirement: 'LIST-2',
      seed: '1729',
    });
    for (const one of found.values()) expect(propertiesOf(one).get('seed')).toBe('1729');
  });

  test.each([
    [3, 'not judged', 'not-judged'],
    [2, 'suite fault', 'internal-error'],
    [1, 'violations', 'violations'],
  ] as const)('exit code %d never reads as green', (exitCode, verdict, type) => {
    const root = parse(junitReport(viewed(greenResult({ exitCode, verdict, conclusion: 'No verdict.' }))));
    expect(root.attributes.get('errors')).toBe('1');
    const { attributes } = markOf(cases(root).get('the run reaches a verdict')) ?? {};
    expect([attributes?.get('message'), attributes?.get('type')]).toEqual(['No verdict.', type]);
  });

  test('a target that could not be judged is shown by what came back', () => {
    const change = { exitCode: 3, verdict: 'not judged', look: [answering('<h1>It works</h1>')] } as const;
    const error = markOf(cases(parse(junitReport(viewed(greenResult(change))))).get('the run reaches a verdict'));
    expect(error?.name).toBe('error');
    expect(error?.text).toContain('It works');
  });

  test('a green run has a case for each check, and one for the run', () => {
    const root = parse(junitReport(viewed(greenResult())));
    expect(root.attributes.get('tests')).toBe('4');
    expect(root.attributes.get('failures')).toBe('0');
  });

  test('whatever a service sends, the document is well-formed and says what was sent', () => {
    const hostile = violation({ message: HOSTILE, actual: HOSTILE, exchanges: [answering(HOSTILE)] });
    const xml = junitReport(viewed(redResult(hostile, { conclusion: HOSTILE })));
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
    const failure = markOf(cases(parse(xml)).get('LIST-2 the title of LIST-2'));
    expect(failure?.text).toContain('</script><script>alert(1)</script>');
    expect(failure?.text).toContain(']]> &lt; &foo;');
    // Looked at as written: the parser here takes `&amp;#60;` for two references in one.
    expect(xml).toContain(']]&gt; &amp;lt; &amp;foo; &amp;#60; \\u0000 \\ud800');
    expect(failure?.text).not.toMatch(/^# heading/m);
    expect(failure?.attributes.get('message')).toContain('\\u001b[31mred');
  });

  test('a check outside the catalogue is shown all the same', () => {
    const root = parse(junitReport(viewed(resultOf([requirement('LIST-2')], [check('LIST-2'), check('ODD-1')]))));
    expect([...cases(root).keys()]).toContain('ODD-1 the title of ODD-1');
  });
});
