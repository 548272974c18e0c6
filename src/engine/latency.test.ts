import { expect, test } from 'vitest';
import { rightKey } from '../http/credential.ts';
import type { Exchange } from '../http/exchange.ts';
import { Latencies } from './latency.ts';

function answered(milliseconds: number): Exchange {
  return {
    number: 1,
    request: { operation: 'listPets', method: 'GET', path: '/pets', credential: rightKey('key') },
    answer: {
      kind: 'response',
      status: 200,
      headers: [],
      body: new Uint8Array(),
      encodingFault: undefined,
      milliseconds,
    },
    sentAt: 0,
    answeredAt: milliseconds,
    resent: false,
  };
}

test('percentiles of any times are those of the nearest rank, within 1 %', () => {
  const latencies = new Latencies();
  // 1 ms to 10 s, in an order of no use.
  const times = Array.from({ length: 10_000 }, (_, at) => ((at * 7_919) % 10_000) + 1);
  for (const time of times) latencies.add(answered(time));
  const [row] = latencies.percentiles();
  expect(row).toMatchObject({ operation: 'listPets', requests: 10_000, max: 10_000 });
  for (const [share, measured] of [
    [0.5, row?.p50],
    [0.95, row?.p95],
    [0.99, row?.p99],
  ] as const) {
    expect(Math.abs((measured ?? 0) / (10_000 * share) - 1)).toBeLessThan(0.011);
  }
});

test('one time is every percentile, and none leaves the operation out', () => {
  const latencies = new Latencies();
  expect(latencies.percentiles()).toEqual([]);
  latencies.add(answered(3.3));
  expect(latencies.percentiles()).toEqual([
    { operation: 'listPets', requests: 1, p50: 3.3, p95: 3.3, p99: 3.3, max: 3.3 },
  ]);
  latencies.add(answered(0));
  expect(latencies.percentiles()[0]).toMatchObject({ requests: 2, max: 3.3 });
});
