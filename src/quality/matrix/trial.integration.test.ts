import { describe, expect, test, vi } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { loadContract } from '../../contract/contract.ts';
import { petStore } from '../../petstore/definition.ts';
import { FAULTS, findFault } from '../../reference/index.ts';
import { classify } from './classify.ts';
import { FACTS } from './matrix.fixture.ts';
import { type Job, runTrial } from './trial.ts';

const specification = { catalogue: petStore().loadCatalogue(), contract: await loadContract() };
/** Nothing hangs here, so a slow machine may take its time. */
const options = { requestTimeoutMs: 60_000, maxTimeMs: 500_000 };
vi.setConfig({ testTimeout: 600_000 });
const run = (job: Omit<Job, 'seed'>) => runTrial({ ...job, seed: 1, options }, specification);
const checksOf = (isOwn: boolean, breaks: string): readonly string[] =>
  CHECKS.filter(({ requirement }) => (requirement === breaks) === isOwn).map(({ id }) => id);

// Side by side: much of a run is waiting for animals that should, or should not, appear.
describe.concurrent('a fault is found by a check of the requirement that it breaks', () => {
  test.each(['limit-7-gives-8', 'name-trimmed', 'prefix-of-key-accepted', 'trailing-comma-accepted'])(
    '%s',
    async (name) => {
      const breaks = findFault(name)?.breaks ?? '';
      const trial = await run({ kind: 'fault', name, checks: checksOf(true, breaks) });
      expect(trial.failed.map(({ requirement }) => requirement)).toContain(breaks);
      expect(trial).toMatchObject({ exitCode: 1, suiteFaults: [] });
    },
  );
});

test('of all checks, that of the requirement fails, and hardly another', async () => {
  const trial = await run({ kind: 'fault', name: 'limit-7-gives-8' });
  expect(trial.failed.map(({ check }) => check)).toContain('LIST-2');
  expect(trial.failed.length).toBeLessThanOrEqual(3);
  expect(trial).toMatchObject({ exitCode: 1, suiteFaults: [] });
  expect(trial.requests).toBeGreaterThan(1_000);
});

describe.concurrent('no check fails on a correct variant', () => {
  test.each(['ids-beyond-doubles', 'omitted-status-absent', 'limits-clamped', 'chunked'])('%s', async (name) => {
    const trial = await run({ kind: 'variant', name });
    expect(trial).toMatchObject({ exitCode: 0, failed: [], suiteFaults: [] });
  });
});

test('a service that refuses every key is not judged', async () => {
  const trial = await run({ kind: 'fault', name: 'always-401' });
  expect(trial).toMatchObject({ exitCode: 3, refused: expect.stringContaining('refuses the key'), failed: [] });
});

test('a fault survives a suite without the check of its requirement', async () => {
  const faults = FAULTS.filter(({ name }) => name === 'limit-7-gives-8');
  const outcomes = await Promise.all(
    [checksOf(true, 'LIST-2'), checksOf(false, 'LIST-2')].map(async (checks) => {
      const trial = await run({ kind: 'fault', name: 'limit-7-gives-8', checks });
      return classify([trial], specification.catalogue.requirements, { faults, variants: [] }, FACTS);
    }),
  );
  const [own, weakened] = outcomes;
  expect(own?.summary).toMatchObject({ killedByOwn: 1, survived: 0 });
  expect(weakened?.summary).toMatchObject({ killedByOwn: 0, survived: 1 });
  expect(weakened?.shortcomings).toContain('The fault limit-7-gives-8 (LIST-2) survived.');
});

test('an unknown name is an error', async () => {
  await expect(run({ kind: 'variant', name: 'limit-7-gives-8' })).rejects.toThrow('unknown variant: limit-7-gives-8');
});
