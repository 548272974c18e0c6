import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { startReference } from '../reference/index.ts';
import type { Profile } from '../report/model/result.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

/** What a run may send and add at most. */
const BUDGETS = [
  ['standard', 'a few animals', { animals: 5, requests: 1_600, creations: 230 }],
  ['standard', 'more animals than a page holds', { animals: 150, requests: 1_600, creations: 150 }],
  ['smoke', 'a few animals', { animals: 5, requests: 830, creations: 130 }],
  ['smoke', 'more animals than a page holds', { animals: 150, requests: 740, creations: 40 }],
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
