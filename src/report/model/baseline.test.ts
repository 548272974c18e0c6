import { describe, expect, test } from 'vitest';
import { check, requirement, resultOf, violation } from '../sample.fixture.ts';
import { baselineAdvice, expectedTexts, isExpectedFailure, judgeBaseline, type ListedFailure } from './baseline.ts';
import type { CheckResult, Profile } from './result.ts';
import { concludeVerdict } from './verdict.ts';

const DAY = '2026-06-15';
const failed = { kind: 'failed', violations: [violation()] } as const;
const unsure = { kind: 'inconclusive', code: 'throttled', reason: 'why', byOption: false } as const;

/** Lists AUTH-2, which has two checks, or one of the two. */
function entry(id: string, more: Partial<ListedFailure> = {}): ListedFailure {
  const place = { line: 3, lastLine: 3, text: `- ${id}` };
  return id.includes('.')
    ? { check: id, checks: [id], ...place, ...more }
    : { requirement: id, checks: [`${id}.a`, `${id}.b`], ...place, ...more };
}

const a = (outcome: CheckResult['outcome'] = { kind: 'passed' }) => check('AUTH-2.a', outcome);
const b = (outcome: CheckResult['outcome'] = { kind: 'passed' }) => check('AUTH-2.b', outcome);
const judged = (entries: readonly ListedFailure[], checks: readonly CheckResult[], profile: Profile = 'standard') =>
  judgeBaseline('known.yaml', entries, { checks, day: DAY, profile });
const stateOf = (one: ListedFailure, checks: readonly CheckResult[]) => judged([one], checks).entries[0]?.state;

describe('an entry of a requirement', () => {
  test.each([
    ['expected', [a(failed), b()]],
    ['expected', [a(failed), b(unsure)]],
    ['stale', [a(), b()]],
    ['stale', [a(), b({ kind: 'not applicable', reason: 'not yet' })]],
    // What was not judged may still fail.
    ['not seen', [a(), b(unsure)]],
    ['not seen', [a()]],
    ['not seen', []],
    ['not seen', [a(unsure), b(unsure)]],
  ] as const)('%s', (state, checks) => {
    expect(stateOf(entry('AUTH-2'), checks)).toBe(state);
  });
});

test.each([
  ['smoke', 'smoke', 'stale'],
  ['standard', 'smoke', 'not seen'],
  // One without a profile is of standard.
  [undefined, 'smoke', 'not seen'],
  [undefined, 'standard', 'stale'],
  ['thorough', 'standard', 'not seen'],
  ['smoke', 'thorough', 'stale'],
] as const)('an entry of %s is, in a run of %s that passes, %s', (profile, sent, state) => {
  expect(judged([entry('AUTH-2', { profile })], [a(), b()], sent).entries?.[0]?.state).toBe(state);
});

test('an entry of a check is about that check alone', () => {
  expect(stateOf(entry('AUTH-2.a'), [a(failed), b()])).toBe('expected');
  expect(stateOf(entry('AUTH-2.a'), [a(), b(failed)])).toBe('stale');
});

describe('the last day of an entry', () => {
  const until = (expires: string) => entry('AUTH-2', { expires });

  test('counts, the next day does not', () => {
    expect(stateOf(until(DAY), [a(failed), b()])).toBe('expected');
    expect(stateOf(until('2026-06-14'), [a(failed), b()])).toBe('expired');
    expect(stateOf(until('2026-06-14'), [a(), b()])).toBe('expired');
  });

  test('does not matter where the run left its checks out', () => {
    expect(stateOf(until('2026-06-14'), [check('LIST-2')])).toBe('not seen');
  });
});

test('a violation is expected where each check that fails is', () => {
  const row = { id: 'AUTH-2', status: 'violated' } as const;
  const expected = (checks: readonly CheckResult[], ...entries: readonly ListedFailure[]) =>
    isExpectedFailure(row, checks, entries, DAY);
  expect(expected([a(failed), b()], entry('AUTH-2'))).toBe(true);
  expect(expected([a(failed), b()], entry('AUTH-2.a'))).toBe(true);
  expect(expected([a(failed), b(failed)], entry('AUTH-2.a'))).toBe(false);
  expect(expected([a(failed), b(failed)], entry('AUTH-2.a'), entry('AUTH-2.b'))).toBe(true);
  expect(expected([a(failed), b()], entry('AUTH-2', { expires: '2026-06-14' }))).toBe(false);
  expect(expected([a(failed), b()])).toBe(false);
});

describe('what fails a run', () => {
  const conclude = (entries: readonly ListedFailure[], checks: readonly CheckResult[]) => {
    const hasFailed = checks.some(({ outcome }) => outcome.kind === 'failed');
    const status = hasFailed ? 'violated' : 'holds';
    const row = requirement('AUTH-2', { status });
    const rows = [{ ...row, expectedFailure: isExpectedFailure(row, checks, entries, DAY) }];
    const result = resultOf(rows, checks, { baseline: judged(entries, checks) });
    return { ...concludeVerdict(result), advice: baselineAdvice(result) };
  };

  test('a stale entry does, with the line to remove', () => {
    expect(conclude([entry('AUTH-2')], [a(), b()])).toEqual({
      verdict: 'violations',
      exitCode: 1,
      conclusion: '1 entry of the baseline must be removed: known.yaml:3 (AUTH-2 no longer fails).',
      advice: ['known.yaml:3: remove the line "- AUTH-2": AUTH-2 no longer fails'],
    });
  });

  test('an expired one does, whether anything still fails or not', () => {
    const expired = entry('AUTH-2', { expires: '2026-06-14', lastLine: 5 });
    const { exitCode, conclusion, advice } = conclude([expired], [a(), b()]);
    expect([exitCode, conclusion]).toEqual([
      1,
      '1 entry of the baseline must be removed: known.yaml:3-5 (AUTH-2 expired on 2026-06-14).',
    ]);
    expect(advice).toEqual([
      'known.yaml:3-5: remove the entry "- AUTH-2": it expired on 2026-06-14, and AUTH-2 no longer fails',
    ]);
    const still = conclude([expired], [a(failed), b()]);
    expect(still).toMatchObject({ exitCode: 1, conclusion: expect.stringContaining('Does not conform') });
    expect(still.advice).toEqual([
      'known.yaml:3-5: remove the entry "- AUTH-2": it expired on 2026-06-14, and AUTH-2 still fails: fix it, or give it a later date',
    ]);
  });

  test('an entry that counts, or that the run has not judged, does not', () => {
    const conforms = { exitCode: 0, advice: [] };
    expect(conclude([entry('AUTH-2')], [a(failed), b()])).toMatchObject(conforms);
    expect(conclude([entry('AUTH-2')], [a()])).toMatchObject(conforms);
  });
});

test('expected failures are told with their reason and last day', () => {
  const entries = [entry('AUTH-2.a', { reason: 'Ticket 7', expires: DAY }), entry('AUTH-2.b')];
  expect(expectedTexts(judged(entries, [a(failed), b(failed)]))).toEqual([
    `AUTH-2.a (Ticket 7, until ${DAY})`,
    'AUTH-2.b',
  ]);
});
