import { expect, test } from 'vitest';
import { conformance } from './conformance.ts';
import { findFault, findVariant, startReference } from './reference/index.ts';
import { replay } from './replay.ts';
import { KEY, optionsFor } from './service.fixture.ts';

/** The reference service with faults, for as long as some work takes. */
async function withFaults<T>(names: readonly string[], work: (baseUrl: string) => Promise<T>): Promise<T> {
  const faults = names.flatMap((name) => findFault(name) ?? []);
  const { baseUrl, stop } = await startReference({ token: KEY, faults });
  return work(baseUrl).finally(stop);
}

/** What a run with a fault has recorded of its first finding. */
const recorded = (fault: string) =>
  withFaults([fault], async (baseUrl) => {
    const { replays } = await conformance(optionsFor(baseUrl, { profile: 'standard' }));
    return replays.slice(0, 1).map(({ file, content }) => ({ file, content: JSON.parse(JSON.stringify(content)) }));
  });

const endOn = (faults: readonly string[], failures: Awaited<ReturnType<typeof recorded>>) =>
  withFaults(faults, async (baseUrl) => {
    const { result } = await replay(failures, optionsFor(baseUrl));
    return { end: result.replays?.map(({ end }) => end), exitCode: result.exitCode };
  });

test.each(['limit-7-gives-8', 'trailing-comma-accepted', 'created-says-sent-name', 'name-trimmed'])(
  '%s still fails on the service that has it, and is fixed on one that has not',
  async (fault) => {
    const failures = await recorded(fault);
    expect(await endOn([fault], failures)).toEqual({ end: ['still fails'], exitCode: 1 });
    expect(await endOn([], failures)).toEqual({ end: ['fixed'], exitCode: 0 });
  },
);

test('what a replay creates is reported', async () => {
  const failures = await recorded('trailing-comma-accepted');
  await withFaults(['trailing-comma-accepted'], async (baseUrl) => {
    const created: string[] = [];
    const { result } = await replay(failures, { ...optionsFor(baseUrl), onCreated: ({ name }) => created.push(name) });
    expect(created).toHaveLength(result.summary.creations);
    expect(created.every((name) => name.startsWith('conformance '))).toBe(true);
  });
});

test('an effect is looked for on every page; where all that may show it are full, nothing is said', async () => {
  const fault = findFault('nearly-right-key-animal-added');
  const oldestFirst = findVariant('oldest-first');
  const { baseUrl, stop } = await startReference({
    token: KEY,
    faults: fault === undefined ? [] : [fault],
    variants: oldestFirst === undefined ? [] : [oldestFirst],
  });
  const { replays } = await conformance(optionsFor(baseUrl, { profile: 'standard' }));
  const failures = replays.map(({ file, content }) => ({ file, content: JSON.parse(JSON.stringify(content)) }));
  const { result } = await replay(failures, optionsFor(baseUrl)).finally(stop);
  expect(result.replays).toMatchObject([{ end: 'not tested', reason: expect.stringContaining('the pages are full') }]);
  expect(await endOn([], failures)).toEqual({ end: ['fixed'], exitCode: 0 });
});

test('where what it builds on fails, it is not tested', async () => {
  const failures = await recorded('created-says-sent-name');
  expect(await endOn(['created-answered-200'], failures)).toEqual({ end: ['not tested'], exitCode: 3 });
});

test.each([
  [{ kind: 'another kind' }, 'its request now means something else, as an animal was added or removed'],
  [{ atOnce: true }, 'it failed with concurrent requests'],
])('what cannot be built again is not fixed: %o', async (more, reason) => {
  const [failure] = await recorded('limit-7-gives-8');
  if (failure === undefined) throw new Error('no finding');
  const changed = [{ ...failure, content: { ...failure.content, ...more } }];
  await withFaults([], async (baseUrl) => {
    const { result } = await replay(changed, optionsFor(baseUrl));
    expect(result.replays).toMatchObject([{ end: 'not tested', reason }]);
    expect(result.summary.creations).toBeGreaterThan(0);
  });
});

test.each([
  ['its format is not', { format: 'something else' }],
  ['must have required property', { format: 'petstore-conformance-replay/2' }],
  ['is not a request to this service', { target: '.example/pets' }],
  ['is not a request to this service', { operation: 'createPet' }],
])('a file is not a recorded failure: %s', async (says, change) => {
  const exchange = { names: {}, quiet: true, connection: 1, sentAt: 0 };
  const call = { operation: 'listPets', method: 'GET', target: '/pets', headers: [], ...change };
  const content = {
    ...{ format: 'petstore-conformance-replay/2', key: 'k', says: 's', requirements: [], kind: 'valid', atOnce: false },
    ...{ animals: 0, terms: { today: '2027-01-01', settleMs: 0, categories: [] }, exchanges: [{ ...exchange, call }] },
  };
  const failures = [{ file: 'x.json', content: 'format' in change ? change : content }];
  await expect(replay(failures, optionsFor('http://127.0.0.1:9/v1'))).rejects.toThrow(says);
});
