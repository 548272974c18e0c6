import { describe, expect, test } from 'vitest';
import type { Profile } from '../report/model/result.ts';
import { type Effort, fitInto, forecast, type Pace, type PlannedCheck, requestsOf } from './effort.ts';

/** Rows of the checks; what a check takes beside them, and a row beside its request, comes on top. */
const ROWS: Readonly<Record<Profile, Readonly<Record<string, number>>>> = {
  smoke: { 'A-1': 5, 'B-1': 15 },
  standard: { 'A-1': 20, 'A-1.later': 5, 'B-1': 40 },
  thorough: { 'A-1': 300, 'A-1.later': 100, 'B-1': 500 },
};
const EFFORT: Effort = { rowsOf: ({ id }, profile) => ROWS[profile][id] ?? 0, shared: 30 };

const planned = (id: string, stage: PlannedCheck['stage'], repeats = false): PlannedCheck => ({
  id,
  requirement: id.split('.')[0] ?? id,
  stage,
  covers: [],
  repeats,
  looksBack: false,
  requests: repeats ? { standard: 100 } : {},
});
const CHECKS = [
  planned('A-1', 'growing'),
  planned('A-1.later', 'alone'),
  planned('B-1', 'growing'),
  planned('B-1.often', 'alone', true),
];
const tenASecond: Pace = { latencyMs: 1, perSecond: 10, concurrency: 32 };

test('requests are those of the rows, of the checks beside them, and of what they share', () => {
  expect(requestsOf(EFFORT, CHECKS, 'standard')).toBe(227);
  expect(requestsOf(EFFORT, CHECKS.slice(0, 1), 'standard')).toBe(54);
  expect(requestsOf(EFFORT, [], 'smoke')).toBe(0);
});

test('the time is that of the rate, or of the latency', () => {
  const byRate = forecast(EFFORT, CHECKS, 'standard', tenASecond, 0);
  expect(byRate.requests).toBe(227);
  expect(byRate.milliseconds).toBeCloseTo(25_200, -3);
  const slow = { latencyMs: 1_000, perSecond: Number.POSITIVE_INFINITY, concurrency: 10 };
  // Some one after the other, and 227 in tens.
  expect(forecast(EFFORT, CHECKS, 'standard', slow, 0).milliseconds).toBeCloseTo(32_300, -3);
  expect(forecast(EFFORT, CHECKS, 'standard', { ...slow, concurrency: 1 }, 0).milliseconds).toBeCloseTo(229_800, -3);
});

describe('what is left out', () => {
  const cut = (seconds: number, begun: readonly string[] = []) => {
    const checks = CHECKS.filter(({ id }) => !begun.includes(id));
    const planning = {
      effort: EFFORT,
      profile: 'standard',
      pace: tenASecond,
      begun: new Set(begun),
      sharedSent: 0,
    } as const;
    const { profile, leftOut } = fitInto({ ...planning, limitMs: seconds * 1_000, checks });
    return [profile, ...leftOut];
  };

  test.each([
    ['nothing, where it fits', 23, ['standard']],
    ['first what only repeats', 13, ['standard', 'B-1.often']],
    ['then the width of the spaces', 7, ['smoke', 'B-1.often']],
    ['then further checks of a requirement', 6.3, ['smoke', 'B-1.often', 'A-1.later']],
    ['then requirements, those that send most first', 4, ['smoke', 'B-1.often', 'A-1.later', 'B-1']],
    ['and everything, where there is no time', 0, ['smoke', 'B-1.often', 'A-1.later', 'B-1', 'A-1']],
  ])('%s', (_what, seconds, expected) => {
    expect(cut(seconds)).toEqual(expected);
  });

  test('a further check counts as such where the first one has run', () => {
    expect(cut(5, ['A-1', 'B-1.often'])).toEqual(['smoke', 'A-1.later']);
  });
});
