import { describe, expect, test } from 'vitest';
import { SCRIPTS } from '../../suites/course.ts';
import { PARTS } from '../../suites/index.ts';
import { Network } from '../http/network.ts';
import type { Exchange } from '../reading/exchange.ts';
import type { Terms } from '../reading/fill.ts';
import { conformance } from '../result/conformance.ts';
import { PROFILES } from './budget.ts';
import { Course } from './course.ts';
import { findingLines, KEY, optionsFor, serve } from './service.fixture.ts';

test('--concurrency is a number of connections and of requests', async () => {
  const { baseUrl, most } = await serve(async (_, right) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return right();
  });
  const result = await conformance(optionsFor(baseUrl, { concurrency: 3 }));
  expect(findingLines(result)).toEqual([]);
  expect(most).toEqual({ connections: 3, requests: 3 });
});

describe('the seed', () => {
  const FIRST_OF_SCRIPTS = 8_000;
  const terms: Terms = {
    basePath: '/v1',
    key: KEY,
    agent: 'agent',
    categories: [],
    today: '2026-01-01',
    settleMs: 1_000,
  };

  /** The rows of a run as texts, and the tag of its names. In which order they go out, `engine.test.ts` shows of the plan. */
  async function rowsOf(seed: number) {
    const { baseUrl } = await serve();
    const network = new Network({
      baseUrl,
      connections: 16,
      requestTimeoutMs: 10_000,
      signal: new AbortController().signal,
      env: {},
    });
    const seen: Exchange[] = [];
    const course = new Course({
      requirements: PARTS.flatMap(({ requirements }) => requirements),
      course: Object.values(SCRIPTS),
      terms,
      network,
      limits: PROFILES.smoke,
      connections: 16,
      seed,
      isReadOnly: false,
      remembered: [],
      isBoundByUser: false,
      signal: new AbortController().signal,
      onEvent: (event) => {
        if (event.kind === 'checked') seen.push(event.checked.exchange);
      },
    });
    await course.run().finally(() => network.close());
    // Of each row the row itself, not the look at the animal that it has made; what scripts send has other numbers.
    const rows = new Map<string, Exchange>();
    for (const exchange of seen.toSorted((one, other) => one.number - other.number)) {
      const [, , row = ''] = exchange.names['NAME']?.split(' ') ?? [];
      if (row !== '' && Number(row) < FIRST_OF_SCRIPTS && !rows.has(row)) rows.set(row, exchange);
    }
    const texts = [...rows].map(([row, { call }]) => `${row} ${JSON.stringify(call)}`);
    const tag = seen.find(({ names }) => names['NAME'] !== undefined)?.names['NAME']?.split(' ')[1];
    return { texts: texts.toSorted(), tag };
  }

  test('the same one sends the same rows, another run marks them otherwise, and another seed sends others', async () => {
    const [one, same, other] = [await rowsOf(5), await rowsOf(5), await rowsOf(6)];
    expect(one.texts.length).toBeGreaterThan(300);
    expect(same.texts).toEqual(one.texts);
    expect(other.texts).not.toEqual(one.texts);
    expect(same.tag).not.toBe(one.tag);
  });
});
