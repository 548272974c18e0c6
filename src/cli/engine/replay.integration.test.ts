import { expect, test } from 'vitest';
import { findFault, startReference } from '../../reference/index.ts';
import { KEY, optionsFor } from '../../run/service.fixture.ts';
import { conformance } from './conformance.ts';
import { replay } from './replay.ts';

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

test.each(['trailing-comma-accepted', 'created-says-sent-name', 'name-trimmed'])(
  '%s still fails on the service that has it, and passes on one that has not',
  async (fault) => {
    const failures = await recorded(fault);
    expect(await endOn([fault], failures)).toEqual({ end: ['still fails'], exitCode: 1 });
    expect(await endOn([], failures)).toEqual({ end: ['passes'], exitCode: 0 });
  },
);

test('what depends on the collection is shown by a run', async () => {
  const failures = await recorded('limit-7-gives-8');
  expect(await endOn(['limit-7-gives-8'], failures)).toEqual({
    end: ['still fails, with another request'],
    exitCode: 1,
  });
  expect(await endOn([], failures)).toEqual({ end: ['passes'], exitCode: 0 });
});

test('what fails at times has not failed this time, which is no verdict', async () => {
  const [failure] = await recorded('trailing-comma-accepted');
  const failures = [{ file: 'failures/1.json', content: { ...failure?.content, isIntermittent: true } }];
  expect(await endOn([], failures)).toEqual({ end: ['did not fail this time'], exitCode: 3 });
});

test.each([
  ['--read-only', { readOnly: true }, 0],
  ['--max-creates 5', { maxCreates: 5 }, 5],
] as const)('a replay keeps to %s', async (_, options, most) => {
  const failures = await recorded('created-says-sent-name');
  await withFaults(['created-says-sent-name'], async (baseUrl) => {
    const { result } = await replay(failures, optionsFor(baseUrl, options));
    expect(result.summary.creations).toBeLessThanOrEqual(most);
  });
});

test('what a replay creates is reported', async () => {
  const failures = await recorded('trailing-comma-accepted');
  await withFaults(['trailing-comma-accepted'], async (baseUrl) => {
    const created: string[] = [];
    const { result } = await replay(failures, { ...optionsFor(baseUrl), onCreated: ({ name }) => created.push(name) });
    expect(created).toHaveLength(result.summary.creations);
    expect(created.every((name) => name.startsWith('conformance '))).toBe(true);
  });
});

test('what cannot be tested does not pass', async () => {
  const failures = await recorded('created-says-sent-name');
  expect(await endOn(['always-401'], failures)).toEqual({ end: ['not tested'], exitCode: 3 });
});

test.each([
  ['its format is not', { format: 'something else' }],
  ['must have required property', { format: 'petstore-conformance-replay/4' }],
  ['is not a request to this service', { target: '.example/pets' }],
  ['is not a request to this service', { operation: 'createPet' }],
])('a file is not a recorded failure: %s', async (says, change) => {
  const exchange = { names: {}, order: {}, connection: 1, sentAt: 0 };
  const call = { operation: 'listPets', method: 'GET', target: '/pets', headers: [], ...change };
  const content = {
    ...{ format: 'petstore-conformance-replay/4', key: 'k', says: 's', requirements: [], isIntermittent: false },
    run: {
      ...{ seed: 1, profile: 'standard', only: [], skip: [], concurrency: 16, settleMs: 0, categories: [] },
      today: '2027-01-01',
    },
    calls: [],
    exchanges: [{ ...exchange, call }],
  };
  const failures = [{ file: 'x.json', content: 'format' in change ? change : content }];
  await expect(replay(failures, optionsFor('http://127.0.0.1:9/v1'))).rejects.toThrow(says);
});
