import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { LIST } from '../http/rig.fixture.ts';
import { type Created, Ledger } from './ledger.ts';

const exchange: Exchange = {
  number: 1,
  request: LIST,
  answer: { kind: 'no response', code: 'timeout', sentence: 'no response came', milliseconds: 1 },
  sentAt: 0,
  answeredAt: 1,
  resent: false,
};
const created = (id: bigint, name = `animal ${id}`): Created => ({
  id,
  name,
  categoryId: 1n,
  status: 'available',
  exchange,
});

test('the budget counts what is under way and what was created', () => {
  const ledger = new Ledger(2);
  expect([ledger.reserve(), ledger.reserve(), ledger.reserve()]).toEqual([true, true, false]);
  expect([ledger.left, ledger.count]).toEqual([0, 0]);
  // One of them created, the other was refused.
  ledger.add(created(1n));
  ledger.settle();
  ledger.settle();
  expect([ledger.left, ledger.count, ledger.budget]).toEqual([1, 1, 2]);
  expect([ledger.reserve(), ledger.reserve()]).toEqual([true, false]);
});

test('a budget of 0 lets nothing be created', () => {
  expect(new Ledger(0).reserve()).toBe(false);
});

test('more than the budget, created by requests that should have failed, leaves nothing and never less', () => {
  const ledger = new Ledger(1);
  ledger.add(undefined);
  ledger.add(undefined);
  ledger.add(undefined);
  expect([ledger.count, ledger.left, ledger.reserve()]).toEqual([3, 0, false]);
});

test('animals are kept in the order of their creation, told apart beyond the integers of a double', () => {
  const ledger = new Ledger(9);
  const ids = [2n ** 63n - 1n, 2n ** 53n + 1n, 2n ** 53n];
  for (const id of ids) ledger.add(created(id));
  expect(ledger.all().map(({ id }) => id)).toEqual(ids);
  expect(ledger.find(2n ** 53n)?.name).toBe(`animal ${2n ** 53n}`);
  expect(ledger.find(1n)).toBeUndefined();
});

test('an id that is given twice stays with its first animal, and an unreadable 201 counts all the same', () => {
  const ledger = new Ledger(9);
  ledger.add(created(1n, 'first'));
  ledger.add(created(1n, 'second'));
  ledger.add(undefined);
  expect(ledger.find(1n)?.name).toBe('first');
  expect([ledger.count, ledger.all().length]).toEqual([3, 1]);
});
