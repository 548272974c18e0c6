import { describe, expect, test } from 'vitest';
import { compareResults, compareRuns } from './compare.ts';
import { columnsOf } from './formats/columns.ts';
import { renderComparison } from './formats/comparison.ts';
import { renderMatrix } from './formats/matrix.ts';
import { recordOf } from './history/record-of.ts';
import type { RequirementStatus, RunResult } from './model/result.ts';
import { check, coverageOf, greenResult, requirement, resultOf, violation } from './sample.fixture.ts';

function having(statuses: Readonly<Record<string, RequirementStatus>>, reading = 'answers 400', p50 = 2): RunResult {
  const rows = Object.entries(statuses).map(([id, status]) => requirement(id, { status, ...unjudged(status) }));
  const observations = [{ requirement: 'LIST-10', reading }];
  const checks = rows.map(({ id, status }) =>
    check(id, status === 'violated' ? { kind: 'failed', violations: [violation()] } : { kind: 'passed' }, {
      observations,
    }),
  );
  const latencies = [{ operation: 'listPets', requests: 9, p50, p95: 9, p99: 9, max: 9 } as const];
  return resultOf(rows, checks, { latencies });
}

const unjudged = (status: RequirementStatus) => (status === 'not judged' ? { reason: 'it throttled' } : {});

const withRun = (result: RunResult, run: Partial<RunResult['run']>): RunResult => ({
  ...result,
  run: { ...result.run, ...run },
});

const SAYINGS = new Map([['A', 'What A says.']]);
const textOf = (...results: readonly [RunResult, RunResult]) =>
  renderComparison(compareResults(...results), 'text', SAYINGS);
const ids = (changes: readonly { readonly id: string }[]) => changes.map(({ id }) => id);

describe('compareResults', () => {
  test('sorts every change, and a regression is worse', () => {
    const before = having({
      A: 'holds',
      B: 'violated',
      C: 'holds',
      D: 'not judged',
      E: 'holds',
      F: 'holds',
      G: 'holds',
      I: 'not applicable',
      J: 'violated',
    });
    const after = having(
      {
        A: 'violated',
        B: 'holds',
        C: 'not judged',
        D: 'holds',
        E: 'not selected',
        F: 'holds',
        H: 'holds',
        I: 'violated',
        J: 'violated',
        K: 'violated',
      },
      'clamps',
      4,
    );
    const comparison = compareResults(before, after);
    expect(ids(comparison.regressions)).toEqual(['A', 'I', 'K', 'C']);
    expect(ids(comparison.fixed)).toEqual(['B']);
    expect(ids(comparison.added)).toEqual(['D', 'H']);
    expect(ids(comparison.gone)).toEqual(['E', 'G']);
    expect(comparison.readings).toEqual([{ requirement: 'LIST-10', before: ['answers 400'], after: ['clamps'] }]);
    expect(comparison.environment).toEqual([]);
    expect(comparison.exitCode).toBe(1);
    const text = renderComparison(comparison, 'text', SAYINGS);
    for (const part of [
      'Regressions:\n  A          holds → violated  What A says.\n',
      '  C          holds → not judged (it throttled)\n',
      '  K          not in the catalogue → violated\n',
      'Fixed:\n  B          violated → holds\n',
      'New:\n  D          not judged → holds\n  H          not in the catalogue → holds\n',
      'Gone:\n  E          holds → not selected\n  G          holds → not in the catalogue\n',
      'LIST-10    before: answers 400 · now: clamps',
      'p50 2 ms → 4 ms',
      'Worse than before: 4 regressions, and 1 point fixed.\n',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('what neither run judged is neither new nor gone', () => {
    const before = having({ A: 'not selected', B: 'not judged', C: 'not applicable' });
    const after = having({ A: 'not judged', B: 'not applicable', C: 'not selected', D: 'untestable' });
    const comparison = compareResults(before, after);
    expect(comparison).toMatchObject({ regressions: [], fixed: [], added: [], gone: [], exitCode: 0 });
    expect(ids(comparison.unjudged)).toEqual(['A', 'B', 'C', 'D']);
    expect(renderComparison(comparison, 'text', SAYINGS)).toContain(
      'Judged in neither run:\n  A          not selected → not judged (it throttled)  What A says.\n',
    );
  });

  test('options that a long line left out tell nothing', () => {
    const before = recordOf(withRun(greenResult(), { options: ['--strict', "--only 'LIST-*'"] }));
    const after = { ...before, options: [], cut: ['options'] };
    expect(compareRuns([before, after]).environment).toEqual([]);
    expect(compareRuns([after, before]).environment).toEqual([]);
  });

  test('nothing changed, and only better, are 0', () => {
    expect(compareResults(greenResult(), greenResult()).exitCode).toBe(0);
    expect(textOf(greenResult(), greenResult())).toContain('\n\nNo regressions.\n');
    const better = compareResults(having({ A: 'violated' }), having({ A: 'holds' }, 'clamps', 900));
    expect(better.exitCode).toBe(0);
    expect(renderComparison(better, 'text', SAYINGS)).toContain('No regressions, and 1 point fixed.');
  });

  test('what an option keeps from being judged is gone, not worse', () => {
    const before = having({ A: 'holds' });
    const reason = 'nothing was sent';
    const readOnly = { kind: 'inconclusive', code: 'read-only', reason, byOption: true } as const;
    const after = resultOf([requirement('A', { status: 'not judged', reason })], [check('A', readOnly)]);
    expect(compareResults(before, after)).toMatchObject({
      exitCode: 0,
      gone: [{ id: 'A', before: 'holds', after: 'left out' }],
    });
  });

  test('says in what two runs differ beside the service', () => {
    const before = withRun(greenResult(), {
      options: ['--base-url https://staging.example/v1', '--today 2026-03-01', "--only 'LIST-*'", '--concurrency 64'],
    });
    const after = {
      ...withRun(greenResult(), {
        seed: 7,
        profile: 'smoke',
        startedAt: '2026-03-02T10:00:00.000Z',
        options: ['--today 2026-03-02', '--concurrency 8', '--strict', '--category-id 1', '--category-id 2'],
      }),
      suite: { name: 'petstore-conformance', version: '1.1.0', specification: '1.0.0' },
    };
    const comparison = compareResults(before, after);
    expect(comparison.environment).toEqual([
      { what: 'suite', before: '1.0.0', after: '1.1.0' },
      { what: 'profile', before: 'standard', after: 'smoke' },
      { what: 'seed', before: '1729', after: '7' },
      { what: 'selection', before: "--only 'LIST-*'", after: undefined },
      { what: '--concurrency', before: '64', after: '8' },
      { what: '--strict', before: undefined, after: 'given' },
      { what: '--category-id', before: undefined, after: '1, 2' },
    ]);
    expect(comparison.exitCode).toBe(0);
    const text = renderComparison(comparison, 'text', SAYINGS);
    expect(text).toContain("  selection  --only 'LIST-*' → not given\n");
    expect(text).toContain('No regressions. The runs differ in suite, profile, seed, selection, ');
    const later = { ...after, suite: { ...after.suite, specification: '2.0.0' } };
    expect(compareResults(after, later).environment).toEqual([
      { what: 'specification', before: '1.0.0', after: '2.0.0' },
    ]);
    // A chosen date is told.
    const chosen = withRun(greenResult(), { options: ['--today 2031-01-01'] });
    expect(compareResults(greenResult(), chosen).environment).toContainEqual({
      what: '--today',
      before: undefined,
      after: '2031-01-01',
    });
  });

  test('tells where the request spaces were covered to another degree, which is not worse', () => {
    const before = greenResult({ coverage: [coverageOf('list', 412), coverageOf('get', 9), coverageOf('gone', 4, 4)] });
    const after = greenResult({ coverage: [coverageOf('list', 300), coverageOf('get', 9), coverageOf('new', 7, 7)] });
    expect(compareResults(before, after).exitCode).toBe(0);
    expect(textOf(before, after)).toContain(
      `Coverage changed:
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
      expect(textOf(one, other)).not.toContain('Covered');
    }
  });

  test('of a target that cannot be judged this time, only the reason is told', () => {
    const conclusion = 'Cannot reach https://staging.example/v1.';
    const rows = ['A', 'B'].map((id) => requirement(id, { status: 'not judged', reason: conclusion }));
    const after = resultOf(rows, [], { verdict: 'not judged', exitCode: 3, conclusion, latencies: [] });
    const before = having({ A: 'holds', B: 'holds' });
    expect(compareResults(before, after).exitCode).toBe(1);
    expect(textOf(before, after).split('\n\n').slice(1)).toEqual([
      `Nothing was judged this time:\n   ${conclusion}`,
      'Worse than before: no verdict this time.\n',
    ]);
  });

  test('a further failing check of a requirement that was violated already is a regression, one less is fixed', () => {
    const failed = { kind: 'failed', violations: [violation()] } as const;
    const rows = [requirement('AUTH-2', { status: 'violated' })];
    const before = resultOf(rows, [check('AUTH-2.listPets', failed), check('AUTH-2.getPet')]);
    const after = resultOf(rows, [check('AUTH-2.listPets', failed), check('AUTH-2.getPet', failed)]);
    const further = [{ kind: 'check', id: 'AUTH-2.getPet', before: 'not failed', after: 'failed' }];
    expect(compareResults(before, after)).toMatchObject({ regressions: further, exitCode: 1 });
    expect(textOf(before, after)).toContain('AUTH-2.getPet this check fails too');
    expect(compareResults(after, before)).toMatchObject({ fixed: [{ id: 'AUTH-2.getPet' }], exitCode: 0 });
    // That of a requirement which was not violated before is told with the requirement.
    expect(compareResults(having({ A: 'holds' }), having({ A: 'violated' })).regressions).toHaveLength(1);
  });
});

test('many requirements that changed alike are counted', () => {
  const named = (status: RequirementStatus) =>
    having(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`R-${at}`, status])));
  expect(textOf(named('not judged'), named('holds'))).toContain('New:\n  20 requirements not judged → holds\n');
});

test('of several runs, the first is held against the last, and what came and went is told', () => {
  const statuses: readonly RequirementStatus[] = ['holds', 'violated', 'violated', 'holds'];
  const [first, ...others] = statuses.map((status) => recordOf(having({ A: status, B: 'holds' })));
  if (first === undefined) throw new Error('there are four');
  const comparison = compareRuns([first, ...others]);
  expect(comparison).toMatchObject({ runs: 4, unsteady: [{ id: 'A', violated: 2 }], exitCode: 0 });
  const text = renderComparison(comparison, 'text', SAYINGS);
  expect(text).toContain('4 runs: the first of them against the last.');
  expect(text).toContain('neither at first nor at last:\n  A          in 2 of 4 runs  What A says.\n');
  expect(compareRuns([first])).toMatchObject({ runs: 1, regressions: [], exitCode: 0 });
});

describe('renderComparison', () => {
  const comparison = compareResults(having({ A: 'holds' }), withRun(having({ A: 'violated' }), { seed: 8 }));

  test('in Markdown is a heading and lists, in which nothing is markup', () => {
    const text = renderComparison(comparison, 'md', new Map([['A', '*bold* <b>']]));
    expect(text).toMatch(/^## ✗ Worse than before/);
    expect(text).toContain('### Regressions\n\n- **A** holds → violated');
    expect(text).not.toMatch(/(?<!\\)<b>/);
    expect(text).not.toContain(' *bold*');
    expect(renderComparison(compareResults(greenResult(), greenResult()), 'md', SAYINGS)).toMatch(
      /^## ✓ No regressions/,
    );
  });

  test('in JSON has everything, under stable names', () => {
    expect(JSON.parse(renderComparison(comparison, 'json', SAYINGS))).toMatchObject({
      format: 'conformance-comparison/1',
      runs: 2,
      exitCode: 1,
      regressions: [{ kind: 'requirement', id: 'A', before: 'holds', after: 'violated' }],
      fixed: [],
      added: [],
      gone: [],
      readings: [],
      environment: [{ what: 'seed', before: '1729', after: '8' }],
      before: { target: 'https://staging.example/v1', seed: 1729, holding: 1, violated: 0 },
      after: { seed: 8, violated: 1, verdict: 'conforms' },
    });
  });

  test('shows nothing that a terminal would obey', () => {
    const hostile = having({ A: 'holds' }, '\u001b[31mred');
    const text = textOf(having({ A: 'holds' }), hostile);
    expect(text).toContain('\\u001b[31mred');
    expect(text).not.toContain('\u001b');
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
