/** What pages without a limit and with the default one say where others come and go. */
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { fault, override } from '../reference/changes.ts';
import { startReference } from '../reference/index.ts';
import type { Call } from '../reference/steps.ts';
import { judgeBy, KEY, testPlan } from './rig.fixture.ts';

/** How LIST-4.few ends on a service of which some lists lack an animal. */
async function ending(lacksOne: (call: Call, turn: number) => boolean): Promise<string | undefined> {
  let lists = 0;
  const changing = fault(
    'lacks-one',
    'LIST-4',
    'Some lists lack an animal.',
    override('selectPage', (usual) => (page, call) => {
      lists += 1;
      const shown = usual(page, call);
      return lacksOne(call, lists) ? shown.slice(1) : shown;
    }),
  );
  const service = await startReference({ token: KEY, faults: [changing] });
  try {
    const checks = CHECKS.filter(({ id }) => id === 'LIST-4.few');
    const [judged] = await judgeBy(checks, testPlan(service.baseUrl, { settleMs: 300 }));
    return judged?.result.outcome.kind;
  } finally {
    await service.stop();
  }
}

test('a page that is shorter with the default limit alone is wrong', async () => {
  expect(await ending(({ query }) => query.get('limit') === '20')).toBe('failed');
});

test('an animal that comes and goes by turns, as if it kept time with the lists, is not', async () => {
  expect(await ending((_, turn) => turn % 2 === 0)).not.toBe('failed');
});
