import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2027-01-01T00:00:00Z');

test.each([
  ['3', 3_000],
  ['Fri, 01 Jan 2027 00:00:07 GMT', 7_000],
  ['Friday, 01-Jan-27 00:00:07 GMT', 7_000],
  ['Fri Jan  1 00:00:07 2027', 7_000],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
])('Retry-After: %s is %s ms', (value, expected) => {
  expect(retryAfterMs(value, now)).toBe(expected);
});

test.each([
  undefined, '', 'soon', ' 0 ', '-1', '+5', '1.5', '5.', '1, 1', '1e3', '12/31/2099', '2099-01-01', 'Thu, 31 Dec 2026 23:59:00 GMT',
])('Retry-After: %s asks for no pause', (value) => {
  expect(retryAfterMs(value, now)).toBeUndefined();
}); // biome-ignore format: one table
