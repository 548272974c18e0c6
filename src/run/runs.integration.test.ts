import { describe, expect, onTestFinished, test } from 'vitest';
import type { CreatedAnimal } from '../known/recall.ts';
import { findVariant, startReference } from '../reference/index.ts';
import { documentOf } from '../report/document.ts';
import { junitXml } from '../report/junit.ts';
import { markdownOf } from '../report/markdown.ts';
import { terminalText } from '../report/terminal.ts';
import { jsonText } from '../report/write.ts';
import { compareRuns } from '../result/comparison.ts';
import { conformance } from '../result/conformance.ts';
import type { RunResult } from '../result/result.ts';
import type { OnEvent } from './events.ts';
import { findingLines, KEY, optionsFor, reportOf } from './service.fixture.ts';

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
  const result = await conformance(optionsFor(await reference(), { signal: AbortSignal.abort(reason) }));
  expect(result).toMatchObject({ verdict: 'not tested', run: { interrupted }, summary: { requests: 0 } });
});

describe('runs against one running service', () => {
  test.each([undefined, 'oldest-first', 'by-chance', 'ids-random', 'listed-after-300-ms'])(
    'a second one with the same seed blames nothing that the first has left: %s',
    async (name) => {
      const baseUrl = await reference(name);
      for (const run of ['first', 'second']) {
        const result = await conformance(optionsFor(baseUrl, { settleMs: 500 }));
        expect([run, ...findingLines(result)]).toEqual([run]);
      }
    },
  );

  test('what the first page is too short to show after a few runs is no regression', async () => {
    const baseUrl = await reference('oldest-first');
    const runs: RunResult[] = [];
    for (const seed of [1, 2, 3]) runs.push(await conformance(optionsFor(baseUrl, { seed })));
    const [first, , last] = runs;
    if (first === undefined || last === undefined) throw new Error('no run');
    const { exitCode, requirements } = compareRuns(first, last);
    expect([last.exitCode, exitCode]).toEqual([0, 0]);
    expect(requirements).toContainEqual(
      expect.objectContaining({
        id: 'SERV-1',
        reason: expect.stringMatching(/^\d+ new animals never appeared on a page$/),
      }),
    );
  });

  test('a store that was emptied after the last run is told first, in every report', async () => {
    const remembered: CreatedAnimal[] = [];
    const onEvent: OnEvent = (event) => {
      if (event.kind === 'created' && remembered.length < 25) remembered.push(event.animal);
    };
    await conformance(optionsFor(await reference(), { onEvent }));
    const empty = await startReference({ token: KEY, seedAnimals: 0 });
    onTestFinished(() => empty.stop());
    const result = await conformance(optionsFor(empty.baseUrl, { remembered }));
    expect([result.exitCode, ...findingLines(result)]).toEqual([0]);
    const first =
      /The collection was reset: 25 of 25 animals of an earlier run \(2\S+ at \S+ UTC\) are gone\. All \d+ /;
    const context = { reportDir: 'reports' };
    const document = documentOf(result, context);
    expect(reportOf(result)).toMatch(new RegExp(`^${first.source}`, 'm'));
    expect(terminalText(document, { color: false, output: 'quiet' })).toMatch(new RegExp(`^${first.source}`, 'm'));
    expect(markdownOf(document)).toMatch(new RegExp(`^## .*: ${first.source}`));
    expect(JSON.parse(jsonText(result))).toMatchObject({ conclusion: expect.stringMatching(`^${first.source}`) });
    expect(junitXml(result, context)).toMatch(new RegExp(`<property name="conclusion" value="${first.source}`));
  });

  test('two at once do not blame each other', async () => {
    const baseUrl = await reference();
    const runs = await Promise.all(
      [1, 2].map(() => conformance(optionsFor(baseUrl, { seed: 11, concurrency: 8, settleMs: 2_000 }))),
    );
    expect(runs.flatMap(findingLines)).toEqual([]);
  });
});
