import { expect, test } from 'vitest';
import { FAULTS, VARIANTS } from '../../reference/index.ts';
import { inOrder } from './order.ts';
import { tryAll } from './queue.ts';

test('a job that breaks its worker is a fault of the suite, and the next job gets another worker', async () => {
  const heard: string[] = [];
  const trials = await tryAll(
    [
      { kind: 'fault', name: 'no-such-fault', seed: 1 },
      { kind: 'fault', name: 'limit-7-gives-8', seed: 1, checks: ['LIST-2'] },
    ],
    { workers: 1, onTrial: ({ name }) => heard.push(name) },
  );
  expect(trials).toMatchObject([
    { name: 'no-such-fault', exitCode: 2, suiteFaults: [expect.stringContaining('there is no fault of the name')] },
    { name: 'limit-7-gives-8', exitCode: 1, suiteFaults: [], failed: [{ check: 'LIST-2' }] },
  ]);
  expect(heard).toEqual(['no-such-fault', 'limit-7-gives-8']);
});

test('every fault and every variant is a job once, and the slow ones come first', () => {
  const jobs = inOrder({ faults: FAULTS, variants: VARIANTS }, 1);
  expect(new Set(jobs.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(FAULTS.length + VARIANTS.length);
  expect(jobs[0]?.name).toBe(VARIANTS.find(({ chooses }) => ['SERV-5', 'LIM-3', 'LIST-13'].includes(chooses))?.name);
});
