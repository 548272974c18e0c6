import { describe, expect, test } from 'vitest';
import type { CheckResult, RequirementResult, RunResult, SpaceCoverage, TimeTaken } from '../model/result.ts';
import { resultValidator } from '../read-result.ts';
import { check, coverageOf, requirement, resultOf, resultWithCauses, violation } from '../sample.fixture.ts';
import { mergeResults } from './merge.ts';
import { MergeError } from './merge-error.ts';

const failed = { kind: 'failed', violations: [violation()] } as const;
const unsure = { kind: 'inconclusive', code: 'too-few', reason: 'too few animals', byOption: false } as const;

function shard(
  statuses: readonly RequirementResult['status'][],
  checks: readonly CheckResult[] = [],
  change: Partial<RunResult> = {},
): RunResult {
  const rows = statuses.map((status, index) =>
    requirement(`R-${index}`, { status, ...(status === 'not judged' ? { reason: 'why' } : {}) }),
  );
  return resultOf(rows, checks, change);
}

describe('mergeResults', () => {
  test('takes the strongest status of each requirement and computes all figures again', () => {
    const merged = mergeResults([
      shard(['holds', 'not selected', 'not judged', 'holds', 'untestable'], [check('R-0'), check('R-3')]),
      shard(
        ['not selected', 'holds', 'holds', 'violated', 'untestable'],
        [check('R-3', failed), check('R-1'), check('R-2')],
      ),
    ]);
    expect(merged.requirements.map((row) => row.status)).toEqual(['holds', 'holds', 'holds', 'violated', 'untestable']);
    expect(merged.requirements[2]?.reason).toBeUndefined();
    expect(merged.checks.map((one) => one.id)).toEqual(['R-0', 'R-1', 'R-2', 'R-3']);
    expect(merged.checks[3]).toMatchObject({ outcome: { kind: 'failed' }, requests: 10 });
    expect(merged.summary).toMatchObject({
      testable: 4,
      judged: 4,
      holding: 3,
      violated: 1,
      requests: 1624,
      creations: 208,
    });
    expect(merged.summary.checks).toMatchObject({ passed: 3, failed: 1 });
    expect(merged).toMatchObject({ verdict: 'violations', exitCode: 1 });
    expect(resultValidator()(merged)).toBe(true);
  });

  test('keeps the findings of a soak, and that a run was interrupted', () => {
    const latency = { operation: 'listPets', requests: 90, p50: 1, p95: 2, p99: 3, max: 4 } as const;
    const soak = {
      milliseconds: 1_000,
      planned: 2_000,
      requests: 90,
      unanswered: 1,
      throughput: 90,
      creations: 9,
      lost: 1,
      doubled: 2,
      unverified: 3,
      latencies: [latency],
    };
    const plain = shard(['holds']);
    const one = shard(['holds'], [], { soak, run: { ...plain.run, interrupted: 'SIGINT' } });
    expect(mergeResults([plain, one])).toMatchObject({ soak, run: { interrupted: 'SIGINT' } });
    const slower = { ...soak, milliseconds: 2_000, throughput: 45, latencies: [{ ...latency, p95: 20 }] };
    const merged = mergeResults([one, shard(['holds'], [], { soak: slower })]);
    expect(merged.soak).toEqual({
      milliseconds: 3_000,
      planned: 4_000,
      requests: 180,
      unanswered: 2,
      throughput: 60,
      creations: 18,
      lost: 2,
      doubled: 4,
      unverified: 6,
      latencies: [{ ...latency, requests: 180, p95: 20 }],
    });
    expect(resultValidator()(merged)).toBe(true);
  });

  test('what one shard left out after its first violation, another may have judged', () => {
    const leftOut = { ...unsure, code: 'first-violation', byOption: true } as const;
    const firstViolation = { check: 'R-0', requirement: 'R-0', leftOut: 2 };
    const ended = shard(
      ['violated', 'not judged', 'not judged'],
      [check('R-0', failed), check('R-1', leftOut), check('R-2', leftOut)],
      { firstViolation },
    );
    const merged = mergeResults([ended, shard(['not selected', 'holds', 'not selected'], [check('R-1')])]);
    expect(merged.firstViolation).toEqual({ ...firstViolation, leftOut: 1 });
    expect(merged.conclusion).toMatch(/^Does not conform: .* The run ended at the first violation .*; 1 requirement /);
    expect(resultValidator()(merged)).toBe(true);
  });

  test('shards with one soak rate have it together', () => {
    const soak = { milliseconds: 1_000, planned: 1_000, perSecond: 5, requests: 5, unanswered: 0, throughput: 5 };
    const whole = { ...soak, creations: 0, lost: 0, doubled: 0, unverified: 0, latencies: [] };
    const soaked = (perSecond: number) => shard(['holds'], [], { soak: { ...whole, perSecond } });
    expect(mergeResults([soaked(5), soaked(5)]).soak?.perSecond).toBe(5);
    expect(mergeResults([soaked(5), soaked(9)]).soak?.perSecond).toBeUndefined();
  });

  test('what shards covered is at most their sum, and never more than there is', () => {
    const covering = (...coverage: readonly SpaceCoverage[]) => shard(['holds'], [], { coverage });
    const levels = { ...coverageOf('list', 9, 9), tuples: 'levels' } as const;
    const merged = mergeResults([
      covering(coverageOf('list', 300), coverageOf('create', 5, 20)),
      covering(coverageOf('list', 200), coverageOf('create', 8, 20), levels),
      shard(['holds']),
    ]);
    expect(merged.coverage).toEqual([coverageOf('list', 412), coverageOf('create', 13, 20), levels]);
    expect(merged.notes.join(' ')).toContain('the most that they can have covered together');
    expect(resultValidator()(merged)).toBe(true);
    const earlier = mergeResults([shard(['holds']), shard(['holds'])]);
    expect(earlier.coverage).toBeUndefined();
    expect(earlier.notes.join(' ')).not.toContain('covered');
  });

  test('a rule was judged on the answers of every shard', () => {
    const judged = (number: number) => check('R-0', { kind: 'passed' }, { judged: number });
    const merged = mergeResults([
      shard(['holds', 'holds'], [judged(3), check('R-1')]),
      shard(['holds', 'holds'], [judged(4), check('R-1')]),
      shard(['holds', 'holds'], [check('R-0')]),
    ]);
    expect(merged.checks.map((one) => one.judged)).toEqual([7, undefined]);
  });

  test('the order of the shards does not change the verdict', () => {
    const shards = [
      shard(['holds', 'not judged']),
      shard(['violated', 'holds']),
      shard(['not selected', 'not selected']),
    ];
    const verdicts = [shards, shards.toReversed()].map((order) =>
      mergeResults(order).requirements.map((row) => row.status),
    );
    expect(verdicts[0]).toEqual(verdicts[1]);
  });

  test('each exit code', () => {
    const code = (...shards: readonly RunResult[]) => mergeResults(shards).exitCode;
    expect(code(shard(['holds', 'not selected']), shard(['not selected', 'holds']))).toBe(0);
    expect(code(shard(['holds']), shard(['violated']))).toBe(1);
    expect(code(shard(['holds'], [check('R-0', { kind: 'harness error', message: 'x' })]))).toBe(2);
    expect(code(shard(['not selected']), shard(['not applicable']))).toBe(3);
    expect(code(shard(['not judged', 'not judged', 'holds'], [check('R-0', unsure)]))).toBe(3);
    const byOption = { ...unsure, byOption: true };
    expect(code(shard(['not judged', 'not judged', 'holds'], [check('R-0', byOption), check('R-1', byOption)]))).toBe(
      0,
    );
    const down = { exitCode: 3, verdict: 'not judged', conclusion: 'The target could not be reached.' } as const;
    expect(code(shard(['holds', 'not selected']), shard(['not selected', 'not judged'], [], down))).toBe(3);
    expect(code(shard(['holds', 'holds']), shard(['not judged', 'not selected'], [], down))).toBe(0);
    expect(code(shard(['holds']), shard(['holds'], [], { exitCode: 2, verdict: 'suite fault' }))).toBe(2);
  });

  test('an expected failure that one shard sees violated is not stale', () => {
    const row = (status: RequirementResult['status']) => [requirement('R-0', { status, expectedFailure: true })];
    const stale = resultOf(row('holds'), [], { baseline: { file: 'b.txt', expected: [], stale: ['R-0'] } });
    const seen = resultOf(row('violated'), [], { baseline: { file: 'b.txt', expected: ['R-0'], stale: [] } });
    expect(mergeResults([stale, seen])).toMatchObject({ baseline: { expected: ['R-0'], stale: [] }, exitCode: 0 });
    expect(mergeResults([stale, stale])).toMatchObject({ baseline: { expected: [], stale: ['R-0'] }, exitCode: 1 });
  });

  test('time runs from the first start to the last end; seeds that differ are noted', () => {
    const later = shard(['holds']);
    const run = { ...later.run, seed: 2, startedAt: '2026-03-01T10:00:02.000Z' };
    const merged = mergeResults([shard(['holds']), { ...later, run }]);
    expect(merged.run).toMatchObject({ startedAt: '2026-03-01T10:00:00.000Z', milliseconds: 5100 });
    expect(merged.notes.join(' ')).toContain('different seeds: 1729, 2');
  });

  test('results that are not shards of one run are refused, with the difference', () => {
    const first = shard(['holds']);
    const target = { baseUrl: 'https://other.example/v1', embedded: false };
    const merging = (other: RunResult) => () => mergeResults([first, other]);
    expect(() => mergeResults([])).toThrow(MergeError);
    expect(merging(shard(['holds'], [], { target }))).toThrow('other.example');
    expect(merging(shard(['holds', 'holds']))).toThrow('R-1 differs');
    expect(merging(resultOf([requirement('R-0', { says: 'Something else.' })], []))).toThrow('R-0 differs');
  });

  test('causes that say the same are one, and so are inputs that were answered alike', () => {
    const merged = mergeResults([resultWithCauses(), resultWithCauses()]);
    expect(merged.causes).toMatchObject([
      { requirements: ['CREATE-2', 'CREATE-5'], checks: ['CREATE-2', 'CREATE-5'] },
      { requirements: ['LIST-2'], checks: ['LIST-2'] },
    ]);
    const [first] = merged.checks;
    expect(first?.outcome).toMatchObject({ inputsLeftOut: 14 });
    const inputs = first?.outcome.kind === 'failed' ? first.outcome.inputs : [];
    expect(inputs?.map(({ times }) => times)).toEqual([2, 6, 2, 4, 2]);
    expect(resultValidator()(merged)).toBe(true);
  });

  test('causes of one owner are one, whatever else each shard saw broken', () => {
    const seeing = (...requirements: readonly string[]): RunResult => {
      const result = resultWithCauses();
      const [cause] = result.causes ?? [];
      return { ...result, causes: cause && [{ ...cause, says: `in ${requirements}`, requirements }] };
    };
    const { causes } = mergeResults([seeing('LIST-2', 'LIST-9'), seeing('LIST-2', 'LIST-6', 'LIST-7')]);
    expect(causes?.[0]).toMatchObject({ requirements: ['LIST-2', 'LIST-9', 'LIST-6', 'LIST-7'] });
  });

  test('results of versions that knew no causes have each failed check as its own', () => {
    const { causes: _, ...older } = resultWithCauses();
    expect(mergeResults([older, older]).causes?.map(({ checks }) => checks)).toEqual([
      ['LIST-2', 'CREATE-5', 'CREATE-2'],
    ]);
  });
});

describe('shards of one run', () => {
  const rule = (judged: number, outcome?: CheckResult['outcome']): CheckResult =>
    check('R-0', outcome, { judged, requests: 0 });
  const without = { kind: 'inconclusive', code: 'nothing-to-judge', reason: 'no answer', byOption: false } as const;

  /** A shard of two, of which the first has R-0 and the second R-1. */
  function shardOf(number: number, checks: readonly CheckResult[], change: Partial<RunResult> = {}, of = 2): RunResult {
    const [own, others] = number === 1 ? [['R-0'], ['R-1']] : [['R-1'], ['R-0']];
    const rows = ['R-0', 'R-1'].map((id) => {
      const isJudged = checks.some((one) => one.requirement === id);
      return requirement(id, { status: isJudged ? 'holds' : 'not selected' });
    });
    const result = resultOf(rows, checks, change);
    return { ...result, run: { ...result.run, ...change.run, shard: { number, of, own, others } } };
  }
  const statuses = (...shards: readonly RunResult[]) => mergeResults(shards).requirements.map(({ status }) => status);

  test('what came of a check’s own requests counts, and what its rule found anywhere', () => {
    const second = shardOf(2, [check('R-1'), rule(4)]);
    expect(statuses(shardOf(1, [rule(3)]), second)).toEqual(['holds', 'holds']);
    expect(statuses(shardOf(1, [rule(3, unsure)]), second)).toEqual(['not judged', 'holds']);
    // A rule without answers in its own shard has some in the other.
    expect(statuses(shardOf(1, [rule(0, without)]), second)).toEqual(['holds', 'holds']);
    expect(statuses(shardOf(1, [rule(0, without)]), shardOf(2, [check('R-1')]))).toEqual(['not judged', 'holds']);
    const found = mergeResults([shardOf(1, [rule(3, unsure)]), shardOf(2, [check('R-1'), rule(4, failed)])]);
    expect(found.requirements[0]?.status).toBe('violated');
    expect(found).toMatchObject({ exitCode: 1, checks: [{ id: 'R-0', judged: 7 }, { id: 'R-1' }] });
    expect(found.notes).toEqual(['Merged from 2 shards. Latencies are the greatest of any of them.']);
  });

  test('the checks of a requirement have one order, whichever shard they are of', () => {
    const shards = [shardOf(1, [rule(3)]), shardOf(2, [check('R-1'), check('R-0.later')])];
    const orders = [shards, shards.toReversed()].map((order) => mergeResults(order).checks.map(({ id }) => id));
    expect(orders).toEqual([
      ['R-0', 'R-0.later', 'R-1'],
      ['R-0', 'R-0.later', 'R-1'],
    ]);
  });

  test('a violation that several find is told once, of all answers', () => {
    const one = (violated: number, judged: number) => ({
      kind: 'failed' as const,
      violations: [violation({ frequency: { violated, judged } })],
    });
    const [merged] = mergeResults([
      shardOf(1, [rule(10, one(2, 10))]),
      shardOf(2, [rule(5, one(1, 5)), check('R-1')]),
    ]).checks;
    expect(merged?.outcome).toMatchObject({ violations: [{ frequency: { violated: 3, judged: 15 } }] });
    const twice = { kind: 'failed' as const, violations: [violation(), violation({ message: 'Another one.' })] };
    const [several] = mergeResults([shardOf(1, [rule(10, twice)]), shardOf(2, [rule(5, twice), check('R-1')])]).checks;
    expect(several?.outcome).toMatchObject({ violations: [{}, { message: 'Another one.' }] });
  });

  test('percentiles are those of all times, and coverage is that of any', () => {
    const latency = (...times: readonly TimeTaken[]) => ({
      latencies: [{ operation: 'listPets', requests: 50, p50: 1, p95: 1, p99: 1, max: times.at(-1)?.[0] ?? 0, times }],
    });
    const space = (covered: number, which: string) => ({
      coverage: [{ ...coverageOf('list', covered, 4), which: Buffer.from(which, 'hex').toString('base64') }],
    });
    const merged = mergeResults([
      shardOf(1, [rule(1)], { ...latency([1, 40], [3, 10]), ...space(2, '03') }),
      shardOf(2, [check('R-1')], { ...latency([2, 49], [9.1, 1]), ...space(2, '06') }),
    ]);
    expect(merged.latencies).toEqual([{ operation: 'listPets', requests: 100, p50: 2, p95: 3, p99: 3, max: 9.1 }]);
    expect(merged.coverage).toEqual([coverageOf('list', 3, 4)]);
    expect(merged.notes).toEqual(['Merged from 2 shards.']);
    expect(resultValidator()(merged)).toBe(true);
  });

  test('where one could not judge its target at all, what it was to judge stays open', () => {
    const down = { exitCode: 3, verdict: 'not judged', conclusion: 'The target could not be reached.' } as const;
    const second = shardOf(2, [check('R-1'), rule(4)]);
    const merged = mergeResults([shardOf(1, [], down), second]);
    expect(merged).toMatchObject({ exitCode: 3, conclusion: 'In shard 1/2: The target could not be reached.' });
    expect(merged.requirements.map(({ status }) => status)).toEqual(['not judged', 'holds']);
    // One that judged too little of its own part is not the whole.
    const half = shardOf(1, [rule(1, unsure)], down);
    const enough = { ...half, run: { ...half.run, minJudged: 50 } };
    const lessAsked = { ...second, run: { ...second.run, minJudged: 40 } };
    expect(mergeResults([enough, lessAsked])).toMatchObject({ exitCode: 0, run: { minJudged: 50 } });
    // Where one does not say, it asked for nine of ten.
    expect(mergeResults([half, lessAsked])).toMatchObject({ exitCode: 3, run: { minJudged: 90 } });
  });

  test('an expected failure that holds is stale only in all of them together', () => {
    const baseline = { file: 'b.txt', expected: [], stale: [] };
    const shards = [shardOf(1, [rule(1)], { baseline }), shardOf(2, [check('R-1'), rule(1)], { baseline })];
    const expecting = shards.map((one) => ({
      ...one,
      requirements: one.requirements.map((row) => ({ ...row, expectedFailure: row.id === 'R-0' })),
    }));
    expect(mergeResults(expecting)).toMatchObject({ exitCode: 1, baseline: { expected: [], stale: ['R-0'] } });
  });

  test('are those of one run, however fast each sends and whatever day it began on', () => {
    const shards = [
      shardOf(1, [rule(1)], runOf({ startedAt: '2030-01-01T23:59:00Z', options: ['--today 2030-01-01'] })),
      shardOf(
        2,
        [check('R-1')],
        runOf({
          startedAt: '2030-01-02T00:01:00Z',
          options: ['--today 2030-01-02', '--concurrency 8', '--rate-limit 50/s'],
        }),
      ),
    ];
    expect(mergeResults(shards).verdict).toBe('conforms');
  });

  const runOf = (changes: Partial<RunResult['run']>) => ({ run: { ...shard(['holds']).run, ...changes } });
  const [first, second] = [shardOf(1, [rule(1)]), shardOf(2, [check('R-1')])];
  test.each([
    [
      'seed-differs',
      'result 2 ran with --seed 5, the first with 1729',
      [first, shardOf(2, [check('R-1')], runOf({ seed: 5 }))],
    ],
    ['profile-differs', '--profile smoke', [first, shardOf(2, [check('R-1')], runOf({ profile: 'smoke' }))]],
    [
      'version-differs',
      'version 9.9.9',
      [first, { ...second, suite: { name: 'petstore-conformance', version: '9.9.9' } }],
    ],
    [
      'target-differs',
      'other.example',
      [first, { ...second, target: { baseUrl: 'https://other.example/v1', embedded: false } }],
    ],
    ['shard-count-differs', 'a number of shards of 3, the first with 2', [first, shardOf(2, [check('R-1')], {}, 3)]],
    ['shard-repeated', 'results 1 and 3 are both of shard 1/2', [first, second, first]],
    ['shards-missing', 'shard 2/2 is missing', [first]],
    ['shards-mixed', 'result 2 is of a whole run', [first, shard(['holds', 'holds'])]],
    [
      'selection-differs',
      'the same --only and --skip',
      [first, { ...second, run: { ...second.run, shard: { number: 2, of: 2, own: ['R-1'], others: [] } } }],
    ],
    ...(
      [
        ['--strict', [], 'result 2 ran with --strict, the first without --strict'],
        ['--max-creates 50', ['--max-creates 500'], 'ran with --max-creates 50, the first with --max-creates 500'],
        ['--category-id 2', ['--category-id 2', '--category-id 3'], 'the first with --category-id 2 --category-id 3'],
        ['--today 2030-01-01', ['--today 2031-01-01'], 'ran with --today 2030-01-01'],
        ["-H 'X-Tenant: …'", [], 'the first without -H'],
      ] as const
    ).map(
      ([option, others, says]) =>
        [
          'option-differs',
          says,
          [shardOf(1, [rule(1)], runOf({ options: others })), shardOf(2, [check('R-1')], runOf({ options: [option] }))],
        ] as const,
    ),
  ] as const)('are refused where they are not: %s', (code, says, results) => {
    expect(() => mergeResults(results)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(says) }),
    );
  });
});
