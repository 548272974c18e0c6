import { describe, expect, test } from 'vitest';
import type { RateLimit } from '../http/options.ts';
import type { Profile } from '../report/model/result.ts';
import { defineCheck } from './check.ts';
import { Effort, Forecast, type PlannedCheck } from './forecast.ts';
import { InconclusiveError } from './outcome-errors.ts';
import { PaceMeter } from './pace-meter.ts';
import { toyPlan } from './toy-service.fixture.ts';

/** A check with no rows, which is planned by the requests that it names. */
const planned = (id: string, requests: PlannedCheck['requests'], stage: PlannedCheck['stage'] = 'growing') =>
  defineCheck<never, never, never>(id, id, { requests, stage });

const CHECKS = [
  planned('A-1', { smoke: 97, standard: 297 }),
  planned('B-1', { smoke: 500, standard: 1_697, thorough: 9_750 }),
];
/** It looks back on what the run has added. */
const LATER = defineCheck<never, never, never>('A-1.later', 'A-1.later', { stage: 'aged', looksBack: true });

interface Given {
  readonly seconds?: number;
  readonly rateLimit?: RateLimit;
  readonly latencyMs?: number;
  readonly isChosen?: boolean;
  readonly lingerMs?: number;
  readonly profile?: Profile;
  readonly checks?: readonly PlannedCheck[];
  readonly shared?: number;
  readonly sent?: number;
}

const TEN_A_SECOND: RateLimit = { kind: 'fixed', perSecond: 10 };

function forecastOf(given: Given) {
  const { seconds = 3_000, rateLimit = { kind: 'none' }, latencyMs = 1, isChosen = true, lingerMs = 0 } = given;
  const said: string[] = [];
  const clock = { now: 0 };
  const perSecond = rateLimit.kind === 'fixed' ? rateLimit.perSecond : Number.POSITIVE_INFINITY;
  const meter = new PaceMeter({ latencyMs, perSecond, concurrency: 10 });
  const maxTimeMs = seconds * 1_000;
  const timing = { latencyMs, maxTimeMs, isChosen };
  const { profile = 'standard', checks = CHECKS, shared = 0, sent = 0 } = given;
  const forecast = new Forecast({
    effort: new Effort(1, shared),
    plan: { ...toyPlan('http://127.0.0.1:1/v1', []), profile, maxTimeMs, lingerMs, timing },
    checks,
    meter,
    sent: () => ({ all: sent, shared: 0 }),
    say: (news) => said.push(news),
    now: () => clock.now,
  });
  /** Responses at these intervals (ms), of which every fourth comes after a refusal or a break. */
  const respond = (usually: number, everyFourth: number, refusals: (at: number) => number): void => {
    for (let at = 0; at < 100; at += 1) {
      clock.now += at % 4 === 0 ? everyFourth : usually;
      meter.note(2, clock.now, refusals(at));
      forecast.answered();
    }
  };
  return { forecast, said, clock, respond };
}

test('the forecast of a quick run is not worth a word', () => {
  const { forecast, said } = forecastOf({ seconds: 300 });
  forecast.plan();
  expect([said, forecast.profile, forecast.remark]).toEqual([[], 'standard', undefined]);
});

test.each<[string, Given, string]>([
  [
    'a rate limit',
    { rateLimit: TEN_A_SECOND },
    'Takes about 3 min (2,000 requests at 10 per second); --profile smoke takes about 60 s',
  ],
  [
    'slow responses',
    { latencyMs: 900 },
    'Takes about 3 min (2,000 requests at 900 ms per response); --profile smoke takes about 55 s',
  ],
  [
    'a wait for what was added to age',
    { lingerMs: 40_000, checks: [...CHECKS, LATER] },
    'Takes about 40 s (2,003 requests, and looks again after 40.0 s: --linger); --profile smoke takes about 5 s',
  ],
])('%s that makes a run long is said once at the start, with what takes less', (_what, given, expected) => {
  const { forecast, said } = forecastOf(given);
  forecast.plan();
  forecast.plan();
  expect(said).toEqual([expected]);
});

test('a wait takes no more than a part of the time that is left', () => {
  const { forecast, clock } = forecastOf({ seconds: 60, lingerMs: 40_000, checks: [...CHECKS, LATER] });
  clock.now = 10_000;
  expect([forecast.outlook.leftMs, forecast.allowedOf(20_000), forecast.remark]).toEqual([30_000, 20_000, undefined]);
  expect(forecast.allowedOf(30_000)).toBe(25_000);
  expect(forecast.remark).toBe('Narrowed to fit --max-time 60: looked again 5.0 s earlier than --linger says.');
});

const A_LIMIT =
  'The service limits the rate: about 5 min more (1,500 requests at 5 per second); --profile smoke takes about 2 min';

test.each<[string, number, number, (at: number) => number, readonly string[]]>([
  ['a rate limit that is met is said once', 200, 200, () => 1, [A_LIMIT]],
  ['times in which the run had nothing to send say nothing of the rate', 5, 5_000, () => 1, []],
  [
    'a pause that the service asks for counts',
    5,
    5_000,
    (at) => 1 + Math.floor(at / 4),
    ['The service limits the rate'],
  ],
])('%s', (_what, usually, everyFourth, refusals, expected) => {
  const { forecast, said, respond } = forecastOf({ sent: 500 });
  forecast.plan();
  respond(usually, everyFourth, refusals);
  expect(said).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('what the time does not allow is left out, which is no choice of the user', () => {
  const { forecast, said } = forecastOf({ seconds: 60, rateLimit: TEN_A_SECOND });
  forecast.plan();
  const what = 'Narrowed to fit --max-time 60: request spaces as in --profile smoke, without 1 check';
  expect(said.at(-1)).toBe(what);
  expect([forecast.profile, forecast.remark]).toEqual(['smoke', `${what} (B-1).`]);
  expect(() => forecast.begin('A-1')).not.toThrow();
  expect(() => forecast.begin('B-1')).toThrow(InconclusiveError);
  const reason = expect.stringMatching(/^--max-time 60 was too short; raise/);
  expect(() => forecast.begin('B-1')).toThrow(
    expect.objectContaining({ code: 'left-out', byOption: false, message: reason }),
  );
});

test('a limit that nobody has set is named as the default that it is', () => {
  const { forecast, said } = forecastOf({ seconds: 60, rateLimit: TEN_A_SECOND, isChosen: false });
  forecast.plan();
  expect(said.at(-1)).toMatch(/^Narrowed to fit the default time limit of 60 s \(--max-time\): /);
});

test('what is left is forecast by what was sent, at the pace that is known', () => {
  const { forecast } = forecastOf({ rateLimit: TEN_A_SECOND, sent: 500 });
  expect(forecast.outlook).toEqual({ requests: 2_000, left: 1_500, leftMs: 150_000 });
  expect(forecastOf({ sent: 500 }).forecast.outlook.leftMs).toBeLessThan(10_000);
});

describe('of what checks send, what finds least is left out first', () => {
  const FOUR = [
    planned('A-1', { smoke: 7, standard: 26 }),
    planned('A-1.later', { standard: 7 }, 'alone'),
    planned('B-1', { smoke: 20, standard: 52 }),
    { ...planned('B-1.often', { standard: 100 }, 'alone'), repeats: true },
  ];

  const cut = (seconds: number, begun: readonly string[] = []) => {
    const { forecast } = forecastOf({ seconds, rateLimit: TEN_A_SECOND, checks: FOUR, shared: 30 });
    for (const id of begun) forecast.begin(id);
    forecast.plan();
    const [ids] = forecast.remark?.match(/(?<=\().*(?=\))/) ?? [];
    return [forecast.profile, ...(ids?.split(', ') ?? [])];
  };

  test.each([
    ['nothing, where it fits', 33, ['standard']],
    ['first what only repeats', 19, ['standard', 'B-1.often']],
    ['then the width of the spaces', 10, ['smoke', 'B-1.often']],
    ['then further checks of a requirement', 9.1, ['smoke', 'B-1.often', 'A-1.later']],
    ['then requirements, those that send most first', 6, ['smoke', 'B-1.often', 'A-1.later', 'B-1']],
    ['and everything, where there is no time', 0, ['smoke', 'B-1.often', 'A-1.later', 'B-1', 'A-1']],
  ])('%s', (_what, seconds, expected) => {
    expect(cut(seconds)).toEqual(expected);
  });

  test('a further check counts as such where the first one has run', () => {
    expect(cut(7.5, ['A-1', 'B-1.often'])).toEqual(['smoke', 'A-1.later']);
  });
});
