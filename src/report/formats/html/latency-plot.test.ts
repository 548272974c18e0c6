import { expect, test } from 'vitest';
import { latencyPlot } from './latency-plot.ts';

const plot = (p50: number, p95: number, p99: number, max: number): string =>
  latencyPlot([{ operation: 'list', requests: 1200, p50, p95, p99, max }], 'x').markup;

test('the bars end at shares of the longest time, which has room for its number', () => {
  const widths = [...plot(10, 50, 80, 100).matchAll(/class="(p\d+)" x="0" y="\d+" width="([\d.]+)%"/g)].map(
    ([, of, width]) => [of, width],
  );
  expect(widths).toEqual([
    ['p99', '76.80'],
    ['p95', '48.00'],
    ['p50', '9.60'],
  ]);
});

test.each([
  [100, ['0 ms', '20', '40', '60', '80', '100']],
  [648.3, ['0 ms', '200', '400', '600']],
  [0.4, ['0 ms', '0.1', '0.2', '0.3', '0.4']],
  [2003, ['0 ms', '500', '1,000', '1,500', '2,000']],
])('the axis up to %d ms has round numbers', (max, ticks) => {
  const found = [...plot(max / 4, max / 3, max / 2, max).matchAll(/class="tick"[^>]*>([^<]*)</g)].map(
    ([, text]) => text,
  );
  expect(found).toEqual(ticks);
});

test('it says in words what it shows, and names what holds nothing', () => {
  expect(plot(2.14, 60.2, 80, 100)).toContain('list, 1,200 requests: p50 2.1 · p95 60 · p99 80 · max 100 ms.');
  expect(plot(0, 0, 0, 0)).not.toMatch(/NaN|Infinity/);
});
