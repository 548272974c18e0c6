/** `--baseline`, `--history` and what is made of them, as a user has them: a service that is faulty, mended, and gone. */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import { compareResults } from '../../report/compare.ts';
import { readHistory } from '../../report/history/history-file.ts';
import type { RunResult } from '../../report/model/result.ts';
import type { RunOptions } from '../run-options.ts';
import type { Printed } from './program.fixture.ts';
import {
  type EndedHere,
  mainHere,
  newFolder,
  quickOptions,
  resultIn,
  runHere,
  serviceWith,
} from './run-in-process.fixture.ts';

const FAULTY = ['limit-plus-one'];
const SOUND: readonly string[] = [];

const folder = newFolder();

/** One run against a service of its own, of the checks of one requirement. */
async function runAgainst(faults: readonly string[], changes: Partial<RunOptions>): Promise<EndedHere> {
  const { baseUrl } = await serviceWith(faults);
  return runHere(quickOptions(baseUrl, { only: ['LIST-2'], output: 'normal', ...changes }));
}

describe('a baseline', () => {
  test('is written from a result, excuses its failures, and fails once they are mended', async () => {
    const file = join(folder, 'known.yaml');
    const { code, dir } = await runAgainst(FAULTY, {});
    expect(code).toBe(1);
    const written = await mainHere('baseline', dir, '--output', file, '--reason', 'Ticket 7');
    expect(written).toMatchObject({ code: 0, printed: `Wrote ${file}: 0 kept, 1 added, 0 removed\n` });
    const [line] = readFileSync(file, 'utf8').split('\n').slice(-2);
    expect(line).toBe('- { requirement: LIST-2, reason: "Ticket 7", profile: smoke, seed: 7 }');

    const excused = await runAgainst(FAULTY, { baseline: file });
    expect(excused.code).toBe(0);
    expect(excused.stdout).toContain('LIST-2 (Ticket 7)');

    const mended = await runAgainst(SOUND, { baseline: file });
    expect(mended.code).toBe(1);
    expect(mended.stdout).toContain(`${file}:3: remove the line "${line}": LIST-2 no longer fails`);
    for (const report of ['summary.md', 'junit.xml', 'report.html']) {
      expect(readFileSync(join(mended.dir, report), 'utf8')).toContain('no longer fails');
    }
    expect(resultIn(mended.dir).baseline).toMatchObject({ stale: ['LIST-2'], entries: [{ line: 3, state: 'stale' }] });

    // A wider run may have shown what this one does not send.
    writeFileSync(file, '- { requirement: LIST-2, reason: "Ticket 7", profile: standard, seed: 7 }\n');
    expect((await runAgainst(SOUND, { baseline: file })).code).toBe(0);

    writeFileSync(file, `${line}\n`);
    await mainHere('baseline', mended.dir, '--output', file);
    expect(readFileSync(file, 'utf8')).not.toContain('LIST-2');
    expect((await runAgainst(SOUND, { baseline: file })).code).toBe(0);
  });

  test('whose last day is over fails, and excuses nothing', async () => {
    const file = join(folder, 'expired.yaml');
    writeFileSync(file, '- { requirement: LIST-2, reason: "Ticket 7", expires: 2026-01-31 }\n');
    const still = await runAgainst(FAULTY, { baseline: file });
    expect([still.code, resultIn(still.dir).conclusion]).toEqual([1, expect.stringContaining('(LIST-2)')]);
    expect(still.stdout).toContain('it expired on 2026-01-31, and LIST-2 still fails');
    const mended = await runAgainst(SOUND, { baseline: file });
    expect(mended.code).toBe(1);
    expect(mended.stdout).toContain(`${file}:1 (LIST-2 expired on 2026-01-31)`);
  });

  test('that is wrong is refused before anything is sent', async () => {
    const file = join(folder, 'wrong.yaml');
    writeFileSync(file, '- LIST-2\n- { requirement: LIST-99, reason: a }\n');
    const { code, printed } = await mainHere('--baseline', file, '--report-dir', join(folder, 'none'));
    expect([code, printed]).toEqual([
      2,
      `--baseline: ${file}:2 lists "LIST-99", which is not a requirement; npm test -- list shows all (baseline-unknown-id)\n`,
    ]);
  });
});

describe('a history', () => {
  /** What compare says of the history; the target of each run is the embedded service. */
  const compare = (history: string, ...more: readonly string[]): Promise<Printed> =>
    mainHere('compare', '--history', history, ...more);
  const embedded = (history: string, seed: number): Promise<EndedHere> =>
    runHere(quickOptions(undefined, { only: ['LIST-2'], history, seed, reports: ['html'] }));

  test('has a line a run, which compare reads and the page draws; nothing else is written beside it', async () => {
    const home = newFolder();
    const history = join(home, 'history.jsonl');
    const first = await embedded(history, 1);
    expect(readFileSync(join(first.dir, 'report.html'), 'utf8')).not.toContain('id="trend"');
    expect(await compare(history)).toMatchObject({ code: 0, printed: expect.stringContaining('only one run of') });

    const second = await embedded(history, 2);
    const { runs } = await readHistory(history);
    expect(runs.map(({ seed, target, exitCode }) => [seed, target, exitCode])).toEqual([
      [1, 'embedded', 0],
      [2, 'embedded', 0],
    ]);
    expect(readFileSync(history, 'utf8')).not.toContain(KEY);
    expect(readFileSync(join(second.dir, 'report.html'), 'utf8')).toContain('id="trend"');
    expect(readdirSync(home)).toEqual(['history.jsonl']);

    const { code, printed } = await compare(history, '--last', '2');
    expect(code).toBe(0);
    expect(printed).toMatch(/seed +1 → 2/);
    expect(JSON.parse((await compare(history, '--format', 'json')).printed)).toMatchObject({ runs: 2, exitCode: 0 });

    // A line that was cut off is named, and the next run adds its own.
    appendFileSync(history, '{"format":"conf');
    const third = await embedded(history, 3);
    expect((await readHistory(history)).runs).toHaveLength(3);
    expect(readFileSync(join(third.dir, 'report.html'), 'utf8')).toContain('history.jsonl:3 is damaged');
    const damaged = expect.stringMatching(/^compare: .*:3 is damaged/m);
    expect(await compare(history)).toMatchObject({ code: 0, stderr: damaged });
  });

  test('tells a regression with 1, per target', async () => {
    const history = join(folder, 'regression.jsonl');
    const service = async (faults: readonly string[], port: number): Promise<string> => {
      const { baseUrl, stop } = await serviceWith(faults, { port });
      await runHere(quickOptions(baseUrl, { only: ['LIST-2'], history, reports: [] }));
      await stop();
      return baseUrl;
    };
    const url = await service(SOUND, 0);
    await service(FAULTY, Number(new URL(url).port));
    await embedded(history, 1);
    expect(await compare(history, '-u', url, '--format', 'md')).toMatchObject({
      code: 1,
      printed: expect.stringMatching(/^## ✗ Worse than before.*1 regression/),
    });
    expect(await compare(history, '-u', 'http://127.0.0.1:9/v1')).toMatchObject({ code: 2 });
  });
});

describe('compare', () => {
  /** A run for each seed, of all checks that have to do with limits and ids. */
  const runs = async (variants: readonly string[], ...seeds: readonly number[]): Promise<readonly RunResult[]> => {
    const { baseUrl } = await serviceWith(variants);
    const results: RunResult[] = [];
    for (const seed of seeds) {
      const options = { seed, only: ['LIST-*', 'GET-*'], reports: ['json'] } as const;
      const { dir } = await runHere(quickOptions(baseUrl, options));
      results.push(resultIn(dir));
    }
    return results;
  };

  test('tells a service that behaves differently, and nothing where other values were drawn', async () => {
    // Of its limits, some of a kind are refused and others read; its ids are never the same.
    const unchanged = await runs(['limits-by-their-first-digits', 'ids-random'], 1, 2, 3);
    for (const [at, before] of unchanged.entries()) {
      for (const after of unchanged.slice(at + 1)) {
        const { regressions, fixed, added, gone, readings, coverage } = compareResults(before, after);
        expect([regressions, fixed, added, gone, readings, coverage].flat()).toEqual([]);
      }
    }
    const [before, after] = [await runs([], 1), await runs(['limits-clamped'], 2)].flat();
    if (before === undefined || after === undefined) throw new Error('both were judged');
    const { readings } = compareResults(before, after);
    expect(readings).toEqual([
      {
        requirement: 'LIST-10',
        before: [expect.stringContaining('answers 400 to a limit above 100')],
        after: [expect.stringContaining('answers a page to a limit above 100')],
      },
    ]);
  });
});

test('--min-judged decides whether what was judged is enough', async () => {
  // Its lists never show an animal of the run, so that nothing can be said of LIST-13.
  const { baseUrl } = await serviceWith(['big-collection']);
  const options = { only: ['LIST-2', 'LIST-13'], reports: ['json'] as const };
  const strict = await runHere(quickOptions(baseUrl, options));
  const lenient = await runHere(quickOptions(baseUrl, { ...options, minJudged: 50 }));
  expect(strict.code).toBe(3);
  const why = 'no page was long enough to show an animal created by this run';
  expect(resultIn(strict.dir).conclusion).toBe(
    `No verdict: only 1 of 2 requirements could be judged, and 90 % must be (--min-judged). 1 requirement was not judged because ${why}.`,
  );
  expect([lenient.code, resultIn(lenient.dir).conclusion]).toEqual([0, expect.stringContaining(why)]);
});
