import { describe, expect, test } from 'vitest';
import { PET_STORE_OUTLINE } from '../../petstore/outline.ts';
import { type RunOptions, runDefaults } from '../run-options.ts';
import { CHECK_LIST } from './check-list.prebuilt.ts';
import { planOf, select, selectOrReplay, withTimeLeft } from './plan.ts';

test('the look at the target takes its time from that of the run, of which a little is always left to conclude', () => {
  const selection = select(runDefaults({ only: ['GET-2'], maxTimeMs: 5_000, today: '2027-01-01' }), CHECK_LIST);
  const plan = planOf(selection, PET_STORE_OUTLINE, { baseUrl: 'http://a.example/v1', ledgerFile: undefined });
  expect(withTimeLeft(plan, 1_200)).toEqual({ ...plan, maxTimeMs: 3_800 });
  expect(withTimeLeft(plan, 6_000).maxTimeMs).toBe(1);
});

describe('a shard', () => {
  const target = { baseUrl: 'http://a.example/v1', ledgerFile: undefined };
  const planned = async (changes: Partial<RunOptions>) => {
    const options = runDefaults({ today: '2027-01-01', ...changes });
    return planOf(await selectOrReplay(options, PET_STORE_OUTLINE), PET_STORE_OUTLINE, target);
  };
  const shards = (of: number) => Array.from({ length: of }, (_, at) => ({ number: at + 1, of }));

  test('has its part of what was selected, and the rules of all of it', async () => {
    const only = ['LIST-*', 'AUTH-2'];
    const whole = (await planned({ only })).checks;
    const plans = await Promise.all(shards(3).map((shard) => planned({ only, shard })));
    const own = plans.flatMap(({ shard }) => shard?.own ?? []);
    expect(own.toSorted()).toEqual(whole.toSorted());
    for (const { checks, shard } of plans) {
      expect(checks).toEqual(whole.filter((id) => checks.includes(id)));
      const withoutRule = whole.filter((id) => !checks.includes(id));
      expect(withoutRule.every((id) => shard?.others.includes(id))).toBe(true);
      expect(checks).toContain('LIST-2');
    }
  });

  test('is the same whatever the seed', async () => {
    const [one, other] = await Promise.all([1, 2].map((seed) => planned({ seed, shard: { number: 2, of: 4 } })));
    expect(one?.shard).toEqual(other?.shard);
  });

  test('is refused where there is nothing left for it, whichever it is', async () => {
    for (const shard of shards(2)) {
      expect((await planned({ only: ['LIST-2', 'LIST-3'], shard })).checks).not.toEqual([]);
      await expect(planned({ only: ['LIST-2'], shard })).rejects.toMatchObject({
        code: 'nothing-selected',
        message: expect.stringMatching(/^--shard \d\/2: there is only 1 check to deal out; use fewer shards, or /),
      });
    }
  });

  test('has budgets of its own, which the user sets for each', async () => {
    const shard = { number: 1, of: 4 };
    const { maxCreates, maxTimeMs } = await planned({});
    expect((await planned({ shard })).maxCreates).toBeLessThan(maxCreates);
    expect((await planned({ shard })).maxCreates).toBeGreaterThan(maxCreates / 4);
    expect((await planned({ shard })).maxTimeMs).toBe(maxTimeMs);
    expect(await planned({ shard, maxCreates: 30, maxTimeMs: 9_000 })).toMatchObject({
      maxCreates: 30,
      maxTimeMs: 9_000,
    });
    expect((await planned({ shard, readOnly: true })).maxCreates).toBe(0);
  });

  test('keeps the service under load where it is the last', async () => {
    const plans = await Promise.all(shards(3).map((shard) => planned({ shard, soakMs: 5_000 })));
    expect(plans.map(({ soakMs }) => soakMs)).toEqual([undefined, undefined, 5_000]);
  });
});
