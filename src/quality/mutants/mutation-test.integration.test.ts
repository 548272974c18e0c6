import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/contract.ts';
import { violates } from '../../engine/violation.ts';
import { PACKAGE_ROOT } from '../../package.ts';
import { check, type PetCheck } from '../../petstore/index.ts';
import { everyPage } from '../../petstore/rules/pages.ts';
import { override } from '../../reference/changes.ts';
import type { Fault } from '../../reference/index.ts';
import { codesInSources, testMutants } from './mutation-test.ts';

const contract = await loadContract();
/** Nothing hangs here, so a slow machine may take its time. */
const PATIENT = { requestTimeoutMs: 60_000, maxTimeMs: 110_000 };
const tested = (original: PetCheck, faults: readonly Fault[], library: readonly PetCheck[] = []) =>
  testMutants({ check: original, faults, library, contract, options: PATIENT });

const ONE_MORE: Fault = {
  name: 'one-more',
  says: 'Every page holds one animal more than its limit.',
  breaks: 'LIST-2',
  change: override('selectPage', (original) => (page, call) => original({ ...page, limit: page.limit + 1 }, call)),
};
const NOT_A_FAULT: Fault = { ...ONE_MORE, name: 'no-change', change: (steps) => steps };

const atMostTwo = everyPage(({ reply, length, call }) =>
  call.limit !== '2' || length <= 2
    ? 'holds'
    : violates(reply, 'page-too-long', 'a page is too long', 'at most 2 animals', `${length} animals`),
);

test('an expectation that a fault needs is killed without it', async () => {
  const original = check('LIST-2', 'at most two', {
    everyAnswer: atMostTwo,
    exercise: async ({ api }) => {
      await api.list({ limit: 2 });
    },
  });
  expect(await tested(original, [ONE_MORE, NOT_A_FAULT])).toMatchObject({
    tried: 2,
    failing: 1,
    killed: ['has no rule for every response', 'sends nothing', 'ignores page-too-long', 'accepts one animal too many'],
    survived: [],
    codes: ['page-too-long'],
  });
});

test('a redundant expectation survives', async () => {
  const redundant = check('LIST-2', 'at most two, twice', {
    everyAnswer: atMostTwo,
    exercise: async ({ api, expect }) => {
      const { reply, length } = await api.list({ limit: 2 });
      expect((seen) => (length === 2 ? 'holds' : violates(seen, 'other', 'not two', '2', `${length}`)), reply);
    },
  });
  const { survived } = await tested(redundant, [ONE_MORE]);
  expect(survived).toContainEqual({ label: 'has no rule for every response', stillReports: 'other' });
  expect(survived).toContainEqual({ label: 'ignores page-too-long', stillReports: 'other' });
});

test('a check that finds none of the faults proves nothing', async () => {
  const idle = check('LIST-2', 'nothing', {
    exercise: async ({ api }) => {
      await api.list({ limit: 2 });
    },
  });
  expect(await tested(idle, [ONE_MORE])).toMatchObject({
    failing: 0,
    killed: [],
    survived: [],
  });
});

test('a check that only sends is proven by a fault that the rules of others find in its answers alone', async () => {
  const sender = check('LIST-2.more', 'sends', {
    exercise: async ({ api }) => {
      await api.list({ limit: 2 });
    },
  });
  const rule = check('LIST-2', 'at most two', { everyAnswer: atMostTwo });
  expect(await tested(sender, [NOT_A_FAULT, ONE_MORE], [sender, rule])).toMatchObject({
    failing: 1,
    killed: ['sends nothing'],
    survived: [],
  });
  const other = { ...sender, id: 'LIST-2' };
  expect(await tested(sender, [ONE_MORE], [sender, { ...other, everyAnswer: atMostTwo }])).toMatchObject({
    killed: ['sends nothing'],
  });
  expect(await tested(sender, [ONE_MORE], [sender, other])).toMatchObject({ failing: 0 });
});

test('the sources name the codes of their violations', () => {
  const changed = ['name-changed', 'category-changed', 'status-changed'];
  expect(codesInSources()).toEqual(
    expect.arrayContaining(['page-too-long', 'filter', 'id-twice', 'status-value', ...changed]),
  );
});

test('a rule names its code at the call, unless it is that of the reader or has a literal elsewhere', () => {
  const folder = new URL('src/petstore/rules/', PACKAGE_ROOT);
  const text = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  const given = [...text.matchAll(/\bviolates\(\s*[\w.]+,\s*([^,]+),/g)].map(([, code = '']) => code);
  const computed = given.filter((code) => !/^'[a-z0-9-]+'$/.test(code));
  // `code` of fitsSchema is literal where that is called; of the unusable page, both codes are literal elsewhere.
  expect(computed.toSorted()).toEqual(['answer.code', 'code', 'code', 'json.code']);
});
