/** The lists that are asked for while there is nothing, and while there is one animal of a kind. */
import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/index.ts';
import { override } from '../reference/changes.ts';
import { judgeBy, recordingReference, testPlan } from './rig.fixture.ts';

/** A page that was asked for, and how many animals match its filter. */
interface Asked {
  readonly isFiltered: boolean;
  readonly matching: number;
}

/** The pages that one check asks for where there is no animal at first, beside those of the first look. */
async function pagesOf(check: string): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const noting = override('selectPage', (usual) => (page, call) => {
    const { status } = page;
    const matching = call.service.collection.oldestFirst(status).length;
    asked.push({ isFiltered: status !== undefined, matching });
    return usual(page, call);
  });
  const service = await recordingReference({ seedAnimals: 0 }, noting);
  try {
    const checks = CHECKS.filter(({ id }) => id === check);
    const [judged] = await judgeBy(checks, testPlan(service.baseUrl));
    expect(judged?.result.outcome).toEqual({ kind: 'passed' });
    return asked;
  } finally {
    await service.stop();
  }
}

test('lists of the collection as found are asked for before anything is added', async () => {
  const asked = await pagesOf('LIST-9.found');
  expect(new Set(asked.map(({ matching }) => matching))).toEqual(new Set([0]));
  expect(new Set(asked.map(({ isFiltered }) => isFiltered))).toEqual(new Set([true, false]));
});

test('lists of the first animals are asked for when just one matches, with and without a filter', async () => {
  const asked = await pagesOf('LIST-9.first');
  const ofTheFirst = asked.filter(({ matching }) => matching > 0);
  for (const isFiltered of [true, false]) {
    const matching = ofTheFirst.filter((page) => page.isFiltered === isFiltered).map((page) => page.matching);
    expect(new Set(matching)).toEqual(new Set([1]));
  }
});
