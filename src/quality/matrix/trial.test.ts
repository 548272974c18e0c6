import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { loadContract } from '../../contract/contract.ts';
import { loadCatalogue } from '../../engine/catalogue.ts';
import { PARTS } from '../../petstore/parts.ts';
import { FAULTS, findFault } from '../../reference/index.ts';
import { classify } from './classify.ts';
import { FACTS } from './matrix.fixture.ts';
import { tryChange } from './trial.ts';

const law = { catalogue: loadCatalogue(PARTS), contract: await loadContract() };
const checksOf = (isOwn: boolean, breaks: string): readonly string[] =>
  CHECKS.filter(({ requirement }) => (requirement === breaks) === isOwn).map(({ id }) => id);

describe('a fault is noticed by a check of the requirement that it breaks', () => {
  test.each(['limit-7-gives-8', 'name-trimmed', 'prefix-of-key-accepted', 'trailing-comma-accepted'])(
    '%s',
    async (name) => {
      const breaks = findFault(name)?.breaks;
      const trial = await tryChange({ kind: 'fault', name, seed: 1 }, law);
      expect(trial.failed.map(({ requirement }) => requirement)).toContain(breaks);
      expect(trial).toMatchObject({ exitCode: 1, suiteFaults: [] });
    },
  );
});

describe('a correct variant is not failed', () => {
  test.each(['limits-clamped', 'ids-beyond-doubles', 'chunked', 'omitted-status-absent'])('%s', async (name) => {
    const trial = await tryChange({ kind: 'variant', name, seed: 1 }, law);
    expect(trial).toMatchObject({ exitCode: 0, failed: [], suiteFaults: [] });
  });
});

test('a service that refuses every key is not judged', async () => {
  const trial = await tryChange({ kind: 'fault', name: 'always-401', seed: 1 }, law);
  expect(trial).toMatchObject({ exitCode: 3, refused: expect.stringContaining('refuses the key'), failed: [] });
});

test('a suite without the check that owns a fault is found out', async () => {
  const fault = FAULTS.filter(({ name }) => name === 'limit-7-gives-8');
  const outcomes = await Promise.all(
    [checksOf(true, 'LIST-2'), checksOf(false, 'LIST-2')].map(async (checks) => {
      const trial = await tryChange({ kind: 'fault', name: 'limit-7-gives-8', seed: 1, checks }, law);
      return classify([trial], law.catalogue.requirements, { faults: fault, variants: [] }, FACTS);
    }),
  );
  const [own, weakened] = outcomes;
  expect(own?.summary).toMatchObject({ killedByOwn: 1, survived: 0 });
  expect(weakened?.summary).toMatchObject({ killedByOwn: 0, survived: 1 });
  expect(weakened?.shortcomings).toContain('The fault limit-7-gives-8 (LIST-2) survived.');
});

test('a name that is not known is no trial', async () => {
  await expect(tryChange({ kind: 'variant', name: 'limit-7-gives-8', seed: 1 }, law)).rejects.toThrow('no variant');
});
