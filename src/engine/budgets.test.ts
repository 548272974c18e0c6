import { expect, test } from 'vitest';
import { CreationBudget } from './budgets.ts';

test('the budget counts what succeeded, and apart from that what was named', async () => {
  const budget = new CreationBudget(2);
  await budget.reserve(1);
  budget.spend(false);
  budget.release(1);
  expect([budget.left, budget.created, budget.begun]).toEqual([1, 0, 1]);
  expect(await budget.reserve(2)).toBe(false);
  await budget.reserve(1);
  budget.spend(true);
  budget.release(1);
  expect([budget.left, budget.created, await budget.reserve(1)]).toEqual([0, 1, false]);
});

test('a budget of 0 lets nothing be created, and reading costs nothing', async () => {
  const budget = new CreationBudget(0);
  expect([await budget.reserve(1), await budget.reserve(0)]).toEqual([false, true]);
});

test('what may be too much waits for what is under way: it may be refused', async () => {
  const budget = new CreationBudget(2);
  expect(await budget.reserve(2)).toBe(true);
  const waiting = [budget.reserve(1), budget.reserve(1), budget.reserve(1)];
  expect(budget.begun).toBe(2);
  // One of them succeeded, the other was refused.
  budget.spend(true);
  budget.release(2);
  await Promise.race(waiting);
  expect(budget.begun).toBe(2);
  budget.spend(true);
  budget.release(1);
  expect(await Promise.all(waiting)).toEqual([true, false, false]);
});
