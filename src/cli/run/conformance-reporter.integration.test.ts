/** What the vitest tests of a run of our own end as. */
import { expect, test } from 'vitest';
import type { TestCase } from 'vitest/node';
import { KEY, recordingReference, testPlan } from '../../petstore/rig.fixture.ts';
import { findFault } from '../../reference/index.ts';
import { ConformanceReporter, type TestedChecks } from './conformance-reporter.ts';
import { runInVitest } from './vitest-run.ts';

test('a check that fails is a test that fails, and one that cannot be judged a test that is skipped', async () => {
  const faults = [findFault('limit-7-gives-8')].filter((fault) => fault !== undefined);
  const service = await recordingReference({ faults });
  const states = new Map<string, string>();
  const told = ConformanceReporter.prototype.onTestCaseResult;
  ConformanceReporter.prototype.onTestCaseResult = function note(tested: TestCase): void {
    states.set(`${tested.parent.type === 'suite' ? tested.parent.name : ''}: ${tested.name}`, tested.result().state);
    told.call(this, tested);
  };
  const exitCode = process.exitCode;
  let ended: TestedChecks | undefined;
  try {
    const checks = ['LIST-2', 'GET-2', 'VERS-4'];
    const plan = testPlan(service.baseUrl, { checks, requestTimeoutMs: 60_000, maxTimeMs: 110_000 });
    const onEnd = async (tested: TestedChecks): Promise<void> => {
      ended = tested;
    };
    const stop = new AbortController().signal;
    await runInVitest({ plan, petStore: { categoryIds: [] } }, { onEnd, onProgress: () => {}, stop });
  } finally {
    ConformanceReporter.prototype.onTestCaseResult = told;
    await service.stop();
  }
  const byId = [...states].map(([name, state]) => [name.replace(/(: \S+) .*/, '$1'), state]);
  expect(Object.fromEntries(byId)).toMatchObject({
    'main: LIST-2': 'failed',
    'main: GET-2': 'passed',
    'every answer: LIST-2': 'failed',
  });
  expect(byId.find(([name]) => name?.endsWith('VERS-4'))).toEqual([expect.any(String), 'skipped']);
  expect(ended?.faults).toEqual([]);
  expect(JSON.stringify(ended?.checks.map(({ result }) => result))).not.toContain(KEY);
  expect(ended?.checks.map(({ result: { id, outcome } }) => [id, outcome.kind])).toEqual([
    ['LIST-2', 'failed'],
    ['GET-2', 'passed'],
    ['VERS-4', 'not applicable'],
  ]);
  expect(process.exitCode).toBe(exitCode);
});
