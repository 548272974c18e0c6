import { expect, test, vi } from 'vitest';
import { networkTo } from '../http/rig.fixture.ts';
import { Collection } from '../known/collection.ts';
import { Recall } from '../known/recall.ts';
import { observe } from '../known/seen.ts';
import type { Call } from '../reading/call.ts';
import { create, get } from '../reading/call.ts';
import { filled } from '../reading/exchange.ts';
import type { Names } from '../reading/fill.ts';
import { textsOf } from '../reading/members.ts';
import { startReference } from '../reference/index.ts';
import type { Service, Steps } from '../reference/steps.ts';
import { isFromEarlierRun, isStillThere, isUnchanged, RECALL } from './remember.ts';
import type { Tools } from './script.ts';

const terms = { key: 'K-7', basePath: '/v1', agent: 't', categories: [], today: '2027-01-01', settleMs: 0 };

/** A run creates 30 animals; then something happens to them; what does the next run say? */
async function after(happens: (animals: Service['collection'], ids: readonly bigint[]) => void) {
  const shops: Service[] = [];
  const populate = (service: Service): void => void shops.push(service);
  const change = (steps: Steps): Steps => ({ ...steps, populate });
  const variants = [{ name: 'opened', says: '', chooses: '', change }];
  const reference = await startReference({ token: terms.key, variants });
  const network = networkTo(Number(new URL(reference.baseUrl).port));
  const found: string[] = [];
  let known = Object.assign(new Collection({ settleMs: 0, tag: 'abcde' }), { recall: new Recall([]) });
  const send = async (call: Call, names: Names) => {
    const made = filled(call, names, terms);
    if (made === undefined) throw new Error(`${call.target} cannot be filled in`);
    const sent = await network.lend((connection) => connection.send(made.request, ''));
    const seen = observe({ ...sent, ...made, number: 1, call, names }, 'unknown', false);
    const verdicts = [isFromEarlierRun(seen, known) && isStillThere(seen, known), isUnchanged(seen, known)];
    found.push(...verdicts.flatMap((one) => (typeof one === 'object' ? `${one.says} (${one.earlier?.length})` : [])));
    known.learn(seen);
    known.recall.learn(seen);
    return seen;
  };
  for (let row = 1000; row < 1030; row += 1) {
    const call = create(`{"name":"$NAME","categoryId":${row % 3 === 0 ? -1 : 7}}`);
    await send(call, { NAME: `conformance abcde ${row}` });
  }
  const createdAt = new Date().toISOString();
  const kept = known.ownAnimals.slice(0, 25).map((own) => ({ id: `${own.id}`, fields: textsOf(own), createdAt }));
  const ids = kept.map(({ id }) => BigInt(id));
  for (const { collection } of shops) happens(collection, ids);
  known = Object.assign(new Collection({ settleMs: 0, tag: 'vwxyz' }), { recall: new Recall(kept) });
  const together = vi.fn((calls: Parameters<Tools['together']>[0]) =>
    Promise.all(calls.map(({ call, id }) => send(call, { ID: `${id}` }))),
  );
  await RECALL.run({ known, together });
  // In another spelling it need not be found.
  await send(get(`0${ids[0]}`), {});
  await reference.stop();
  const sent = together.mock.calls.map(([calls]) => calls.length);
  return { found, sent, reset: known.recall.resetSentence };
}

test('animals are found again as their 201 showed them', async () => {
  const { found, sent, reset } = await after(() => {});
  expect([found, sent, reset]).toEqual([[], [25, 0], undefined]);
});

const RECORD = '^animal \\d+, which an earlier run created on \\S+ at \\d\\d:\\d\\d UTC as \\{"name":.*\\},';

test.each<[string, string, Parameters<typeof after>[0]]>([
  ['lost', 'is not found', (animals, [id = 0n]) => animals.remove(id)],
  [
    'changed',
    'now has the categoryId 99',
    (animals, [id = 0n]) => {
      const pet = animals.get(id);
      if (pet !== undefined) animals.add({ ...pet, categoryId: 99n });
    },
  ],
  ['replaced', 'now has the name "Rex"', (animals, [id = 0n]) => animals.add({ id, name: 'Rex', categoryId: 3n })],
])('%s is a violation, with one that was found beside it', async (_, says, happens) => {
  // biome-ignore format: a table
  const { found, reset, sent } = await after(happens);
  expect(found).toEqual([expect.stringMatching(`${RECORD} ${says} \\(2\\)$`)]);
  expect([reset, sent]).toEqual([undefined, [25, 1]]);
});

test('nearly all gone is a reset, and no violation', async () => {
  const { found, reset } = await after((animals, ids) => void ids.slice(2).map((id) => animals.remove(id)));
  expect(found).toEqual([]);
  expect(reset).toMatch(/^The collection was reset: 23 of 25 animals of an earlier run \(2.* UTC\) are gone\.$/);
});
