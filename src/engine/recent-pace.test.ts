import { expect, test } from 'vitest';
import { RecentPace } from './recent-pace.ts';

test('the pace is that of the answers of the last half minute', () => {
  const pace = new RecentPace();
  for (let at = 0; at < 40_000; at += 500) pace.note(at);
  expect(pace.perSecond(40_000)).toBeCloseTo(2, 1);
  for (let at = 40_000; at < 80_000; at += 100) pace.note(at);
  expect(pace.perSecond(80_000)).toBeCloseTo(10, 1);
});

test('of few answers, or in a short time, nothing is said', () => {
  const pace = new RecentPace();
  expect(pace.perSecond(0)).toBeUndefined();
  for (const at of [0, 10, 20, 30, 40]) pace.note(at);
  expect(pace.perSecond(1_000)).toBeUndefined();
  expect(pace.perSecond(2_000)).toBe(2.5);
});

test('very many answers take bounded room, and the pace stays right', () => {
  const pace = new RecentPace();
  for (let at = 0; at < 20_000; at += 1) pace.note(at);
  expect(pace.perSecond(20_000)).toBeCloseTo(1_000, -1);
});

test('a service asks for a slow pace until it has refused nothing for a while; the pace before does not count', () => {
  const pace = new RecentPace();
  for (let at = 0; at < 5_000; at += 10) pace.note(at);
  expect(pace.isRefused(0, 5_000)).toBe(false);
  expect(pace.isRefused(1, 5_000)).toBe(true);
  expect(pace.perSecond(5_000)).toBeUndefined();
  for (let at = 6_000; at < 10_000; at += 500) pace.note(at);
  expect(pace.isRefused(2, 10_000)).toBe(true);
  expect(pace.perSecond(10_000)).toBe(2);
  expect(pace.isRefused(2, 24_999)).toBe(true);
  expect(pace.isRefused(2, 25_000)).toBe(false);
});
