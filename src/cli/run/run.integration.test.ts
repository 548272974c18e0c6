/** The main job, end to end: the program in a process of its own, against services on real sockets. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEY } from '../../petstore/rig.fixture.ts';
import type { RunResult } from '../../report/model/result.ts';
import { runProgram } from './program.fixture.ts';
import { newFolder, resultIn, serviceWith } from './run-in-process.fixture.ts';

async function run(...argv: readonly string[]) {
  const dir = newFolder();
  return { ...(await runProgram(...argv, '--report-dir', dir, '--settle', '0.3')), dir };
}

/** The test cases in a JUnit report, by whether they failed. */
function casesIn(dir: string): { readonly all: number; readonly failed: number } {
  const text = readFileSync(join(dir, 'junit.xml'), 'utf8');
  return { all: text.split('<testcase ').length - 1, failed: text.split('<failure ').length - 1 };
}

const statuses = ({ requirements }: RunResult): Readonly<Record<string, string>> =>
  Object.fromEntries(requirements.map(({ id, status }) => [id, status]));

describe.concurrent('a run', () => {
  test('of the smoke profile on a correct service: 0, with valid reports; another one beside it disturbs neither', async () => {
    const service = await serviceWith();
    const options = ['--base-url', service.baseUrl, '--profile', 'smoke', '--seed', '5', '--report', 'junit,json'];
    const both = await Promise.all([run(...options), run(...options)]);
    const results = both.map(({ code, printed, dir }) => {
      expect([code, printed]).toEqual([0, expect.stringContaining('Conforms')]);
      const result = resultIn(dir);
      expect(result).toMatchObject({ verdict: 'conforms', exitCode: 0, run: { profile: 'smoke' } });
      expect(result.summary.judged).toBeGreaterThan(70);
      // One of the cases is that of the run.
      expect(casesIn(dir)).toEqual({ all: result.checks.length + 1, failed: 0 });
      return result;
    });
    const [first, second] = results;
    expect(first?.run.id).not.toBe(second?.run.id);
    expect(first?.checks.map(({ id }) => id)).toEqual(second?.checks.map(({ id }) => id));
    const requests = results.reduce((sum, { summary }) => sum + summary.requests, 0);
    expect(requests).toBeLessThanOrEqual(service.requests.length);
    expect(service.requests.filter(({ path }) => !path.startsWith('/v1/pets'))).toEqual([]);
  });

  test('on a faulty service: 1, with the failures in the reports', async () => {
    const { baseUrl } = await serviceWith(['limit-plus-one']);
    const ended = await run('--base-url', baseUrl, '--profile', 'smoke', '--only', 'LIST-*');
    expect(ended.code).toBe(1);
    const result = resultIn(ended.dir);
    expect(result).toMatchObject({ verdict: 'violations', exitCode: 1 });
    expect(result.summary.violated).toBeGreaterThan(0);
    expect(casesIn(ended.dir)).toMatchObject({ all: result.checks.length + 1, failed: result.summary.checks.failed });
    expect(readdirSync(join(ended.dir, 'failures')).length).toBeGreaterThan(0);
  });

  test('whose key is refused: 3, after a look that creates nothing', async () => {
    const service = await serviceWith([], { token: 'Another-Key' });
    const ended = await run('--base-url', service.baseUrl);
    expect([ended.code, ended.printed]).toEqual([3, expect.stringContaining('refuses the key')]);
    expect(service.requests.length).toBeLessThanOrEqual(4);
    const result = resultIn(ended.dir);
    expect(result).toMatchObject({ verdict: 'not judged', exitCode: 3, checks: [] });
    expect(ended.printed + JSON.stringify(result)).not.toContain(KEY);
  });

  test('where nothing listens: 3', async () => {
    const { baseUrl, stop } = await serviceWith();
    await stop();
    const ended = await run('--base-url', baseUrl);
    expect([ended.code, ended.printed]).toEqual([3, expect.stringContaining('Cannot reach')]);
  });

  test('with --only and --skip judges just that', async () => {
    const { baseUrl } = await serviceWith();
    const chosen = ['--only', 'LIST-*', '--only', 'get-2', '--skip', 'LIST-1*', '--profile', 'smoke'];
    const ended = await run('--base-url', baseUrl, ...chosen);
    expect(ended.code).toBe(0);
    const judged = Object.entries(statuses(resultIn(ended.dir))).filter(([, status]) => status === 'holds');
    const expected = ['LIST-2', 'LIST-3', 'LIST-4', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8', 'LIST-9', 'GET-2'];
    expect(judged.map(([id]) => id).toSorted()).toEqual(expected.toSorted());
  });

  test('with --read-only sends no POST at all', async () => {
    const service = await serviceWith([], { seedAnimals: 130 });
    const ended = await run('--base-url', service.baseUrl, '--read-only', '--profile', 'smoke');
    expect(ended.code).toBe(0);
    expect(service.requests.length).toBeGreaterThan(100);
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    const result = resultIn(ended.dir);
    expect(statuses(result)).toMatchObject({ 'CREATE-2': 'not judged', 'LIST-2': 'holds', 'GET-1': 'holds' });
    expect(result.summary.creations).toBe(0);
  });

  test('with --max-creates 10 adds no more than ten animals', async () => {
    let stored = 0;
    const { baseUrl } = await serviceWith([], {}, (steps) => ({
      ...steps,
      store: (pet, call) => {
        stored += 1;
        steps.store(pet, call);
      },
    }));
    const ended = await run('--base-url', baseUrl, '--max-creates', '10', '--profile', 'smoke');
    expect(ended.code).toBe(0);
    const result = resultIn(ended.dir);
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBe(result.summary.creations);
    expect(stored).toBeLessThanOrEqual(10);
    expect(statuses(result)).toMatchObject({ 'LIST-2': 'not judged' });
  });
});
