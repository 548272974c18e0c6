/** What others make of junit.xml: a published schema, and two readers that know nothing of each other. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseAsJson } from 'junit2json';
import { type ITestCase, type ITestResult, parse as parseTestResults } from 'test-results-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { RunResult } from '../model/result.ts';
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

const SCHEMA = readFileSync(new URL('./junit-schema/junit-10.xsd', import.meta.url), 'utf8');

/** What readers know that no published schema has: properties of a case, and the number of skipped cases of them all. */
const ADDITIONS: readonly (readonly [before: string, added: string])[] = [
  ['<xs:element ref="skipped"/>', '<xs:element ref="properties"/>'],
  ['<xs:attribute name="tests" type="xs:string" />', '<xs:attribute name="skipped" type="xs:string" />'],
];

function extended(schema: string): string {
  return ADDITIONS.reduce((text, [before, added]) => {
    if (text.split(before).length !== 2) throw new Error(`${before} is not in the schema once`);
    return text.replace(before, `${before}${added}`);
  }, schema);
}

async function faultsOf(xml: string, schema: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, schema });
  return errors.map(({ message }) => message);
}

const inconclusive = resultOf(
  [requirement('LIST-2', { status: 'not judged', reason: 'too few' })],
  [check('LIST-2', { kind: 'inconclusive', code: 'too-few', reason: 'too few', byOption: false })],
  { verdict: 'not judged', exitCode: 3, conclusion: 'Too little could be judged.' },
);
const harnessError = resultOf(
  [requirement('LIST-2', { status: 'not judged', reason: 'the suite failed' })],
  [check('LIST-2', { kind: 'harness error', message: 'it broke', stack: 'Error: it broke\n    at a.ts:1' })],
  { verdict: 'suite fault', exitCode: 2, conclusion: 'The suite failed.' },
);
const hostile = redResult(violation({ message: HOSTILE, actual: HOSTILE, exchanges: [answering(HOSTILE)] }), {
  conclusion: HOSTILE,
  target: { baseUrl: `https://x.example/${HOSTILE}`, embedded: false },
});

const RESULTS: readonly (readonly [name: string, result: RunResult])[] = [
  ['green', greenResult()],
  ['red', redResult()],
  ['inconclusive', inconclusive],
  ['harness error', harnessError],
  ['hostile', hostile],
  ['nothing ran', resultOf([], [], { verdict: 'not judged', exitCode: 3, conclusion: 'Unreachable.' })],
];

describe('the schema', () => {
  test.each(RESULTS)('%s', async (_name, result) => {
    expect(await faultsOf(junitReport(viewed(result)), extended(SCHEMA))).toEqual([]);
  });

  test('finds what is not allowed, such as what it was extended by', async () => {
    const xml = junitReport(viewed(redResult()));
    const faults = (await faultsOf(xml, SCHEMA)).join('\n');
    expect(faults).toContain("The attribute 'skipped' is not allowed.");
    expect(faults).toContain("Element 'properties': This element is not expected.");
    expect(await faultsOf(xml.replace('<testcase ', '<testcase colour="red" '), extended(SCHEMA))).toHaveLength(1);
  });
});

describe('test-results-parser', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'junit-readers-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function read(result: RunResult): { readonly all: ITestResult; case(id: string): ITestCase | undefined } {
    const file = join(folder, 'junit.xml');
    writeFileSync(file, junitReport(viewed(result)));
    const all = parseTestResults({ type: 'junit', files: [file] });
    const cases = all.suites.flatMap((suite) => suite.cases);
    return { all, case: (id) => cases.find(({ name }) => name.startsWith(id)) };
  }

  test.each([
    ['green', greenResult(), { status: 'PASS', total: 4, passed: 4, failed: 0, errors: 0, skipped: 0 }],
    ['red', redResult(), { status: 'FAIL', total: 6, passed: 3, failed: 2, errors: 1, skipped: 3 }],
    ['inconclusive', inconclusive, { status: 'FAIL', total: 1, passed: 0, failed: 0, errors: 1, skipped: 1 }],
    ['harness error', harnessError, { status: 'FAIL', total: 2, passed: 1, failed: 0, errors: 1, skipped: 0 }],
  ] as const)('%s', (_name, result, expected) => {
    expect(read(result).all).toMatchObject(expected);
  });

  test('shows each outcome, with what belongs to the case', () => {
    const red = read(redResult());
    expect(red.case('LIST-2')).toMatchObject({
      status: 'FAIL',
      failure: 'The page holds more animals than `limit`.',
      stack_trace: expect.stringContaining('LIST-2 (specification 4.1, 8): A page never holds more animals'),
      metadata: { file: 'suites/4.1-list-pets.ts', requirement: 'LIST-2', seed: 1729 },
    });
    expect(red.case('LIST-4')?.status).toBe('SKIP');
    expect(red.case('CREATE-2')?.status).toBe('SKIP');
    expect(red.case('CREATE-9')).toMatchObject({ status: 'FAIL', failure: 'cannot read x of undefined' });
    expect(red.all.suites[0]).toMatchObject({ name: 'Run', metadata: { seed: 1729, verdict: 'violations' } });
    expect(red.all.suites[1]?.metadata).toEqual({});
  });

  test('reads what a hostile service sent', () => {
    expect(read(hostile).case('LIST-2')?.stack_trace).toContain('</script><script>alert(1)</script>');
  });
});

describe('junit2json', () => {
  test('tells the cases apart by class and name, the same in every run', async () => {
    const identities = async (result: RunResult) => {
      const read = await parseAsJson(junitReport(viewed(result)));
      const suites = read !== null && read !== undefined && 'testsuite' in read ? (read.testsuite ?? []) : [];
      return suites.flatMap(({ testcase = [] }) => testcase.map((one) => `${one.classname} ${one.name}`));
    };
    const first = await identities(redResult());
    expect(first).toContain('conformance.listPets LIST-2 the title of LIST-2');
    expect(first).toContain('conformance.Run the run reaches a verdict');
    expect(new Set(first).size).toBe(first.length);
    const run = { ...redResult().run, seed: 2, startedAt: '2027-01-01T00:00:00.000Z', milliseconds: 9 };
    expect(await identities(redResult(violation({ message: 'another' }), { run }))).toEqual(first);
  });

  test('keeps message, text and properties', async () => {
    const read = JSON.stringify(await parseAsJson(junitReport(viewed(hostile))));
    expect(read).toContain(JSON.stringify(']]> &lt; &foo; &#60; \\u0000 \\ud800').slice(1, -1));
    expect(read).toContain('{"name":"requirement","value":"LIST-2"}');
    expect(read.match(/"name":"conclusion"/g)).toHaveLength(1);
  });
});
