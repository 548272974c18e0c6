import { expect, test } from 'vitest';
import { CreationBudget } from './creation-budget.ts';

test('the budget counts what is under way and what was created', () => {
  const budget = new CreationBudget(2);
  expect([budget.reserve(1), budget.reserve(1), budget.reserve(1)]).toEqual([true, true, false]);
  expect([budget.left, budget.created]).toEqual([0, 0]);
  // One of them created, the other was refused.
  budget.spend();
  budget.release(1);
  budget.release(1);
  expect([budget.left, budget.created, budget.limit]).toEqual([1, 1, 2]);
  expect([budget.reserve(1), budget.reserve(1)]).toEqual([true, false]);
});

test('a budget of 0 lets nothing be created, and reading costs nothing', () => {
  const budget = new CreationBudget(0);
  expect([budget.reserve(1), budget.reserve(0)]).toEqual([false, true]);
});

test('several creations are reserved together or not at all', () => {
  const budget = new CreationBudget(3);
  expect([budget.reserve(2), budget.reserve(2), budget.left]).toEqual([true, false, 1]);
});

test('more than the budget, created by requests that should have failed, leaves nothing and never less', () => {
  const budget = new CreationBudget(1);
  for (const _ of [1, 2, 3]) budget.spend();
  expect([budget.created, budget.left, budget.reserve(1)]).toEqual([3, 0, false]);
});
