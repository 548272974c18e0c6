import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { startReference } from '../reference/index.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

/** A whole smoke run sends about as many. */
const MOST_OF_SMOKE = 950;

test('what does not fit the time is left out beforehand, with its reason, and the rest is judged', async () => {
  const service = await startReference({ token: KEY });
  // The look at the target has found answers that take a second; so the plan does not depend on this machine.
  const timing = { latencyMs: 1_000, maxTimeMs: 110_000, isChosen: true };
  const plan = testPlan(service.baseUrl, { profile: 'standard', maxTimeMs: 110_000, timing, today: '2027-01-01' });
  const news: string[] = [];
  const { checks, telemetry } = await judge(CHECKS, plan, {
    onProgress: (progress) => {
      if (progress.news !== undefined) news.push(progress.news);
    },
  });
  await service.stop();
  const outcomes = checks.map(({ result }) => ({ id: result.id, ...result.outcome }));
  const leftOut = outcomes.filter((outcome) => outcome.kind === 'inconclusive' && outcome.code === 'left-out');
  expect(leftOut.map(({ id }) => id)).toEqual(expect.arrayContaining(['SERV-4.often', 'LIST-5.alone']));
  for (const outcome of leftOut) {
    expect(outcome).toMatchObject({
      byOption: false,
      reason: expect.stringMatching(/^--max-time 110 was too short; raise/),
    });
  }
  // Only further checks of what others judge are left out, and nothing is wrong because of it.
  expect(leftOut.filter(({ id }) => !id.includes('.'))).toEqual([]);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['passed', 'inconclusive', 'not applicable']));
  // A rule may be about answers that only a check brings which was left out.
  const codes = outcomes.flatMap((outcome) => (outcome.kind === 'inconclusive' ? [outcome.code] : []));
  expect(codes.filter((code) => code !== 'left-out' && code !== 'nothing-to-judge')).toEqual([]);
  // The others are those of the smoke profile.
  expect(telemetry.requests).toBeLessThan(MOST_OF_SMOKE);
  expect(telemetry.remarks).toEqual([
    expect.stringMatching(
      /^Narrowed to fit --max-time 110: request spaces as in --profile smoke, without \d+ checks \(SERV-4\.often, /,
    ),
  ]);
  expect(news[0]).toMatch(
    /^Takes about \d+ min \(1,\d+ requests at 1.0 s per response\); --profile smoke takes about \d+ (s|min)$/,
  );
  expect(news[1]).toMatch(/^Narrowed to fit --max-time 110: request spaces as in --profile smoke, without \d+ checks$/);
});
