import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { FAULTS, VARIANTS } from '../../reference/index.ts';
import { jobsFor, runTrials } from './queue.ts';
import type { Job } from './trial.ts';

test('a job that kills its worker is a failure of the suite, and the next job gets another worker', async () => {
  const progress = new PassThrough();
  const trials = await runTrials(
    [
      { kind: 'fault', name: 'no-such-fault', seed: 1 },
      { kind: 'fault', name: 'limit-7-gives-8', seed: 1, checks: ['LIST-2'] },
    ],
    { workers: 1, progress },
  );
  expect(trials).toMatchObject([
    { name: 'no-such-fault', exitCode: 2, suiteFaults: [expect.stringContaining('unknown fault: no-such-fault')] },
    { name: 'limit-7-gives-8', exitCode: 1, suiteFaults: [], failed: [{ check: 'LIST-2' }] },
  ]);
  const told = String(progress.read()).split('\r\u001b[K');
  expect(told).toEqual(['', '1 of 2 tried (no-such-fault)', '2 of 2 tried (limit-7-gives-8)', '']);
});

test('every fault and every variant is a job once, and the slow ones come first', () => {
  const jobs = jobsFor({ faults: FAULTS, variants: VARIANTS }, { seed: 1, profile: 'standard', areWhole: false });
  expect(new Set(jobs.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(FAULTS.length + VARIANTS.length);
  expect(jobs[0]?.name).toBe(VARIANTS.find(({ chooses }) => ['SERV-5', 'LIM-3', 'LIST-13'].includes(chooses))?.name);
});

test('some faults of each requirement are tried with all checks to the end, and all of them where that is asked for', () => {
  const isWhole = ({ kind, endsWhenFound }: Job) => kind === 'variant' || endsWhenFound === false;
  const wholeNames = new Set(
    jobsFor({ faults: FAULTS, variants: VARIANTS }, { seed: 1, profile: 'standard', areWhole: false })
      .filter(isWhole)
      .map(({ name }) => name),
  );
  for (const id of new Set(FAULTS.map(({ breaks }) => breaks))) {
    const names = FAULTS.flatMap(({ name, breaks }) => (breaks === id ? name : []));
    expect([id, names.filter((name) => wholeNames.has(name)).length]).toEqual([id, Math.ceil(names.length / 4)]);
  }
  expect(
    jobsFor({ faults: FAULTS, variants: VARIANTS }, { seed: 1, profile: 'standard', areWhole: true }).every(isWhole),
  ).toBe(true);
});
