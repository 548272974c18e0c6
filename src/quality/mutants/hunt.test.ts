import { expect, test } from 'vitest';
import { loadContract } from '../../contract/contract.ts';
import { breach, check, onPage } from '../../petstore/index.ts';
import type { Fault } from '../../reference/index.ts';
import { codesInSources } from './codes.ts';
import { hunt } from './hunt.ts';

const contract = await loadContract();

/** Answers every page with one animal more than it was asked for. */
const ONE_MORE: Fault = {
  name: 'one-more',
  says: 'gives one animal more than was asked for',
  breaks: 'LIST-2',
  change: (steps) => ({
    ...steps,
    selectPage: (page, call) => steps.selectPage({ ...page, limit: page.limit + 1 }, call),
  }),
};
const NOT_A_FAULT: Fault = { ...ONE_MORE, name: 'no-change', change: (steps) => steps };

const atMostTwo = onPage(({ length, call }) =>
  call.limit !== '2' || length <= 2
    ? 'holds'
    : breach('page-too-long', 'a page is too long', 'at most 2 animals', `${length} animals`),
);

test('an expectation that a fault shows is needed', async () => {
  const sound = check('LIST-2', 'at most two', {
    always: atMostTwo,
    provoke: async ({ service }) => {
      await service.tryList({ limit: 2 });
    },
  });
  expect(await hunt(sound, [ONE_MORE, NOT_A_FAULT], contract)).toMatchObject({
    tried: 2,
    failing: 1,
    killed: ['its rule is silent', 'it sends nothing', 'it forgives page-too-long', 'it takes one animal too many'],
    survived: [],
    codes: ['page-too-long'],
  });
});

test('one that says what another says already survives', async () => {
  const doubled = check('LIST-2', 'at most two, twice', {
    always: atMostTwo,
    provoke: async (context) => {
      const page = await context.service.tryList({ limit: 2 });
      if (page.pageLength !== 2) context.broken(breach('other', 'not two', '2', `${page.pageLength}`), page.exchange);
    },
  });
  const { survived } = await hunt(doubled, [ONE_MORE], contract);
  expect(survived).toContainEqual({ label: 'its rule is silent', still: 'other' });
  expect(survived).toContainEqual({ label: 'it forgives page-too-long', still: 'other' });
});

test('a check that notices none of the faults proves nothing', async () => {
  const idle = check('LIST-2', 'nothing', async ({ service }) => {
    await service.tryList({ limit: 2 });
  });
  expect(await hunt(idle, [ONE_MORE], contract)).toMatchObject({ failing: 0, killed: [], survived: [] });
});

test('the sources name their breaches', () => {
  expect(codesInSources()).toEqual(expect.arrayContaining(['page-too-long', 'filter', 'id-twice', 'status-value']));
});
