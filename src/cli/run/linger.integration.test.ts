/** What a run sees of animals that change, or go, some time after they were added. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { override, type StepsChange } from '../../reference/changes.ts';
import type { Pet } from '../../reference/collection.ts';
import type { Service } from '../../reference/steps.ts';
import { FakeSignals, quickOptions, resultIn, runHere, serviceWith, violatedIn } from './run-in-process.fixture.ts';

/** So long after its addition (ms), something becomes of an animal; and so old the first ones are at the last look. */
const LATE_MS = 400;
const LINGER_MS = 1_600;

const started = async (change?: StepsChange): Promise<string> => (await serviceWith([], {}, change)).baseUrl;

/** Does something to each animal some time after it was added. */
const later = (act: (pet: Pet, service: Service) => void): StepsChange =>
  override('store', (original) => (pet, call) => {
    original(pet, call);
    void call.service.pause(LATE_MS).then(() => act(pet, call.service));
  });

/** Those that look back, and those that own what they find. */
const only = ['GET-4.later', 'SERV-1', 'SERV-1.later', 'RES-9'];

async function violated(change: StepsChange): Promise<readonly string[]> {
  const { dir } = await runHere(quickOptions(await started(change), { only, lingerMs: LINGER_MS, settleMs: 100 }));
  return violatedIn(resultIn(dir));
}

test('a service that forgets its animals is flagged', async () => {
  expect(await violated(later(({ id }, { collection }) => collection.remove(id)))).toEqual(['SERV-1', 'GET-4']);
});

test('so is a job that rewrites them, by a replay too', async () => {
  const rewrites = later((pet, { collection }) => collection.add({ ...pet, categoryId: pet.categoryId + 1n }));
  const baseUrl = await started(rewrites);
  const { dir } = await runHere(quickOptions(baseUrl, { only: ['SERV-1.later', 'RES-9'], lingerMs: LINGER_MS }));
  expect(violatedIn(resultIn(dir))).toEqual(['RES-9']);
  const replayed = await runHere(quickOptions(baseUrl, { replay: join(dir, 'failures', 'RES-9.json') }));
  expect(resultIn(replayed.dir).replay?.end).toBe('still so');
});

test('animals of others may change and go', async () => {
  const changesOthers = later((_, { collection }) => {
    const [first, second] = collection.oldestFirst(undefined);
    if (second === undefined || second.id > 5n) return;
    collection.add({ ...second, categoryId: 9n });
    if (first !== undefined) collection.remove(first.id);
  });
  expect(await violated(changesOthers)).toEqual([]);
});

test('the run looks twice: when a quarter of that time has passed, and at its end', async () => {
  const lists: number[] = [];
  let firstAdded = Number.POSITIVE_INFINITY;
  const baseUrl = await started((steps) => ({
    ...steps,
    store: (pet, call) => {
      firstAdded = Math.min(firstAdded, performance.now());
      steps.store(pet, call);
    },
    listPets: (call) => {
      lists.push(performance.now() - firstAdded);
      return steps.listPets(call);
    },
  }));
  await runHere(quickOptions(baseUrl, { only: ['SERV-1.later'], lingerMs: LINGER_MS }));
  expect(lists.filter((age) => age >= LINGER_MS / 4 && age < LINGER_MS).length).toBeGreaterThanOrEqual(4);
  expect(lists.filter((age) => age >= LINGER_MS).length).toBeGreaterThanOrEqual(4);
});

test('a wait takes no more than its share of --max-time, and is told', async () => {
  const options = quickOptions(await started(), { only, lingerMs: 3_600_000, maxTimeMs: 5_000, output: 'normal' });
  const { code, dir, stderr } = await runHere(options);
  expect(code).toBe(0);
  expect(stderr).toMatch(/Waits until what was added first is \d\.\d s old, to look at it again \(--linger\)/);
  const [note] = resultIn(dir).notes;
  expect(note).toMatch(/^Narrowed to fit --max-time 5: looked again 59 min \d+ s earlier than --linger says\.$/);
});

test('Ctrl-C ends a wait', async () => {
  const signals = new FakeSignals();
  const service = await serviceWith();
  const running = runHere(quickOptions(service.baseUrl, { only: ['SERV-1.later'], lingerMs: 3_600_000 }), signals);
  // The first animal is there, and the look before it.
  await expect.poll(() => service.requests.some(({ method }) => method === 'POST')).toBe(true);
  signals.send('SIGINT');
  expect((await running).code).toBe(130);
});
