/** What pages without a limit and with the default one say where others come and go. */
import { expect, test } from 'vitest';
import { override } from '../reference/changes.ts';
import type { Call } from '../reference/steps.ts';
import { endingOf } from './rig.fixture.ts';

/** How LIST-4.few ends on a service of which some lists lack an animal. */
function ending(lacksOne: (call: Call, turn: number) => boolean): Promise<string | undefined> {
  let lists = 0;
  const change = override('selectPage', (usual) => (page, call) => {
    lists += 1;
    const shown = usual(page, call);
    return lacksOne(call, lists) ? shown.slice(1) : shown;
  });
  return endingOf('LIST-4.few', change);
}

test.concurrent('a page that is shorter with the default limit alone is wrong', async () => {
  expect(await ending(({ query }) => query.get('limit') === '20')).toBe('failed');
});

test.concurrent('an animal that comes and goes by turns, as if it kept time with the lists, is not', async () => {
  expect(await ending((_, turn) => turn % 2 === 0)).not.toBe('failed');
});

test.concurrent('nor is a page that is late while others add animals all the time', async () => {
  let lists = 0;
  const change = override('selectPage', (usual) => (page, call) => {
    lists += 1;
    const [animal] = usual({ limit: 1, status: undefined }, call);
    const late = call.query.has('limit') ? 2 : 0;
    const count = Math.min(page.limit, Math.floor(lists / 12) + late);
    return animal === undefined ? [] : Array.from({ length: count }, (_, at) => ({ ...animal, id: BigInt(at + 1) }));
  });
  expect(await endingOf('LIST-4.few', change)).not.toBe('failed');
});
