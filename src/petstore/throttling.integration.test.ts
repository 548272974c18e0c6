import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { findVariant, startReference } from '../reference/index.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

/** Runs some checks against a variant, in time enough for any machine. */
async function judged(name: string, chosen: RegExp) {
  const service = await startReference({ token: KEY, variants: [findVariant(name)].flatMap((one) => one ?? []) });
  // A tenth of it is waited for what is locked out.
  const maxTimeMs = 100_000;
  const timing = { latencyMs: 1, maxTimeMs, isChosen: false };
  const plan = testPlan(service.baseUrl, { profile: 'smoke', maxTimeMs, timing, today: '2027-01-01' });
  const { checks, telemetry } = await judge(
    CHECKS.filter(({ id }) => chosen.test(id)),
    plan,
  );
  await service.stop();
  const outcomes = checks.map(({ result }) => ({ id: result.id, ...result.outcome }));
  const codes = outcomes.flatMap((one) => (one.kind === 'inconclusive' && !one.byOption ? [one.code] : []));
  return { outcomes, codes: new Set(codes), telemetry };
}

test.concurrent('a service that locks wrong keys out is judged by what it answers, and nothing waits for the rest', async () => {
  const { outcomes, codes, telemetry } = await judged('locks-out-wrong-keys', /^(AUTH-|GET-2|LIST-1)/);
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['passed', 'inconclusive']));
  // Had a lockout of a minute been waited for, its keys would have been answered, or the plan narrowed.
  expect([...codes].filter((code) => code !== 'nothing-to-judge')).toEqual(['locked-out']);
  expect(outcomes.filter(({ kind }) => kind === 'inconclusive').length).toBeLessThan(25);
  expect(outcomes.filter(({ id }) => /^AUTH-[234]\.listPets$/.test(id))).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'passed' })]),
  );
  expect(telemetry.throttled).toBeLessThan(200);
  expect(telemetry.remarks).toEqual([
    expect.stringMatching(
      /^The service answers further requests without the right key with 429.* \d+ of \d+ for AUTH-/,
    ),
  ]);
});

test.concurrent('a service that refuses every seventh request at any rate leaves nothing unjudged', async () => {
  const { outcomes, codes, telemetry } = await judged('throttled-every-seventh', /^GET-1$/);
  expect(new Set(outcomes.map(({ kind }) => kind)).has('failed')).toBe(false);
  expect([...codes].filter((code) => code !== 'nothing-to-judge')).toEqual([]);
  expect(telemetry.throttled).toBeGreaterThan(5);
  expect(telemetry.remarks).toEqual([]);
});
