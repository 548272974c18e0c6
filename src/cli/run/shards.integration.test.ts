/** Shards of one run side by side, and what `merge` makes of them: the report that one run gives. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../../suites/index.ts';
import { recordingReference } from '../../petstore/rig.fixture.ts';
import { findFault } from '../../reference/index.ts';
import type { RunResult } from '../../report/model/result.ts';
import { merge } from '../commands/merge.ts';
import type { RunOptions } from '../run-options.ts';
import { runProgram } from './program.fixture.ts';
import { ledgerIn, quickOptions, resultIn, runHere } from './run-in-process.fixture.ts';

const SHARDS = [1, 2, 3, 4].map((number) => ({ number, of: 4 }));

async function serving<T>(faults: readonly string[], use: (baseUrl: string) => Promise<T>): Promise<T> {
  const service = await recordingReference({
    faults: faults.map((name) => {
      const fault = findFault(name);
      if (fault === undefined) throw new Error(`there is no fault ${name}`);
      return fault;
    }),
  });
  try {
    return await use(service.baseUrl);
  } finally {
    await service.stop();
  }
}

/** Four shards at the same time against one service, each with a folder of its own. */
async function sharded(baseUrl: string | undefined, changes: Partial<RunOptions> = {}) {
  const runs = await Promise.all(SHARDS.map((shard) => runHere(quickOptions(baseUrl, { ...changes, shard }))));
  return runs.map((run) => ({ ...run, result: resultIn(run.dir) }));
}

/** Merges with the command, and reads what it has written. */
async function merged(dirs: readonly string[]) {
  const { reportDir: dir } = quickOptions(undefined);
  let printed = '';
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      printed += chunk.toString('utf8');
      done();
    },
  });
  const files = dirs.map((folder) => join(folder, 'conformance.json'));
  const reports = ['junit', 'json', 'html', 'md'] as const;
  const code = await merge({ kind: 'merge', files, reports, reportDir: dir, history: undefined, color: false }, stdout);
  return { code, printed, dir, result: resultIn(dir) };
}

const violated = ({ requirements }: RunResult): readonly string[] =>
  requirements.filter(({ status }) => status === 'violated').map(({ id }) => id);

/** Of each cause the requirement that owns the fault, and the others; their order goes by how many answers each judged. */
const owned = ({ causes = [] }: RunResult) =>
  causes.map(({ requirements: [owner, ...others] }) => ({ owner, others: others.toSorted() }));

/** The names of all test cases in a JUnit report. */
const casesIn = (dir: string): readonly string[] =>
  [...readFileSync(join(dir, 'junit.xml'), 'utf8').matchAll(/<testcase [^>]* name="([^"]*)"/g)].map(
    ([, name = '']) => name,
  );

const checkIds = ({ checks }: RunResult): readonly string[] => checks.map(({ id }) => id);
const outcomes = ({ checks }: RunResult) => Object.fromEntries(checks.map(({ id, outcome }) => [id, outcome.kind]));
const readings = ({ checks }: RunResult): readonly string[] =>
  checks.flatMap(({ observations }) => observations.map(({ requirement, reading }) => `${requirement} ${reading}`));

describe('of a service that conforms', () => {
  test('four shards side by side all conform, and merged they are one run', { timeout: 120_000 }, async () => {
    const shards = await serving([], (baseUrl) => sharded(baseUrl));
    for (const { code, result, dir } of shards) {
      expect([code, result.conclusion]).toEqual([
        0,
        expect.stringMatching(/^Conforms: every requirement that was judged holds\. /),
      ]);
      // What belongs to another shard was left out, not tried in vain.
      const { own = [], others = [] } = result.run.shard ?? {};
      const unjudged = result.checks.filter(({ id, outcome }) => others.includes(id) && outcome.kind !== 'passed');
      expect(unjudged).toEqual([]);
      expect(checkIds(result)).toEqual(expect.arrayContaining([...own]));
      // Each case is in the report of one shard, but for what every shard looks back at, and for its own verdict.
      expect(casesIn(dir)).toHaveLength(own.length + 1);
    }
    const { code, printed, result, dir } = await merged(shards.map((shard) => shard.dir));
    expect(code).toBe(0);
    expect(printed).toContain('Note: Merged from 4 shards.\n');
    expect(printed).toMatch(
      /Conforms: every requirement that was judged holds\. Every requirement that applies was judged\. Reports in /,
    );
    expect(readdirSync(dir).sort()).toEqual([
      'conformance.json',
      'created.jsonl',
      'junit.xml',
      'report.html',
      'summary.md',
    ]);
    expect(checkIds(result).toSorted()).toEqual(CHECKS.map(({ id }) => id).toSorted());
    expect(new Set(casesIn(dir)).size).toBe(casesIn(dir).length);
    expect(ledgerIn(dir)).toHaveLength(result.summary.creations);
    expect(result.summary.requests).toBe(shards.reduce((sum, shard) => sum + shard.result.summary.requests, 0));

    const one = await serving([], async (baseUrl) => resultIn((await runHere(quickOptions(baseUrl))).dir));
    expect(result).toMatchObject({ verdict: one.verdict, exitCode: one.exitCode, conclusion: one.conclusion });
    expect(result.coverage?.map(coverageText).toSorted()).toEqual(one.coverage?.map(coverageText).toSorted());
    expect(new Set(readings(result)).size).toBe(readings(result).length);
    for (const { id, judged = 0 } of one.checks) {
      const own = result.checks.find((check) => check.id === id);
      expect([id, (own?.judged ?? 0) > 0]).toEqual([id, judged > 0]);
    }
  });

  test('shards of the embedded service have what one run of it has', { timeout: 120_000 }, async () => {
    const shards = await sharded(undefined);
    const { result } = await merged(shards.map(({ dir }) => dir));
    const one = resultIn((await runHere(quickOptions(undefined))).dir);
    expect(outcomes(result)).toEqual(outcomes(one));
    const statuses = ({ requirements }: RunResult) =>
      requirements.map(({ id, status, reason }) => [id, status, reason]);
    expect(statuses(result)).toEqual(statuses(one));
    expect(readings(result).toSorted()).toEqual(readings(one).toSorted());
  });
});

const coverageText = ({ space, tuples, covered, possible }: NonNullable<RunResult['coverage']>[number]): string =>
  `${covered} of ${possible} ${tuples} of ${space}`;

describe('of a service with a fault', () => {
  // Which requests are hit by what comes and goes is chance, and so is what else they violate.
  test.each([
    ['filter-ignored', 'all'],
    ['any-key-opens-listpets', 'all'],
    ['refused-name-added', 'all'],
    ['one-in-20-creations-200', 'its own'],
    ['one-in-30-answers-500', 'its own'],
  ])('%s: shards find violated what one run does (%s)', { timeout: 180_000 }, async (name, which) => {
    const shards = await serving([name], (baseUrl) => sharded(baseUrl));
    const { code, result, dir, printed } = await merged(shards.map((shard) => shard.dir));
    const one = await serving([name], async (baseUrl) => resultIn((await runHere(quickOptions(baseUrl))).dir));
    expect(code).toBe(1);
    expect(violated(result)).toContain(findFault(name)?.breaks);
    expect(violated(one)).toContain(findFault(name)?.breaks);
    if (which === 'all') {
      expect(violated(result)).toEqual(violated(one));
      expect(owned(result)).toEqual(owned(one));
    }
    expect(printed).toContain('Does not conform');
    const failed = result.checks.filter(({ outcome }) => outcome.kind === 'failed').map(({ id }) => `${id}.json`);
    expect(readdirSync(join(dir, 'failures')).toSorted()).toEqual(failed.toSorted());
  });
});

describe('by the program itself', () => {
  test('each target is sharded, and merged on its own', { timeout: 180_000 }, async () => {
    const { reportDir } = quickOptions(undefined);
    await serving([], (good) =>
      serving(['limit-7-gives-8'], async (bad) => {
        const chosen = ['--only', 'LIST-2,LIST-3,LIM-*', '--settle', '0.3', '--today', '2027-01-01'];
        const runs = await Promise.all(
          ['1/2', '2/2'].map((shard) =>
            runProgram(
              '-u',
              good,
              '-u',
              bad,
              '--shard',
              shard,
              '--report-dir',
              join(reportDir, shard.slice(0, 1)),
              ...chosen,
            ),
          ),
        );
        expect(runs.map(({ code }) => code)).toContain(1);
        expect(runs[1]?.printed).toContain(' · standard · seed 1 · shard 2/2\n');
        const folder = (url: string): string => url.replace('http://', '').replace(/[^A-Za-z0-9.-]+/g, '_');
        const shardsOf = (url: string): readonly string[] =>
          ['1', '2'].map((number) => join(reportDir, number, folder(url)));
        const merging = ['merge', '--report-dir', join(reportDir, 'merged')];
        expect(await runProgram(...merging, ...shardsOf(good))).toMatchObject({ code: 0 });
        const { code, printed } = await runProgram(...merging, ...shardsOf(bad));
        expect([code, printed]).toEqual([
          1,
          expect.stringContaining('Does not conform: 1 requirement is violated (LIST-2).'),
        ]);
        expect(printed).toContain(`--replay ${join(reportDir, 'merged', 'failures/LIST-2.json')}`);
        const mixed = await runProgram(...merging, ...shardsOf(good), ...shardsOf(bad));
        expect([mixed.code, mixed.printed]).toEqual([
          2,
          expect.stringMatching(/^merge: Cannot merge: result 3 is of /),
        ]);
        const half = await runProgram(...merging, ...shardsOf(good).slice(0, 1));
        expect([half.code, half.printed]).toEqual([2, expect.stringMatching(/shard 2\/2 is missing/)]);
      }),
    );
  });
});
