import { describe, expect, test } from 'vitest';
import type { CheckResult, Outcome, Replay, ReplayAttempt } from '../report/model/result.ts';
import { violation } from '../report/sample.fixture.ts';
import { parseCatalogue } from './read-catalogue.ts';
import { type Findings, type RunFacts, runResult } from './run-result.ts';

const row = (id: string, more: object = {}): object => ({ id, source: ['1'], kind: 'stated', says: 'So.', ...more });

const catalogue = parseCatalogue(
  [{ part: '1', title: 'Things', prefix: 'THING' }],
  JSON.stringify([
    ...Array.from({ length: 20 }, (_, at) => row(`THING-${at + 1}`)),
    row('THING-21', { untestable: 'Nobody can see it.' }),
  ]),
);
const testable = catalogue.requirements.filter(({ untestable }) => untestable === undefined).map(({ id }) => id);

const FACTS: RunFacts = {
  suite: { name: 'suite', version: '1.0.0', specification: '1' },
  run: { id: 'run', seed: 1, profile: 'standard', startedAt: new Date(0), milliseconds: 1.4, options: [] },
  target: { baseUrl: 'http://a.example/v1', embedded: false },
  baseline: undefined,
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

/** A baseline of requirements with one check each, an entry a line. */
const listing = (...ids: readonly string[]): NonNullable<RunFacts['baseline']> => ({
  file: 'baseline.txt',
  entries: ids.map((id, at) => ({ requirement: id, checks: [id], line: at + 1, lastLine: at + 1, text: `- ${id}` })),
});

function resultOf(checks: readonly CheckResult[], parts: Partial<Findings> = {}, baseline?: readonly string[]) {
  const facts: RunFacts = { ...FACTS, baseline: baseline && listing(...baseline) };
  return runResult(catalogue, facts, { checks, telemetry: undefined, notes: [], faults: [], ...parts });
}

const statusOf = (checks: readonly CheckResult[], id: string) =>
  resultOf(checks).requirements.find((row) => row.id === id)?.status;

describe('the verdict', () => {
  test('conforms, where all holds', () => {
    const run = resultOf(all(PASSED));
    expect(run).toMatchObject({ verdict: 'conforms', exitCode: 0 });
    expect(run.summary).toMatchObject({ testable: testable.length, judged: testable.length, violated: 0 });
  });

  test('a violation is told by its id', () => {
    expect(resultOf(all(PASSED, { 'THING-2': FAILED }))).toMatchObject({
      exitCode: 1,
      conclusion: expect.stringContaining('THING-2'),
    });
  });

  test('a violation is stronger than a fault of the suite', () => {
    expect(resultOf(all(PASSED, { 'THING-2': FAILED, 'THING-3': BROKEN }))).toMatchObject({ exitCode: 1 });
  });

  test('a fault of the suite is no verdict, in a check or outside of one', () => {
    expect(resultOf(all(PASSED, { 'THING-3': BROKEN }))).toMatchObject({ verdict: 'suite fault', exitCode: 2 });
    expect(resultOf(all(PASSED), { faults: ['it broke'] })).toMatchObject({ verdict: 'suite fault', exitCode: 2 });
  });

  test('is never green where nothing was judged', () => {
    expect(resultOf([])).toMatchObject({ verdict: 'not judged', exitCode: 3 });
    expect(resultOf(all(READ_ONLY))).toMatchObject({ verdict: 'not judged', exitCode: 3 });
    expect(resultOf(all({ kind: 'not applicable', reason: 'past' }))).toMatchObject({ exitCode: 3 });
  });

  test('what --read-only leaves open does not count as too little; what the service leaves open does', () => {
    const few: Readonly<Record<string, Outcome>> = { 'THING-1': PASSED, 'THING-2': PASSED };
    expect(resultOf(all(READ_ONLY, few))).toMatchObject({ verdict: 'conforms', exitCode: 0 });
    expect(resultOf(all(THROTTLED, few))).toMatchObject({ verdict: 'not judged', exitCode: 3 });
  });

  describe('where not all could be judged', () => {
    // Twenty can be.
    const lacking = (number: number, outcome: Outcome = THROTTLED) =>
      all(PASSED, Object.fromEntries(testable.slice(0, number).map((id) => [id, outcome])));
    const concluded = (checks: readonly CheckResult[], minJudged?: number) => {
      const facts = { ...FACTS, run: { ...FACTS.run, ...(minJudged === undefined ? {} : { minJudged }) } };
      const { exitCode, conclusion } = runResult(catalogue, facts, {
        checks,
        telemetry: undefined,
        notes: [],
        faults: [],
      });
      return [exitCode, conclusion];
    };
    const why = (number: number) => ` ${number} requirements were not judged because it asked to wait.`;

    test('a tenth is little enough, more is not', () => {
      const holds = 'Conforms: every requirement that was judged holds.';
      expect(concluded(lacking(0))).toEqual([0, `${holds} Every requirement that applies was judged.`]);
      expect(concluded(lacking(1))).toEqual([0, `${holds} 1 requirement was not judged because it asked to wait.`]);
      expect(concluded(lacking(2))).toEqual([0, `${holds}${why(2)}`]);
      expect(concluded(lacking(3))).toEqual([
        3,
        `No verdict: only 17 of 20 requirements could be judged, and 90 % must be (--min-judged).${why(3)}`,
      ]);
    });

    test('a check without a verdict is named although its requirement holds', () => {
      const [judged] = all(PASSED);
      if (judged === undefined) throw new Error('there is no check');
      const another = { ...judged, id: `${judged.id}.another`, outcome: THROTTLED };
      expect(concluded([...all(PASSED), another])).toEqual([
        0,
        `Conforms: every requirement that was judged holds. 1 check of requirements that hold had no verdict: ${another.id}.`,
      ]);
    });

    test('--min-judged says how much is enough; nothing at all never is', () => {
      expect(concluded(lacking(3), 85)[0]).toBe(0);
      expect(concluded(lacking(3), 85.1)[0]).toBe(3);
      expect(concluded(lacking(19), 0)[0]).toBe(0);
      expect(concluded(lacking(20), 0)[0]).toBe(3);
      expect(concluded(lacking(1), 100)[0]).toBe(3);
      expect(concluded(lacking(0), 100)[0]).toBe(0);
    });

    test('what an option left out is not what was to be judged, and is told all the same', () => {
      const some = { 'THING-1': PASSED, 'THING-2': PASSED };
      const [code, conclusion] = concluded(all(READ_ONLY, some), 100);
      expect(code).toBe(0);
      expect(conclusion).toMatch(/18 requirements were not judged because nothing was sent\.$/);
      expect(concluded(all(READ_ONLY, { ...some, 'THING-3': THROTTLED }))[0]).toBe(3);
    });

    test('what ran for no requirement does not count', () => {
      expect(concluded(lacking(3).filter(({ outcome }) => outcome.kind === 'passed'))[0]).toBe(0);
    });

    test('a violation says it too, and needs no share', () => {
      const checks = all(THROTTLED, { 'THING-2': FAILED });
      expect(concluded(checks)).toEqual([1, `Does not conform: 1 requirement is violated (THING-2).${why(19)}`]);
    });
  });

  test('a target that could not be looked at', () => {
    const run = resultOf([], { unjudgeable: 'Cannot reach it.' });
    expect(run).toMatchObject({ verdict: 'not judged', exitCode: 3, conclusion: 'Cannot reach it.' });
    expect(run.summary.judged).toBe(0);
  });
});

describe('the baseline', () => {
  test('a listed violation does not fail the run', () => {
    const run = resultOf(all(PASSED, { 'THING-2': FAILED }), {}, ['THING-2']);
    expect(run).toMatchObject({ exitCode: 0, baseline: { expected: ['THING-2'], stale: [] } });
  });

  test('a listed requirement that holds does', () => {
    const run = resultOf(all(PASSED), {}, ['THING-2']);
    expect(run).toMatchObject({ exitCode: 1, baseline: { expected: [], stale: ['THING-2'] } });
  });

  test('another violation beside a listed one does', () => {
    expect(resultOf(all(PASSED, { 'THING-2': FAILED, 'THING-3': FAILED }), {}, ['THING-2'])).toMatchObject({
      exitCode: 1,
    });
  });

  test('a listed requirement that was not judged is neither', () => {
    const run = resultOf(all(PASSED, { 'THING-2': THROTTLED }), {}, ['THING-2']);
    expect(run).toMatchObject({ exitCode: 0, baseline: { expected: [], stale: [] } });
  });
});

describe('the status of a requirement with several checks', () => {
  const pair = (first: Outcome, second: Outcome) => [result('THING-4.a', first), result('THING-4.b', second)];
  test.each([
    ['violated', FAILED, PASSED],
    ['violated', FAILED, BROKEN],
    ['not judged', BROKEN, PASSED],
    ['holds', PASSED, READ_ONLY],
    ['not judged', READ_ONLY, THROTTLED],
    ['not judged', THROTTLED, { kind: 'not applicable', reason: 'past' }],
  ] as const)('%s', (status, first, second) => {
    expect(statusOf(pair(first, second), 'THING-4')).toBe(status);
    expect(statusOf(pair(second, first), 'THING-4')).toBe(status);
  });

  test('not selected without a check, untestable where the catalogue says so', () => {
    const untestable = catalogue.requirements.find((row) => row.untestable !== undefined)?.id ?? '';
    expect([statusOf([], 'THING-4'), statusOf([], untestable)]).toEqual(['not selected', 'untestable']);
  });
});

test('an interrupted run says so, and a time is told in whole milliseconds', () => {
  const { run, conclusion } = runResult(
    catalogue,
    { ...FACTS, run: { ...FACTS.run, interrupted: 'SIGINT' } },
    { checks: all(PASSED), telemetry: undefined, notes: [], faults: [] },
  );
  expect(run).toMatchObject({ startedAt: '1970-01-01T00:00:00.000Z', milliseconds: 1, interrupted: 'SIGINT' });
  expect(conclusion).toMatch(/^Interrupted\. /);
});

describe('a replay', () => {
  const attempt = (sends: string, end: ReplayAttempt['end']): ReplayAttempt => ({
    sends,
    end,
    requests: 2,
    creations: 0,
  });
  const replayOf = (end: Replay['end'], ...attempts: readonly ReplayAttempt[]): Replay => ({
    check: 'THING-2',
    end,
    attempts,
  });
  const told = (outcome: Outcome, replay: Replay) => {
    const { exitCode, conclusion } = resultOf([result('THING-2', outcome)], { replay });
    return [exitCode, conclusion];
  };

  test('that shows the failure again says what showed it', () => {
    const replay = replayOf(
      'still so',
      attempt('the 2 recorded exchanges', 'not shown'),
      attempt('the check alone', 'shown'),
    );
    expect(told(FAILED, replay)).toEqual([1, 'Still fails: THING-2, THING-2 (shown by the check alone).']);
  });

  test('is not excused by a baseline', () => {
    const replay = replayOf('still so', attempt('the check alone', 'shown'));
    expect(resultOf([result('THING-2', FAILED)], { replay }, ['THING-2']).exitCode).toBe(1);
  });

  test('that does not show it says what was sent, and not that the service conforms', () => {
    const [first, second] = [attempt('the 2 recorded exchanges', 'not shown'), attempt('the whole run', 'not shown')];
    const replay = replayOf('no longer so', first, attempt('the check alone', 'not judged'), second);
    const conclusion = 'Fixed: THING-2, THING-2 (sent again: the 2 recorded exchanges; the whole run).';
    expect(told(PASSED, replay)).toEqual([0, conclusion]);
  });

  test('that could not be judged says why', () => {
    const conclusion = 'No verdict: THING-2 could not be judged again: nothing was sent.';
    expect(told(READ_ONLY, replayOf('not judged', attempt('the check alone', 'not judged')))).toEqual([3, conclusion]);
    expect(resultOf([], { replay: replayOf('not judged') })).toMatchObject({ exitCode: 3, conclusion });
  });

  test('in which the suite itself fails concludes nothing', () => {
    expect(resultOf([result('THING-2', BROKEN)], { replay: replayOf('not judged') }).exitCode).toBe(2);
  });
});
