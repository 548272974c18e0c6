import { describe, expect, test } from 'vitest';
import { compareResults, renderComparison } from './compare.ts';
import { columnsOf } from './formats/columns.ts';
import { renderMatrix } from './formats/matrix.ts';
import type { RequirementStatus, RunResult } from './model/result.ts';
import { check, coverageOf, greenResult, requirement, resultOf, violation } from './sample.fixture.ts';

function having(statuses: Readonly<Record<string, RequirementStatus>>, reading = 'answers 400', p50 = 2): RunResult {
  const rows = Object.entries(statuses).map(([id, status]) => requirement(id, { status }));
  const observations = [{ requirement: 'LIST-10', reading }];
  const checks = rows.map(({ id, status }) =>
    check(id, status === 'violated' ? { kind: 'failed', violations: [violation()] } : { kind: 'passed' }, {
      observations,
    }),
  );
  const latencies = [{ operation: 'listPets', requests: 9, p50, p95: 9, p99: 9, max: 9 } as const];
  return resultOf(rows, checks, { latencies });
}

describe('compareResults', () => {
  test('sorts every change, and a new violation is worse', () => {
    const before = having({
      A: 'holds',
      B: 'violated',
      C: 'holds',
      D: 'not judged',
      E: 'holds',
      F: 'holds',
      G: 'holds',
    });
    const after = having(
      { A: 'violated', B: 'holds', C: 'not judged', D: 'holds', E: 'not selected', F: 'holds', H: 'holds' },
      'clamps',
      4,
    );
    const comparison = compareResults(before, after);
    const ids = (changes: readonly { readonly id: string }[]) => changes.map(({ id }) => id);
    expect(ids(comparison.newlyViolated)).toEqual(['A']);
    expect(ids(comparison.fixed)).toEqual(['B']);
    expect(ids(comparison.newlyUnjudged)).toEqual(['C']);
    expect(ids(comparison.newlyJudged)).toEqual(['D']);
    expect(ids(comparison.otherwise)).toEqual(['E']);
    expect([comparison.added, comparison.removed]).toEqual([['H'], ['G']]);
    expect(comparison.readings).toEqual([{ requirement: 'LIST-10', before: ['answers 400'], after: ['clamps'] }]);
    expect(comparison.exitCode).toBe(1);
    const text = renderComparison(comparison);
    for (const part of [
      'Newly violated:\n  A',
      'Fixed:\n  B',
      'answers 400 → clamps',
      'p50 2 ms → 4 ms',
      'Worse than before',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('nothing changed, and only better, are 0', () => {
    expect(compareResults(greenResult(), greenResult()).exitCode).toBe(0);
    const better = compareResults(having({ A: 'violated' }), having({ A: 'holds' }, 'clamps', 900));
    expect(better.exitCode).toBe(0);
    expect(renderComparison(better)).toContain('Nothing got worse, and 1 requirement fixed.');
  });

  test('tells where the request spaces were covered to another degree, which is not worse', () => {
    const before = greenResult({ coverage: [coverageOf('list', 412), coverageOf('get', 9), coverageOf('gone', 4, 4)] });
    const after = greenResult({ coverage: [coverageOf('list', 300), coverageOf('get', 9), coverageOf('new', 7, 7)] });
    const comparison = compareResults(before, after);
    expect(comparison.exitCode).toBe(0);
    expect(renderComparison(comparison)).toContain(
      `Covered to another degree:
  pairs of list: 412 of 412 → 300 of 412
  pairs of new: none → 7 of 7
  pairs of gone: 4 of 4 → none
`,
    );
    for (const [one, other] of [
      [before, before],
      [greenResult(), after],
      [before, greenResult()],
    ] as const) {
      expect(renderComparison(compareResults(one, other))).not.toContain('Covered');
    }
  });

  test('of a target that cannot be judged this time, only the reason is told', () => {
    const conclusion = 'Cannot reach https://staging.example/v1.';
    const rows = ['A', 'B'].map((id) => requirement(id, { status: 'not judged', reason: conclusion }));
    const after = resultOf(rows, [], { verdict: 'not judged', exitCode: 3, conclusion, latencies: [] });
    const comparison = compareResults(having({ A: 'holds', B: 'holds' }), after);
    expect(comparison.exitCode).toBe(1);
    expect(renderComparison(comparison).split('\n\n').slice(1)).toEqual([
      `Nothing was judged this time: ${conclusion}`,
      'Worse than before in 2 points.\n',
    ]);
  });

  test('a further failing check of a requirement that was violated already is worse', () => {
    const failed = { kind: 'failed', violations: [violation()] } as const;
    const rows = [requirement('AUTH-2', { status: 'violated' })];
    const before = resultOf(rows, [check('AUTH-2.listPets', failed), check('AUTH-2.getPet')]);
    const after = resultOf(rows, [check('AUTH-2.listPets', failed), check('AUTH-2.getPet', failed)]);
    const comparison = compareResults(before, after);
    expect(comparison.newlyFailingChecks).toEqual(['AUTH-2.getPet']);
    expect(comparison.exitCode).toBe(1);
  });
});

test('renderMatrix shows a row only where not all targets hold', () => {
  const text = renderMatrix([
    having({ A: 'holds', B: 'violated', C: 'holds' }),
    having({ A: 'holds', B: 'holds', C: 'not judged' }, 'clamps'),
  ]);
  expect(text).toContain('A  https://staging.example/v1 · conforms');
  expect(text).toMatch(/B {10}✗ {2}✓ {2}What B says\./);
  expect(text).toMatch(/C {10}✓ {2}\? {2}What C says\./);
  expect(text).toContain('1 requirement holds on every target.');
  expect(text).toContain('  LIST-10    A: answers 400\n             B: clamps\n');
  expect(renderMatrix([])).toContain('Targets:');
});

test('renderMatrix fits a terminal of 60 columns', () => {
  const results = [
    having({ A: 'holds', B: 'violated' }),
    having({ A: 'holds', B: 'holds' }, '名前 '.repeat(40).trim()),
  ];
  const text = renderMatrix(results, 60);
  expect(Math.max(...text.split('\n').map(columnsOf))).toBeLessThanOrEqual(60);
  expect(text).toContain('\n  A  https://staging.example/v1 · conforms\n     ');
});
