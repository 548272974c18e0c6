import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { startReference } from '../reference/index.ts';
import type { Profile } from '../report/model/result.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

/** What a run may send and add at most; how much it needs depends a little on the seed. */
const BUDGETS = [
  ['standard', 'a few animals', { animals: 5, requests: 1_700, creations: 232 }],
  ['standard', 'more animals than a page holds', { animals: 150, requests: 1_620, creations: 155 }],
  ['smoke', 'a few animals', { animals: 5, requests: 910, creations: 195 }],
  ['smoke', 'more animals than a page holds', { animals: 150, requests: 830, creations: 110 }],
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
