import { describe, expect, test } from 'vitest';
import { type Effort, fitInto, forecast, type Pace, type PlannedCheck, requestsOf } from './effort.ts';

const profileOf = (checks: Readonly<Record<string, number>>) => ({ shared: 10, chain: 20, alone: 10, checks });

const EFFORT: Effort = {
  profiles: {
    smoke: profileOf({ 'A-1': 5, 'A-1.later': 10, 'B-1': 20, 'B-1.often': 0 }),
    standard: profileOf({ 'A-1': 30, 'A-1.later': 10, 'B-1': 50, 'B-1.often': 100 }),
    thorough: profileOf({ 'A-1': 300, 'A-1.later': 100, 'B-1': 500, 'B-1.often': 1_000 }),
  },
  sharedBy: { 'A-1': 2, 'A-1.later': 10 },
};

const planned = (id: string, phase: PlannedCheck['phase'], repeats = false): PlannedCheck => ({
  id,
  requirement: id.split('.')[0] ?? id,
  phase,
  repeats,
});
const CHECKS = [
  planned('A-1', 'main'),
  planned('A-1.later', 'quiet'),
  planned('B-1', 'main'),
  planned('B-1.often', 'quiet', true),
];
const tenASecond: Pace = { latencyMs: 1, perSecond: 10, concurrency: 32 };

test('requests are those of the checks, and of what they share', () => {
  expect(requestsOf(EFFORT, CHECKS, 'standard')).toBe(200);
  expect(requestsOf(EFFORT, CHECKS.slice(0, 1), 'standard')).toBe(32);
  expect(requestsOf(EFFORT, CHECKS.slice(0, 2), 'smoke')).toBe(25);
  expect(requestsOf(EFFORT, [], 'smoke')).toBe(0);
});

test('the time is that of the rate, or of the latency', () => {
  const byRate = forecast(EFFORT, CHECKS, 'standard', tenASecond);
  expect(byRate.requests).toBe(200);
  expect(byRate.milliseconds).toBeCloseTo(22_500, -3);
  const slow = { latencyMs: 1_000, perSecond: Number.POSITIVE_INFINITY, concurrency: 10 };
  // 11 one after the other, and 200 in tens.
  expect(forecast(EFFORT, CHECKS, 'standard', slow).milliseconds).toBeCloseTo(33_500, -3);
  expect(forecast(EFFORT, CHECKS, 'standard', { ...slow, concurrency: 1 }).milliseconds).toBeCloseTo(202_800, -3);
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
    ['nothing, where it fits', 20, ['standard']],
    ['first what only repeats', 11, ['standard', 'B-1.often']],
    ['then the width of the spaces', 9, ['smoke', 'B-1.often']],
    ['then further checks of a requirement', 3.5, ['smoke', 'B-1.often', 'A-1.later']],
    ['then requirements, those that send most first', 1, ['smoke', 'B-1.often', 'A-1.later', 'B-1']],
    ['and everything, where there is no time', 0, ['smoke', 'B-1.often', 'A-1.later', 'B-1', 'A-1']],
  ])('%s', (_what, seconds, expected) => {
    expect(cut(seconds)).toEqual(expected);
  });

  test('a further check counts as such where the first one has run', () => {
    expect(cut(3.5, ['A-1', 'B-1.often'])).toEqual(['smoke', 'A-1.later']);
  });
});
