import { expect, test } from 'vitest';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { runDefaults } from '../run-options.ts';
import { CHECK_LIST } from './check-list.prebuilt.ts';
import { planOf, select, withTimeLeft } from './plan.ts';

test('the look at the target takes its time from that of the run, of which a little is always left to conclude', () => {
  const selection = select(runDefaults({ only: ['GET-2'], maxTimeMs: 5_000, today: '2027-01-01' }), CHECK_LIST);
  const plan = planOf(selection, PET_STORE_OUTLINE, { baseUrl: 'http://a.example/v1', ledgerFile: undefined });
  expect(withTimeLeft(plan, 1_200)).toEqual({ ...plan, maxTimeMs: 3_800 });
  expect(withTimeLeft(plan, 6_000).maxTimeMs).toBe(1);
});
