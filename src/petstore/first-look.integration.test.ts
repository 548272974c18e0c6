/** What the collection says of the animals of others, before anything is added. */
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { judgeBy, recordingServer, testPlan } from './rig.fixture.ts';

/** How LIST-7 ends on a service whose animals are given for each list of the run in turn; nothing may be added. */
async function ending(listed: (nth: number, isFiltered: boolean) => readonly object[]): Promise<string | undefined> {
  let nth = 0;
  const service = await recordingServer((incoming, outgoing) => {
    nth += 1;
    const isFiltered = incoming.url?.includes('status=sold') === true;
    const animals = incoming.url?.includes('status=') === true && !isFiltered ? [] : listed(nth, isFiltered);
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(animals));
  });
  try {
    const chosen = CHECKS.filter(({ id }) => id === 'LIST-7');
    const [judged] = await judgeBy(chosen, testPlan(service.baseUrl, { readOnly: true, maxCreates: 0 }));
    return judged?.result.outcome.kind;
  } finally {
    await service.stop();
  }
}

const REX = { id: 1, name: 'Rex', categoryId: 1 };
const SOLD = { ...REX, status: 'sold' };
/** The collection is first looked at by so many lists. */
const FIRST_LOOK = 11;

test('a filtered page that stays empty beside an animal that the list shows is a violation', async () => {
  expect(await ending((_, isFiltered) => (isFiltered ? [] : [SOLD]))).toBe('failed');
});

test.each<[string, Parameters<typeof ending>[0]]>([
  ['is so on a replica that lags', (nth, isFiltered) => (isFiltered && nth < FIRST_LOOK + 5 ? [] : [SOLD])],
  ['was changed since', (nth, isFiltered) => (isFiltered ? [] : [nth > FIRST_LOOK ? { ...REX, status: 'pending' } : SOLD])],
  ['is changed all the time', (nth, isFiltered) => (isFiltered ? [] : [{ ...SOLD, id: nth }])],
])('it is none where the animal %s', async (_what, listed) => {
  expect(await ending(listed)).toBe('inconclusive');
}); // biome-ignore format: one table
