/** Who is blamed for animals that were added for their number alone, and that the checks which need them go on. */
import { afterEach, expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { fault, override } from '../reference/changes.ts';
import { invalidBody } from '../reference/errors.ts';
import { type RunningReference, startReference } from '../reference/index.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

const services: RunningReference[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
});

const NEEDING_A_PAGE = ['LIST-2', 'LIST-3', 'LIST-9'];

/** What becomes of the checks of a service that refuses some bodies: the ids of those that did not pass. */
async function notPassed(refuses: (text: string) => boolean): Promise<readonly string[]> {
  const refusing = fault(
    'refuses-some',
    'CREATE-1',
    'Refuses some bodies.',
    override('parseBody', (usual) => (text, call) => {
      if (refuses(text)) throw invalidBody('Not these.');
      return usual(text, call);
    }),
  );
  const service = await startReference({ token: KEY, faults: [refusing] });
  services.push(service);
  const ids = [...NEEDING_A_PAGE, 'RES-6', 'RES-7', 'CREATE-1'];
  const judged = await judgeBy(
    CHECKS.filter(({ id }) => ids.includes(id)),
    testPlan(service.baseUrl),
  );
  return judged
    .filter(({ result }) => result.outcome.kind !== 'passed')
    .map(({ result }) => `${result.id} ${result.outcome.kind}`);
}

test('a name that is refused is the fault of RES-6 alone', async () => {
  expect(await notPassed((text) => text.includes('"name":"con"'))).toEqual(['RES-6 failed']);
});

test('a category that is refused is the fault of RES-7 alone', async () => {
  expect(await notPassed((text) => /"categoryId":-10{4,}\b/.test(text))).toEqual(['RES-7 failed']);
});

test('an animal that is refused, and accepted later, is the fault of CREATE-1 alone', async () => {
  let refused = 0;
  const refuses = (text: string): boolean => {
    if (!text.includes('"name":"con"') || refused > 0) return false;
    refused += 1;
    return true;
  };
  expect(await notPassed(refuses)).toEqual(['CREATE-1 failed']);
  expect(refused).toBe(1);
});
