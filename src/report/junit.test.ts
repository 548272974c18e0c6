/** Tests junit.xml with the schema of Jenkins' xUnit plugin and two independent readers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type TestCase } from 'junit2json';
import { parse as parseTestResults } from 'test-results-parser';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { BodyEvidence, RunResult } from '../result/result.ts';
import { conclude } from '../result/verdict.ts';
import { baselined, CONTEXT, CUT, GREEN, RED } from './golden.fixture.ts';
import { junitXml } from './junit.ts';
import { temporaryFolder } from './temporary-folder.fixture.ts';

/** As the source of pytest 8.4.2 has it (`testing/example_scripts/junit-10.xsd`), with its licence, unchanged. */
const SCHEMA = readFileSync(new URL('./junit-10.fixture.xsd', import.meta.url), 'utf8');

/** Every control character, lone surrogates, a noncharacter, and what ends an element, an attribute or a CDATA section. */
const ODD = `${Array.from({ length: 160 }, (_, at) => String.fromCharCode(at)).join('')} \ud800 \udfff \ufffe \uffff ]]> &lt; --> </failure>`;
const body: BodyEvidence = { encoding: 'text', text: ODD, bytes: ODD.length, cut: false };
const odd: RunResult = {
  ...RED,
  findings: RED.findings.map((one) => {
    const request = { ...one.example.request, target: `/v1/pets?q=${ODD}`, headers: [['X-Odd', ODD] as const], body };
    const oddly = { ...one.example, request, answer: { status: 500, headers: [], body } };
    return { ...one, says: ODD, violation: ODD, also: [ODD], example: oddly, earlier: [oddly] };
  }),
  conclusion: ODD,
  target: { baseUrl: `https://service.example/${ODD}`, embedded: false },
};
const RESULTS = {
  green: GREEN,
  red: RED,
  cut: CUT,
  odd,
  known: baselined(RED.findings.slice(0, 1), '- { requirement: LIST-2, finding: listPets length, reason: a }'),
  stale: baselined([], '- { requirement: CREATE-8, finding: createPet 500, reason: a }'),
  unreachable: {
    ...GREEN,
    ...conclude({ ...GREEN, untestableTarget: 'no' }),
    requirements: [],
    preflight: odd.findings.flatMap(({ earlier }) => earlier),
  },
} satisfies Record<string, RunResult>;

const xmlOf = (result: RunResult): string => junitXml(result, CONTEXT);
const faultsOf = async (contents: string): Promise<readonly string[]> =>
  (await validateXML({ xml: { fileName: 'junit.xml', contents }, schema: SCHEMA })).errors.map(
    ({ message }) => message,
  );

describe('the schema', () => {
  test.each(Object.entries(RESULTS))('%s', async (_, result) => {
    expect(await faultsOf(xmlOf(result))).toEqual([]);
  });

  test('finds what it does not allow', async () => {
    expect(await faultsOf(xmlOf(GREEN).replace('<testcase ', '<testcase colour="red" '))).toHaveLength(1);
    expect(await faultsOf(xmlOf(GREEN).replace('Service', '\u0001'))).not.toEqual([]);
  });
});

/** The cases, as junit2json reads them. */
async function casesOf(result: RunResult): Promise<readonly TestCase[]> {
  const read = await parse(xmlOf(result));
  if (read === null || read === undefined || !('testsuite' in read)) throw new Error('no suites');
  return (read.testsuite ?? []).flatMap(({ testcase = [] }) => testcase);
}

const elementOf = ({ failure, error, skipped }: TestCase): string =>
  failure !== undefined ? 'failure' : error !== undefined ? 'error' : skipped !== undefined ? 'skipped' : 'passed';

const ELEMENTS = {
  passed: 'passed',
  failed: 'failure',
  'not tested': 'skipped',
  'not applicable': 'skipped',
  untestable: undefined,
  'not selected': undefined,
} as const;

test.each(Object.entries(RESULTS))(
  'a case for each requirement, a failure only for one that failed: %s',
  async (_, result) => {
    const cases = await casesOf(result);
    const own = cases.filter(({ classname }) => classname !== 'conformance.Run');
    const rows = result.requirements.flatMap(({ id, outcome, expectedFailure, partly }) => {
      const element = expectedFailure || partly === true ? 'skipped' : ELEMENTS[outcome];
      return element === undefined ? [] : [`${id} ${element}`];
    });
    expect(own.map((one) => `${one.name?.split(' ')[0]} ${elementOf(one)}`).sort()).toEqual(rows.sort());
    // Without a verdict, or with a baseline to correct, no reader shows green.
    expect(cases.map(elementOf).some((one) => one !== 'passed' && one !== 'skipped')).toBe(result.exitCode !== 0);
  },
);

test('cases are distinguished by class and name, which stay the same from run to run', async () => {
  const namesOf = async (result: RunResult): Promise<readonly string[]> =>
    (await casesOf(result)).map(({ classname, name }) => `${classname} ${name}`);
  const names = await namesOf(RED);
  expect(names).toContain('conformance.listPets LIST-2 A page never holds more animals than `limit`.');
  expect(new Set(names).size).toBe(names.length);
  const run = { ...RED.run, seed: 8, startedAt: '2027-01-01T00:00:00.000Z', milliseconds: 9 };
  for (const other of [odd, { ...RED, run }]) expect(await namesOf(other)).toEqual(names);
  expect(await namesOf(GREEN)).toEqual(expect.arrayContaining([...names]));
});

describe('test-results-parser', () => {
  const folder = temporaryFolder();
  const read = (result: RunResult) => {
    writeFileSync(join(folder, 'junit.xml'), xmlOf(result));
    return parseTestResults({ type: 'junit', files: [join(folder, 'junit.xml')] });
  };

  test.each([
    ['green', { status: 'PASS', passed: GREEN.summary.passed + 1, failed: 0, errors: 0, skipped: 1 }],
    ['red', { status: 'FAIL', passed: 3, failed: 7, errors: 0, skipped: 0 }],
    ['cut', { status: 'FAIL', passed: 0, failed: 0, errors: 1, skipped: CUT.summary.testable }],
  ] as const)('%s, with a case for the run', (name, counts) => {
    expect(read(RESULTS[name])).toMatchObject(counts);
  });

  test('shows what was sent and what came back, with every character that XML forbids as an escape', () => {
    const cases = read(odd).suites.flatMap((suite) => suite.cases);
    const shown = cases.find(({ name }) => name.startsWith('CREATE-8'))?.stack_trace;
    expect(shown).toContain('POST /v1/pets');
    expect(shown).toContain('\\u0000\\u0001');
    expect(shown).toContain(' \\ud800 \\udfff \\ufffe \\uffff ]]> &lt; --> </failure>');
  });
});
