import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { judgeBy, recordingReference, testPlan } from './rig.fixture.ts';

test('of a dozen animals of others, each is fetched, half of them at first and the others at last', async () => {
  const service = await recordingReference({ seedAnimals: 12 });
  const checks = CHECKS.filter(({ requirement, recalls }) => requirement === 'RES-9' && !recalls);
  const judged = await judgeBy(checks, testPlan(service.baseUrl));
  await service.stop();
  expect(judged.map(({ result: { outcome } }) => outcome.kind)).toEqual(checks.map(() => 'passed'));
  const fetched = service.requests.flatMap(({ path }) => /\/pets\/([0-9]+)$/.exec(path)?.[1] ?? []);
  const others = Array.from({ length: 12 }, (_, at) => `${at + 1}`);
  expect(others.filter((id) => !fetched.includes(id))).toEqual([]);
});
