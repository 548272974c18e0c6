/** The main job, end to end: the program in a process of its own, against services on real sockets. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { KEY, recordingReference } from '../../petstore/rig.fixture.ts';
import { findFault } from '../../reference/index.ts';
import type { RunResult } from '../../report/model/result.ts';
import { type Printed, runProgram } from './program.fixture.ts';
import { resultIn } from './run-in-process.fixture.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-run-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended extends Printed {
  /** Where the reports are. */
  readonly dir: string;
}

async function run(name: string, ...argv: readonly string[]): Promise<Ended> {
  const dir = join(folder, name);
  return { ...(await runProgram(...argv, '--report-dir', dir, '--settle', '0.3')), dir };
}

/** The test cases in a JUnit report, by whether they failed. */
function casesIn(dir: string): { readonly all: number; readonly failed: number } {
  const root = create(readFileSync(join(dir, 'junit.xml'), 'utf8')).root();
  let all = 0;
  let failed = 0;
  root.each(
    ({ node: { nodeName } }) => {
      if (nodeName === 'testcase') all += 1;
      if (nodeName === 'failure') failed += 1;
    },
    false,
    true,
  );
  return { all, failed };
}

function statuses({ requirements }: RunResult): Readonly<Record<string, string>> {
  return Object.fromEntries(requirements.map(({ id, status }) => [id, status]));
}

describe.concurrent('a run', () => {
  test('of the smoke profile on a correct service: 0, with valid reports; another one beside it disturbs neither', async () => {
    const service = await recordingReference();
    const options = ['--base-url', service.baseUrl, '--profile', 'smoke', '--seed', '5', '--report', 'junit,json'];
    const both = await Promise.all([run('one', ...options), run('two', ...options)]);
    await service.stop();
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
    const service = await recordingReference({}, findFault('limit-plus-one')?.change);
    const ended = await run('red', '--base-url', service.baseUrl, '--profile', 'smoke', '--only', 'LIST-*');
    await service.stop();
    expect(ended.code).toBe(1);
    const result = resultIn(ended.dir);
    expect(result).toMatchObject({ verdict: 'violations', exitCode: 1 });
    expect(result.summary.violated).toBeGreaterThan(0);
    expect(casesIn(ended.dir)).toMatchObject({ all: result.checks.length + 1, failed: result.summary.checks.failed });
    expect(readdirSync(join(ended.dir, 'failures')).length).toBeGreaterThan(0);
  });

  test('whose key is refused: 3, after a look that creates nothing', async () => {
    const service = await recordingReference({ token: 'Another-Key' });
    const ended = await run('refused', '--base-url', service.baseUrl);
    await service.stop();
    expect([ended.code, ended.printed]).toEqual([3, expect.stringContaining('refuses the key')]);
    expect(service.requests.length).toBeLessThanOrEqual(4);
    const result = resultIn(ended.dir);
    expect(result).toMatchObject({ verdict: 'not judged', exitCode: 3, checks: [] });
    expect(ended.printed + JSON.stringify(result)).not.toContain(KEY);
  });

  test('where nothing listens: 3', async () => {
    const probe = createServer();
    await once(probe.listen(0, '127.0.0.1'), 'listening');
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await new Promise((resolve) => probe.close(resolve));
    const ended = await run('nobody', '--base-url', `http://127.0.0.1:${port}/v1`);
    expect([ended.code, ended.printed]).toEqual([3, expect.stringContaining('Cannot reach')]);
  });

  test('with an option that does not exist: 2, and nothing is sent', async () => {
    const service = await recordingReference();
    const ended = await run('usage', '--base-url', service.baseUrl, '--sed', '7');
    await service.stop();
    expect([ended.code, ended.printed]).toEqual([2, expect.stringMatching(/^--sed: .*--seed.*\n$/)]);
    expect(service.requests).toEqual([]);
  });

  test('with --only and --skip judges just that', async () => {
    const service = await recordingReference();
    const chosen = ['--only', 'LIST-*', '--only', 'get-2', '--skip', 'LIST-1*', '--profile', 'smoke'];
    const ended = await run('chosen', '--base-url', service.baseUrl, ...chosen);
    await service.stop();
    expect(ended.code).toBe(0);
    const judged = Object.entries(statuses(resultIn(ended.dir))).filter(([, status]) => status === 'holds');
    const expected = ['LIST-2', 'LIST-3', 'LIST-4', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8', 'LIST-9', 'GET-2'];
    expect(judged.map(([id]) => id).toSorted()).toEqual(expected.toSorted());
  });

  test('with --read-only sends no POST at all', async () => {
    const service = await recordingReference({ seedAnimals: 130 });
    const ended = await run('reading', '--base-url', service.baseUrl, '--read-only', '--profile', 'smoke');
    await service.stop();
    expect(ended.code).toBe(0);
    expect(service.requests.length).toBeGreaterThan(100);
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    const result = resultIn(ended.dir);
    expect(statuses(result)).toMatchObject({ 'CREATE-2': 'not judged', 'LIST-2': 'holds', 'GET-1': 'holds' });
    expect(result.summary.creations).toBe(0);
  });

  test('with --max-creates 10 adds no more than ten animals', async () => {
    const service = await recordingReference();
    const ended = await run('few', '--base-url', service.baseUrl, '--max-creates', '10', '--profile', 'smoke');
    const held = await fetch(`${service.baseUrl}/pets?limit=100`, { headers: { authorization: `Bearer ${KEY}` } });
    const animals: unknown = await held.json();
    await service.stop();
    expect(ended.code).toBe(0);
    const result = resultIn(ended.dir);
    expect(result.summary.creations).toBeGreaterThan(0);
    expect(animals).toHaveLength(5 + result.summary.creations);
    expect(result.summary.creations).toBeLessThanOrEqual(10);
    expect(statuses(result)).toMatchObject({ 'LIST-2': 'not judged' });
  });
});
