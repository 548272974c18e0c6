import { describe, expect, test } from 'vitest';
import { PARTS } from '../petstore/parts.ts';
import type { CheckResult, Outcome } from '../report/model/result.ts';
import { violation } from '../report/sample.fixture.ts';
import { assemble, type Findings, type RunFacts } from './assemble.ts';
import { type Catalogue, loadCatalogue } from './catalogue.ts';
import { PLAIN_RUN, type RunOptions } from './options.ts';

const catalogue: Catalogue = loadCatalogue(PARTS);
const testable = catalogue.requirements.filter(({ untestable }) => untestable === undefined).map(({ id }) => id);

const OPTIONS: RunOptions = {
  ...PLAIN_RUN,
  baseUrl: 'http://a.example/v1',
  token: 'Secret-Key',
  headers: [{ name: 'X-Shop', value: 'Quiet' }],
  reportDir: 'reports',
};

const PASSED: Outcome = { kind: 'passed' };
const FAILED: Outcome = { kind: 'failed', violations: [violation()] };
const READ_ONLY: Outcome = { kind: 'inconclusive', code: 'read-only', reason: 'nothing was sent', byOption: true };
const THROTTLED: Outcome = { kind: 'inconclusive', code: 'throttled', reason: 'it asked to wait', byOption: false };
const BROKEN: Outcome = { kind: 'harness error', message: 'the suite contradicts itself' };

function result(id: string, outcome: Outcome): CheckResult {
  const requirement = id.split('.')[0] ?? id;
  return { id, requirement, title: id, outcome, observations: [], requests: 1, milliseconds: 1 };
}

/** All testable requirements with one outcome, but for those named. */
function all(outcome: Outcome, others: Readonly<Record<string, Outcome>> = {}): readonly CheckResult[] {
  return testable.map((id) => result(id, others[id] ?? outcome));
}

function assembled(checks: readonly CheckResult[], parts: Partial<Findings> = {}, baseline?: readonly string[]) {
  const facts: RunFacts = {
    options: OPTIONS,
    runId: 'run',
    version: '1.0.0',
    baseUrl: 'http://a.example/v1',
    startedAt: new Date(0),
    milliseconds: 1,
    baseline: baseline === undefined ? undefined : { file: 'baseline.txt', ids: baseline },
  };
  return assemble(catalogue, facts, { checks, telemetry: undefined, notes: [], faults: [], ...parts });
}

const statusOf = (checks: readonly CheckResult[], id: string) =>
  assembled(checks).requirements.find((row) => row.id === id)?.status;

describe('the verdict', () => {
  test('conforms, where all holds', () => {
    const run = assembled(all(PASSED));
    expect(run).toMatchObject({ verdict: 'conforms', exitCode: 0 });
    expect(run.summary).toMatchObject({ testable: testable.length, judged: testable.length, violated: 0 });
  });

  test('a violation is told by its id', () => {
    expect(assembled(all(PASSED, { 'LIST-2': FAILED }))).toMatchObject({
      exitCode: 1,
      conclusion: expect.stringContaining('LIST-2'),
    });
  });

  test('a violation is stronger than a fault of the suite', () => {
    expect(assembled(all(PASSED, { 'LIST-2': FAILED, 'GET-1': BROKEN }))).toMatchObject({ exitCode: 1 });
  });

  test('a fault of the suite is no verdict, in a check or outside of one', () => {
    expect(assembled(all(PASSED, { 'GET-1': BROKEN }))).toMatchObject({ verdict: 'suite fault', exitCode: 2 });
    expect(assembled(all(PASSED), { faults: ['it broke'] })).toMatchObject({ verdict: 'suite fault', exitCode: 2 });
  });

  test('is never green where nothing was judged', () => {
    expect(assembled([])).toMatchObject({ verdict: 'not judged', exitCode: 3 });
    expect(assembled(all(READ_ONLY))).toMatchObject({ verdict: 'not judged', exitCode: 3 });
    expect(assembled(all({ kind: 'not applicable', reason: 'past' }))).toMatchObject({ exitCode: 3 });
  });

  test('what --read-only leaves open does not count as too little; what the service leaves open does', () => {
    const few: Readonly<Record<string, Outcome>> = { 'LIST-1': PASSED, 'LIST-2': PASSED };
    expect(assembled(all(READ_ONLY, few))).toMatchObject({ verdict: 'conforms', exitCode: 0 });
    expect(assembled(all(THROTTLED, few))).toMatchObject({ verdict: 'not judged', exitCode: 3 });
  });

  test('a target that could not be looked at', () => {
    const run = assembled([], { unjudgeable: 'Cannot reach it.' });
    expect(run).toMatchObject({ verdict: 'not judged', exitCode: 3, conclusion: 'Cannot reach it.' });
    expect(run.summary.judged).toBe(0);
  });
});

describe('the baseline', () => {
  test('a listed violation does not fail the run', () => {
    const run = assembled(all(PASSED, { 'LIST-2': FAILED }), {}, ['LIST-2']);
    expect(run).toMatchObject({ exitCode: 0, baseline: { expected: ['LIST-2'], stale: [] } });
  });

  test('a listed requirement that holds does', () => {
    const run = assembled(all(PASSED), {}, ['LIST-2']);
    expect(run).toMatchObject({ exitCode: 1, baseline: { expected: [], stale: ['LIST-2'] } });
  });

  test('another violation beside a listed one does', () => {
    expect(assembled(all(PASSED, { 'LIST-2': FAILED, 'GET-1': FAILED }), {}, ['LIST-2'])).toMatchObject({
      exitCode: 1,
    });
  });

  test('a listed requirement that was not judged is neither', () => {
    const run = assembled(all(PASSED, { 'LIST-2': THROTTLED }), {}, ['LIST-2']);
    expect(run).toMatchObject({ exitCode: 0, baseline: { expected: [], stale: [] } });
  });
});

describe('the status of a requirement with several checks', () => {
  const pair = (first: Outcome, second: Outcome) => [result('AUTH-2.a', first), result('AUTH-2.b', second)];
  test.each([
    ['violated', FAILED, PASSED],
    ['violated', FAILED, BROKEN],
    ['not judged', BROKEN, PASSED],
    ['holds', PASSED, READ_ONLY],
    ['not judged', READ_ONLY, THROTTLED],
    ['not judged', THROTTLED, { kind: 'not applicable', reason: 'past' }],
  ] as const)('%s', (status, first, second) => {
    expect(statusOf(pair(first, second), 'AUTH-2')).toBe(status);
    expect(statusOf(pair(second, first), 'AUTH-2')).toBe(status);
  });

  test('not selected without a check, untestable where the catalogue says so', () => {
    const untestable = catalogue.requirements.find((row) => row.untestable !== undefined)?.id ?? '';
    expect([statusOf([], 'AUTH-2'), statusOf([], untestable)]).toEqual(['not selected', 'untestable']);
  });
});

test('the options are shown without any secret', () => {
  const shown = assembled([]).run.options.join('\n');
  expect(shown).toContain('--base-url http://a.example/v1');
  expect(shown).not.toMatch(/Secret-Key|Quiet/);
});
