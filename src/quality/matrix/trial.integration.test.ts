import { expect, test, vi } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { loadContract } from '../../contract/contract.ts';
import { petStore } from '../../petstore/definition.ts';
import { FAULTS } from '../../reference/index.ts';
import { classify } from './classify.ts';
import { FACTS } from './matrix.fixture.ts';
import { type Job, runTrial } from './trial.ts';

const specification = { catalogue: petStore().loadCatalogue(), contract: await loadContract() };
/** Nothing hangs here, so a slow machine may take its time. */
const options = { requestTimeoutMs: 60_000, maxTimeMs: 500_000 };
vi.setConfig({ testTimeout: 600_000 });
const run = (job: Omit<Job, 'seed'>) => runTrial({ ...job, seed: 1, options }, specification);
const checksOf = (breaks: string): readonly string[] =>
  CHECKS.flatMap(({ id, requirement }) => (requirement === breaks ? id : []));

test('a fault is found by a check of the requirement that it breaks', async () => {
  const trial = await run({ kind: 'fault', name: 'name-trimmed', checks: checksOf('RES-6') });
  expect(trial.failed.map(({ requirement }) => requirement)).toContain('RES-6');
  expect(trial).toMatchObject({ exitCode: 1, suiteFaults: [] });
});

test('a run may end when the fault is found, with much less sent', async () => {
  const trial = await run({ kind: 'fault', name: 'limit-7-gives-8', endsWhenFound: true });
  expect(trial.failed.map(({ check }) => check)).toContain('LIST-2');
  expect(trial).toMatchObject({ exitCode: 1, isWhole: false, unjudged: [], suiteFaults: [] });
  const survived = await run({ kind: 'fault', name: 'limit-7-gives-8', endsWhenFound: true, checks: ['GET-2'] });
  expect(survived).toMatchObject({ isWhole: true, failed: [] });
});

test('no check fails on a correct variant', async () => {
  const trial = await run({ kind: 'variant', name: 'limits-clamped', checks: checksOf('LIST-2') });
  expect(trial).toMatchObject({ exitCode: 0, failed: [], suiteFaults: [] });
});

test('a service that refuses every key is not judged', async () => {
  const trial = await run({ kind: 'fault', name: 'always-401' });
  expect(trial).toMatchObject({ exitCode: 3, refused: expect.stringContaining('refuses the key'), failed: [] });
});

test('of all checks few fail beside that of the requirement, and a suite without those lets the fault survive', async () => {
  const faults = FAULTS.filter(({ name }) => name === 'limit-7-gives-8');
  const complete = await run({ kind: 'fault', name: 'limit-7-gives-8' });
  expect(complete.failed.map(({ check }) => check)).toContain('LIST-2');
  expect(complete.failed.length).toBeLessThanOrEqual(3);
  expect(complete).toMatchObject({ exitCode: 1, suiteFaults: [] });
  expect(complete.requests).toBeGreaterThan(1_000);
  const finding = new Set(complete.failed.map(({ requirement }) => requirement));
  expect(finding.has('GET-2')).toBe(false);
  const weakened = await run({ kind: 'fault', name: 'limit-7-gives-8', checks: checksOf('GET-2') });
  const [own, none] = [complete, weakened].map((trial) =>
    classify([trial], specification.catalogue.requirements, { faults, variants: [] }, FACTS),
  );
  expect(own?.summary).toMatchObject({ killedByOwn: 1, survived: 0 });
  expect(none?.summary).toMatchObject({ killedByOwn: 0, survived: 1 });
  expect(none?.shortcomings).toContain('The fault limit-7-gives-8 (LIST-2) survived.');
});

test('an unknown name is an error', async () => {
  await expect(run({ kind: 'variant', name: 'limit-7-gives-8' })).rejects.toThrow('unknown variant: limit-7-gives-8');
});
