import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { requestsOf } from '../engine/effort.ts';
import { startReference } from '../reference/index.ts';
import { petStore } from './definition.ts';
import { judge, KEY, testPlan } from './rig.fixture.ts';

/** An estimate that is off by no more than this share tells a user what to expect. */
const TOLERANCE = 0.25;

test.each(['smoke', 'standard'] as const)('what a %s run sends is known about beforehand', async (profile) => {
  const service = await startReference({ token: KEY });
  const plan = testPlan(service.baseUrl, { profile, seed: 1, today: '2027-01-01' });
  const { telemetry } = await judge(CHECKS, plan);
  await service.stop();
  const effort = petStore().effort?.(plan.seed);
  if (effort === undefined) throw new Error('nothing is known of the requests');
  const planned = CHECKS.map(({ id, requirement, phase, repeats = false, requests = {} }) => ({
    id,
    requirement,
    phase,
    repeats,
    requests,
  }));
  const estimate = requestsOf(effort, planned, profile);
  expect(Math.abs(estimate / telemetry.requests - 1)).toBeLessThan(TOLERANCE);
});
