import { describe, expect, test } from 'vitest';
import { petStore } from '../../petstore/definition.ts';
import { type RunOptions, runDefaults } from '../run-options.ts';
import { planOf, select, withTimeLeft } from './plan.ts';

test('the look at the target takes its time from that of the run, of which a little is always left to conclude', () => {
  const service = petStore();
  const selection = select(runDefaults({ only: ['GET-2'], maxTimeMs: 5_000, today: '2027-01-01' }), service);
  const plan = planOf(selection, service, { baseUrl: 'http://a.example/v1', ledgerFile: undefined });
  expect(withTimeLeft(plan, 1_200)).toEqual({ ...plan, maxTimeMs: 3_800 });
  expect(withTimeLeft(plan, 6_000).maxTimeMs).toBe(1);
});

describe('a shard', () => {
  const service = petStore();
  const target = { baseUrl: 'http://a.example/v1', ledgerFile: undefined };
  const planned = (changes: Partial<RunOptions>) => {
    const selection = select(runDefaults({ today: '2027-01-01', ...changes }), service);
    return planOf(selection, service, target);
  };
  const refusal = (changes: Partial<RunOptions>): unknown => {
    try {
      return planned(changes);
    } catch (error) {
      return error;
    }
  };
  const shards = (of: number) => Array.from({ length: of }, (_, at) => ({ number: at + 1, of }));

  test('has its part of what was selected, and the rules of all of it', () => {
    const only = ['LIST-*', 'AUTH-2'];
    const whole = planned({ only }).checks;
    const plans = shards(3).map((shard) => planned({ only, shard }));
    const own = plans.flatMap(({ shard }) => shard?.own ?? []);
    expect(own.toSorted()).toEqual(whole.toSorted());
    for (const { checks, shard } of plans) {
      expect(checks).toEqual(whole.filter((id) => checks.includes(id)));
      const withoutRule = whole.filter((id) => !checks.includes(id));
      expect(withoutRule.every((id) => shard?.others.includes(id))).toBe(true);
      expect(checks).toContain('LIST-2');
    }
  });

  test('is the same whatever the seed', () => {
    const [one, other] = [1, 2].map((seed) => planned({ seed, shard: { number: 2, of: 4 } }).shard);
    expect(one).toEqual(other);
  });

  test('is refused where there is nothing left for it, whichever it is', () => {
    for (const shard of shards(2)) expect(planned({ only: ['LIST-2', 'LIST-3'], shard }).checks).not.toEqual([]);
    for (const shard of shards(2)) {
      expect(refusal({ only: ['LIST-2'], shard })).toMatchObject({
        code: 'nothing-selected',
        message: expect.stringMatching(/^--shard \d\/2: there is only 1 check to deal out; use fewer shards, or /),
      });
    }
  });

  test('has budgets of its own, which the user sets for each', () => {
    const shard = { number: 1, of: 4 };
    const { maxCreates, maxTimeMs } = planned({});
    expect(planned({ shard }).maxCreates).toBeLessThan(maxCreates);
    expect(planned({ shard }).maxCreates).toBeGreaterThan(maxCreates / 4);
    expect(planned({ shard }).maxTimeMs).toBe(maxTimeMs);
    expect(planned({ shard, maxCreates: 30, maxTimeMs: 9_000 })).toMatchObject({ maxCreates: 30, maxTimeMs: 9_000 });
    expect(planned({ shard, readOnly: true }).maxCreates).toBe(0);
  });

  test('keeps the service under load where it is the last', () => {
    expect(shards(3).map((shard) => planned({ shard, soakMs: 5_000 }).soakMs)).toEqual([undefined, undefined, 5_000]);
  });
});
