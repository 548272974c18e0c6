import { expect, test } from 'vitest';
import { ratiosOf, spreadOf } from './statistics.ts';

test('the median is the middle one, or halfway between the two in the middle', () => {
  expect(spreadOf([30, 10, 20])).toEqual({ median: 20, min: 10, max: 30 });
  expect(spreadOf([40, 10, 20, 30])).toEqual({ median: 25, min: 10, max: 40 });
  expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
});

test('nothing has no median', () => {
  expect(() => spreadOf([])).toThrow(RangeError);
});

test('ratios are taken round by round, as far as both were measured', () => {
  expect(ratiosOf([6, 9, 8], [2, 3])).toEqual([3, 3]);
});
