import { describe, expect, onTestFinished, test } from 'vitest';
import { conformance } from './conformance.ts';
import { findVariant, startReference } from './reference/index.ts';
import { compareRuns } from './report/compare.ts';
import type { RunResult } from './report/result.ts';
import { KEY, optionsFor, said } from './service.fixture.ts';

async function reference(name?: string): Promise<string> {
  const variant = name === undefined ? undefined : findVariant(name);
  if (name !== undefined && variant === undefined) throw new Error(`there is no variant ${name}`);
  const running = await startReference({ token: KEY, seed: 3, variants: variant === undefined ? [] : [variant] });
  onTestFinished(() => running.stop());
  return running.baseUrl;
}

test.each([
  ['SIGTERM', 'SIGTERM'],
  ['why', 'abort'],
])('a run that %s ends says so', async (reason, interrupted) => {
  const { result } = await conformance(optionsFor(await reference(), { signal: AbortSignal.abort(reason) }));
  expect(result).toMatchObject({ verdict: 'not tested', run: { interrupted }, summary: { requests: 0 } });
});

describe('runs against one running service', () => {
  // biome-ignore format: one table
  test.each([
    undefined, 'oldest-first', 'order-by-limit', 'by-chance', 'by-status', 'ids-random', 'ids-negative', 'by-name',
    'listed-after-300-ms', 'most-lenient-of-all',
  ])('a second one with the same seed blames nothing that the first has left: %s', async (name) => {
    const baseUrl = await reference(name);
    for (const run of ['first', 'second']) {
      const { result } = await conformance(optionsFor(baseUrl, { settleMs: 500 }));
      expect([run, ...said(result)]).toEqual([run]);
    }
  });

  test('what the first page is too short to show after a few runs is no regression', async () => {
    const baseUrl = await reference('oldest-first');
    const runs: RunResult[] = [];
    for (const seed of [1, 2, 3]) runs.push((await conformance(optionsFor(baseUrl, { seed }))).result);
    const [first, , last] = runs;
    if (first === undefined || last === undefined) throw new Error('no run');
    const { regressions, changed } = compareRuns(first, last);
    expect([last.exitCode, regressions]).toEqual([0, []]);
    expect(changed).toContainEqual(
      expect.objectContaining({ id: 'LIST-12', reason: 'no page without limit showed three animals of the run' }),
    );
  });

  test('two at once do not blame each other', async () => {
    const baseUrl = await reference();
    const runs = await Promise.all(
      [1, 2].map(() => conformance(optionsFor(baseUrl, { seed: 11, concurrency: 8, settleMs: 2_000 }))),
    );
    expect(runs.flatMap(({ result }) => said(result))).toEqual([]);
  });
});
