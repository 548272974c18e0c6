import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { judgeBy, recordingReference, testPlan } from './rig.fixture.ts';

/** Those that look for animals of the run's own by their names. */
const BY_NAME = CHECKS.filter(
  ({ requirement, recalls }) => ['RES-9', 'CREATE-9', 'AUTH-7', 'LIST-13'].includes(requirement) && !recalls,
);

test('a second run with the same seed takes none of the first one’s animals for its own', async () => {
  const service = await recordingReference();
  const plan = testPlan(service.baseUrl, { seed: 5 });
  const outcomes = [await judgeBy(BY_NAME, plan), await judgeBy(BY_NAME, { ...plan, runId: 'again' })].flat();
  await service.stop();
  expect(outcomes.map(({ result: { id, outcome } }) => [id, outcome])).toEqual(
    [...BY_NAME, ...BY_NAME].map(({ id }) => [id, { kind: 'passed' }]),
  );
});
