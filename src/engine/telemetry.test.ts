import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { LIST } from '../http/rig.fixture.ts';
import { Answers, Latencies } from './telemetry.ts';

function answered(milliseconds: number, operation = 'list', status = 200): Exchange {
  return {
    number: 1,
    request: { ...LIST, operation },
    answer: {
      kind: 'response',
      status,
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
  const latencies = new Latencies(['list', 'get']);
  // 1 ms to 10 s, in an order of no use.
  const times = Array.from({ length: 10_000 }, (_, at) => ((at * 7_919) % 10_000) + 1);
  for (const time of times) latencies.add(answered(time));
  const [row] = latencies.percentiles();
  expect(row).toMatchObject({ operation: 'list', requests: 10_000, max: 10_000 });
  for (const [share, measured] of [
    [0.5, row?.p50],
    [0.95, row?.p95],
    [0.99, row?.p99],
  ] as const) {
    expect(Math.abs((measured ?? 0) / (10_000 * share) - 1)).toBeLessThan(0.011);
  }
});

test('one time is every percentile, and none leaves the operation out', () => {
  const latencies = new Latencies(['list', 'get']);
  expect(latencies.percentiles()).toEqual([]);
  latencies.add(answered(3.3));
  expect(latencies.percentiles()).toEqual([{ operation: 'list', requests: 1, p50: 3.3, p95: 3.3, p99: 3.3, max: 3.3 }]);
  latencies.add(answered(0));
  expect(latencies.percentiles()[0]).toMatchObject({ requests: 2, max: 3.3 });
});

test('no percentile exceeds the longest time, which is told exactly', () => {
  const latencies = new Latencies(['list']);
  latencies.add(answered(10_000));
  expect(latencies.percentiles()).toEqual([
    { operation: 'list', requests: 1, p50: 10_000, p95: 10_000, p99: 10_000, max: 10_000 },
  ]);
});

test('operations are told in their order, and those that are none of the service are left out', () => {
  const latencies = new Latencies(['list', 'get']);
  for (const operation of ['get', 'list', 'get', 'paint']) latencies.add(answered(2, operation));
  expect(latencies.percentiles().map(({ operation, requests }) => [operation, requests])).toEqual([
    ['list', 1],
    ['get', 2],
  ]);
});

test('answers are counted by operation and status', () => {
  const answers = new Answers(['list', 'get']);
  for (const status of [401, 200, 200]) answers.add(answered(2, 'get', status));
  answers.add(answered(2, 'paint'));
  expect(answers.counts).toEqual([
    { operation: 'get', status: 200, count: 2 },
    { operation: 'get', status: 401, count: 1 },
  ]);
});
