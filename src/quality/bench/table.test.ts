import { expect, test } from 'vitest';
import { tableOf } from './table.ts';

const sample = { wall: 3_000, processor: 5_000, peak: 372e6, requests: 2_290, created: 34 };

test('a cell has the median with the lowest and the highest where they differ, and the ratio to another checkout', () => {
  const samples = [sample, { ...sample, wall: 2_950 }, { ...sample, wall: 3_400 }];
  const others = samples.map((one) => ({ ...one, wall: one.wall * 2 }));
  expect(tableOf([{ name: 'standard', samples, others: undefined }])).toContain(
    '| standard | 3.00 s (2.95 s–3.40 s) | 5.00 s | 372 MB | 2,290 | 34 |  |',
  );
  expect(tableOf([{ name: 'standard', samples, others }])).toContain('3.00 s (2.95 s–3.40 s), 0.50 times the other |');
});
