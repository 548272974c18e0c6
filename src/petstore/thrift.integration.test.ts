import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { startReference } from '../reference/index.ts';
import type { Profile } from '../report/model/result.ts';
import { PET_STATUSES } from './contract-facts.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

/** What a run may send and add at most. */
const BUDGETS = [
  ['standard', 'a few animals', { animals: 5, requests: 1_600, creations: 230 }],
  ['standard', 'more animals than a page holds', { animals: 150, requests: 1_600, creations: 150 }],
  ['smoke', 'a few animals', { animals: 5, requests: 960, creations: 130 }],
  ['smoke', 'more animals than a page holds', { animals: 150, requests: 870, creations: 40 }],
] as const satisfies readonly (readonly [Profile, string, object])[];

test.each(BUDGETS)('a %s run is thrifty with a service that holds %s', async (profile, _, most) => {
  const service = await startReference({ token: KEY, seedAnimals: most.animals });
  try {
    const plan = testPlan(service.baseUrl, { profile, seed: 1729, maxTimeMs: 110_000 });
    const { telemetry } = await judge(CHECKS, plan);
    expect(telemetry.requests).toBeLessThanOrEqual(most.requests);
    expect(telemetry.creations).toBeLessThanOrEqual(most.creations);
  } finally {
    await service.stop();
  }
});

test('in the end, one of the status filters fills a page, and some animals match each', async () => {
  const service = await startReference({ token: KEY });
  try {
    await judge(CHECKS, testPlan(service.baseUrl, { seed: 1729, maxTimeMs: 110_000 }));
    const matching = PET_STATUSES.map(async (status) => {
      const headers = { Authorization: `Bearer ${KEY}` };
      const page: unknown = await (
        await fetch(`${service.baseUrl}/pets?limit=100&status=${status}`, { headers })
      ).json();
      return Array.isArray(page) ? page.length : 0;
    });
    const lengths = await Promise.all(matching);
    expect(Math.max(...lengths)).toBe(100);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(40);
  } finally {
    await service.stop();
  }
});
