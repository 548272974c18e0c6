import { expect, test } from 'vitest';
import type { RateLimit } from '../http/options.ts';
import type { Profile } from '../report/model/result.ts';
import { defineCheck } from './check.ts';
import { type Effort, PaceMeter } from './effort.ts';
import { InconclusiveError } from './outcome-errors.ts';
import { RunTime } from './run-time.ts';
import { toyPlan } from './toy-service.fixture.ts';

const ROWS: Readonly<Record<Profile, Readonly<Record<string, number>>>> = {
  smoke: { 'A-1': 75, 'B-1': 382 },
  standard: { 'A-1': 228, 'B-1': 1_306 },
  thorough: { 'A-1': 2_500, 'B-1': 7_500 },
};
const EFFORT: Effort = { rowsOf: ({ id }, profile) => ROWS[profile][id] ?? 0, shared: 0 };
const CHECKS = ['A-1', 'B-1'].map((id) => defineCheck<never, never, never>(id, id, {}));

/** It looks back on what the run has added. */
const LOOKING_BACK = defineCheck<never, never, never>('A-1.later', 'A-1.later', { stage: 'aged', looksBack: true });

function runTime(seconds: number, rateLimit: RateLimit, latencyMs = 1, isChosen = true, lingerMs = 0) {
  const told: string[] = [];
  const clock = { now: 0 };
  const timing = { latencyMs, maxTimeMs: seconds * 1_000, isChosen };
  const plan = { ...toyPlan('http://127.0.0.1:1/v1', []), rateLimit, concurrency: 10, timing };
  const perSecond = rateLimit.kind === 'fixed' ? rateLimit.perSecond : Number.POSITIVE_INFINITY;
  const meter = new PaceMeter({ latencyMs, perSecond, concurrency: 10 });
  const time = new RunTime({
    effort: EFFORT,
    plan: { ...plan, profile: 'standard', maxTimeMs: seconds * 1_000, lingerMs },
    checks: lingerMs === 0 ? CHECKS : [...CHECKS, LOOKING_BACK],
    meter,
    sharedSent: () => 0,
    sent: () => 500,
    tell: (news) => told.push(news),
    now: () => clock.now,
  });
  const note = (refusals: number): void => {
    meter.note(2, clock.now, refusals);
    time.answered();
  };
  return { time, told, clock, note };
}

const none: RateLimit = { kind: 'none' };

test('of a quick service nothing is said', () => {
  const { time, told } = runTime(300, none);
  time.plan();
  expect(told).toEqual([]);
  expect([time.profile, time.remark]).toEqual(['standard', undefined]);
});

test('how long a rate limit makes a run is told at the start, and what takes less', () => {
  const { time, told } = runTime(3_000, { kind: 'fixed', perSecond: 10 });
  time.plan();
  time.plan();
  expect(told).toEqual(['Takes about 3 min (2,000 requests at 10 per second); --profile smoke takes about 65 s']);
});

test('so is how long slow answers make it', () => {
  const { time, told } = runTime(3_000, none, 900);
  time.plan();
  expect(told).toEqual(['Takes about 3 min (2,000 requests at 900 ms per response); --profile smoke takes about 60 s']);
});

test('a wait for what was added to age counts, but for what of it the time does not allow', () => {
  const { time, told, clock } = runTime(60, none, 1, true, 40_000);
  time.plan();
  const [says] = told;
  expect(says).toMatch(
    /^Takes about 45 s \(2,.* requests, and looks again after 40\.0 s: --linger\); --profile smoke /,
  );
  clock.now = 10_000;
  expect([time.outlook.leftMs, time.allowedOf(20_000), time.remark]).toEqual([30_000, 20_000, undefined]);
  expect(time.allowedOf(30_000)).toBe(25_000);
  expect(time.remark).toBe('Narrowed to fit --max-time 60: looked again 5.0 s earlier than --linger says.');
});

test('a rate limit that is met is told once', () => {
  const { time, told, clock, note } = runTime(3_000, none);
  time.plan();
  for (let at = 0; at < 100; at += 1) {
    clock.now += 200;
    note(1);
  }
  expect(told).toEqual([
    'The service limits the rate: about 5 min more (1,500 requests at 5 per second); --profile smoke takes about 2 min',
  ]);
});

test('times in which the run had nothing to send say nothing of the rate', () => {
  const { time, told, clock, note } = runTime(3_000, none);
  time.plan();
  for (let at = 0; at < 100; at += 1) {
    clock.now += at % 4 === 0 ? 5_000 : 5;
    note(1);
  }
  expect(told).toEqual([]);
});

test('a pause that the service asks for counts', () => {
  const { time, told, clock, note } = runTime(3_000, none);
  time.plan();
  for (let at = 0; at < 100; at += 1) {
    clock.now += at % 4 === 0 ? 5_000 : 5;
    note(1 + Math.floor(at / 4));
  }
  expect(told).toHaveLength(1);
});

test('what the time does not allow is left out, and told', () => {
  const { time, told } = runTime(60, { kind: 'fixed', perSecond: 10 });
  time.plan();
  expect(told.at(-1)).toBe('Narrowed to fit --max-time 60: request spaces as in --profile smoke, without 1 check');
  expect(time.profile).toBe('smoke');
  expect(() => time.begin('A-1')).not.toThrow();
  expect(() => time.begin('B-1')).toThrow(InconclusiveError);
  expect(() => time.begin('B-1')).toThrow(/^--max-time 60 was too short; raise/);
  expect(time.remark).toBe(
    'Narrowed to fit --max-time 60: request spaces as in --profile smoke, without 1 check (B-1).',
  );
});

test('what the time leaves out is no choice of the user, so that it counts against a verdict', () => {
  const { time } = runTime(60, { kind: 'fixed', perSecond: 10 });
  time.plan();
  expect(() => time.begin('B-1')).toThrow(expect.objectContaining({ code: 'left-out', byOption: false }));
});

test('a limit that nobody has set is told as the default that it is', () => {
  const { time, told } = runTime(60, { kind: 'fixed', perSecond: 10 }, 1, false);
  time.plan();
  expect(told.at(-1)).toMatch(/^Narrowed to fit the default time limit of 60 s \(--max-time\): /);
});

test('what is left is forecast by what was sent, at the pace that is known', () => {
  const { time } = runTime(3_000, { kind: 'fixed', perSecond: 10 });
  expect(time.outlook).toEqual({ requests: 2_000, left: 1_500, leftMs: 150_000 });
  expect(runTime(3_000, none).time.outlook.leftMs).toBeLessThan(10_000);
});
