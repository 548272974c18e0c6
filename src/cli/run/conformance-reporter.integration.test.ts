/** What the vitest tests of a run of our own end as. */
import { expect, test } from 'vitest';
import type { TestCase } from 'vitest/node';
import { KEY, recordingReference, testPlan } from '../../petstore/rig.fixture.ts';
import { findFault } from '../../reference/index.ts';
import { ConformanceReporter, type TestedChecks } from './conformance-reporter.ts';
import { prepareVitest } from './vitest-run.ts';

/** Runs some checks against the reference service in vitest, with `note` told of every test before the reporter is. */
async function runNoting(
  checks: readonly string[],
  note: (tested: TestCase) => TestCase,
  stop = new AbortController(),
): Promise<TestedChecks | undefined> {
  const faults = [findFault('limit-7-gives-8')].filter((fault) => fault !== undefined);
  const service = await recordingReference({ faults });
  const told = ConformanceReporter.prototype.onTestCaseResult;
  ConformanceReporter.prototype.onTestCaseResult = function tell(tested: TestCase): void {
    told.call(this, note(tested));
  };
  let ended: TestedChecks | undefined;
  const runner = prepareVitest();
  try {
    const plan = testPlan(service.baseUrl, { checks, requestTimeoutMs: 60_000, maxTimeMs: 110_000 });
    const onEnd = async (tested: TestedChecks): Promise<void> => {
      ended = tested;
    };
    await runner.run({ plan, petStore: { categoryIds: [] } }, { onEnd, onProgress: () => {}, stop: stop.signal });
  } finally {
    await runner.close();
    ConformanceReporter.prototype.onTestCaseResult = told;
    await service.stop();
  }
  return ended;
}

test('a check that fails is a test that fails, and one that cannot be judged a test that is skipped', async () => {
  const states = new Map<string, string>();
  const exitCode = process.exitCode;
  const ended = await runNoting(['LIST-2', 'GET-2', 'VERS-4'], (tested) => {
    states.set(`${tested.parent.type === 'suite' ? tested.parent.name : ''}: ${tested.name}`, tested.result().state);
    return tested;
  });
  const byId = [...states].map(([name, state]) => [name.replace(/(: \S+) .*/, '$1'), state]);
  expect(Object.fromEntries(byId)).toMatchObject({
    'still: LIST-2': 'failed',
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

/** A test that ended without telling what it found, as where its conclusion threw. */
function withoutResult(tested: TestCase): TestCase {
  return new Proxy(tested, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (key === 'meta') return () => ({});
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('a check of which no test brings a result is a fault of the suite, never a check that was not there', async () => {
  const ended = await runNoting(['LIST-2', 'GET-2', 'VERS-4', 'GONE-1'], (tested) =>
    /^(LIST|VERS)/.test(tested.name) ? withoutResult(tested) : tested,
  );
  expect(ended?.checks.map(({ result: { id } }) => id)).toEqual(['GET-2']);
  expect(ended?.faults).toEqual([
    expect.stringMatching(/^the check LIST-2 ended without a result: .*limit=7 holds 8 animals/s),
    'the check VERS-4 ended without a result: no test concluded it',
    'the check GONE-1 ended without a result: no test concluded it',
  ]);
});

test('in a run that was ended early, a check may be without a result', async () => {
  const stop = new AbortController();
  stop.abort('out-of-time');
  const ended = await runNoting(['LIST-2', 'GET-2', 'GONE-1'], withoutResult, stop);
  expect(ended).toMatchObject({ checks: [], faults: [] });
});
