/** The main job, end to end: the program in a process of its own, against services on real sockets. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { KEY, recordingReference } from '../../petstore/rig.fixture.ts';
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

/** The key, in the forms in which it could slip through. */
const KEY_FORMS = [
  KEY,
  KEY.toUpperCase(),
  KEY.toLowerCase(),
  Buffer.from(KEY).toString('base64'),
  Buffer.from(KEY).toString('hex'),
];

function bytesThatHoldTheKey({ dir, printed }: Ended): readonly string[] {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const written = files.map((file): readonly [string, string] => [file, readFileSync(file, 'latin1')]);
  return [...written, ['the terminal', printed] as const]
    .filter(([, text]) => KEY_FORMS.some((form) => text.includes(form)))
    .map(([where]) => where);
}

describe.concurrent('a run', () => {
  test('of the smoke profile on a correct service: 0, with valid reports', async () => {
    const service = await recordingReference();
    const ended = await run('green', '--base-url', service.baseUrl, '--profile', 'smoke', '--report', 'junit,json');
    await service.stop();
    expect([ended.code, ended.printed]).toEqual([0, expect.stringContaining('Conforms')]);
    const result = resultIn(ended.dir);
    expect(result).toMatchObject({ verdict: 'conforms', exitCode: 0, run: { profile: 'smoke' } });
    expect(result.summary.judged).toBeGreaterThan(70);
    expect(result.summary.requests).toBeLessThanOrEqual(service.requests.length);
    // One of the cases is that of the run.
    expect(casesIn(ended.dir)).toEqual({ all: result.checks.length + 1, failed: 0 });
    expect(service.requests.filter(({ path }) => !path.startsWith('/v1/pets'))).toEqual([]);
  });

  test('on a faulty service that gives away the key: 1, and the key in nothing written or printed', async () => {
    const service = await recordingReference({}, (steps) => ({
      ...steps,
      // Whatever it was sent as a key stands in every Error, and most of them lack `status`.
      describeError: (_refusal, call) => ({
        code: call.header('authorization') ?? '',
        message: `${KEY} ${Buffer.from(KEY).toString('base64')} ${call.incoming.url}`,
      }),
    }));
    const formats = 'junit,json,html,md,har';
    const only = ['--only', 'AUTH-*', '--only', 'ERR-*', '--only', 'CREATE-2'];
    const ended = await run('red', '--base-url', service.baseUrl, '--report', formats, ...only);
    await service.stop();
    expect(ended.code).toBe(1);
    const result = resultIn(ended.dir);
    expect(result).toMatchObject({ verdict: 'violations', exitCode: 1 });
    expect(result.summary.violated).toBeGreaterThan(0);
    expect(casesIn(ended.dir)).toMatchObject({ all: result.checks.length + 1, failed: result.summary.checks.failed });
    expect(readdirSync(join(ended.dir, 'failures')).length).toBeGreaterThan(0);
    expect(bytesThatHoldTheKey(ended)).toEqual([]);
  });

  test('whose key is refused: 3, after a look that creates nothing', async () => {
    const service = await recordingReference({ token: 'Another-Key' });
    const ended = await run('refused', '--base-url', service.baseUrl);
    await service.stop();
    expect([ended.code, ended.printed]).toEqual([3, expect.stringContaining('refuses the key')]);
    expect(service.requests.length).toBeLessThanOrEqual(4);
    expect(resultIn(ended.dir)).toMatchObject({ verdict: 'not judged', exitCode: 3, checks: [] });
    expect(bytesThatHoldTheKey(ended)).toEqual([]);
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
    const chosen = ['--only', 'LIST-*', '--only', 'get-2', '--skip', 'LIST-1*'];
    const ended = await run('chosen', '--base-url', service.baseUrl, ...chosen);
    await service.stop();
    expect(ended.code).toBe(0);
    const judged = Object.entries(statuses(resultIn(ended.dir))).filter(([, status]) => status === 'holds');
    const expected = ['LIST-2', 'LIST-3', 'LIST-4', 'LIST-5', 'LIST-6', 'LIST-7', 'LIST-8', 'LIST-9', 'GET-2'];
    expect(judged.map(([id]) => id).toSorted()).toEqual(expected.toSorted());
  });

  test('of a single check that has no rule for every answer: 0', async () => {
    const service = await recordingReference();
    const ended = await run('single', '--base-url', service.baseUrl, '--only', 'GET-2');
    await service.stop();
    expect([ended.code, ended.printed]).toEqual([0, expect.stringContaining('Conforms')]);
    expect(resultIn(ended.dir).checks).toMatchObject([{ id: 'GET-2', outcome: { kind: 'passed' } }]);
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

  test('beside another on the same service, into another folder, disturbs neither', async () => {
    const service = await recordingReference();
    const options = ['--base-url', service.baseUrl, '--profile', 'smoke', '--seed', '5'];
    const both = await Promise.all([run('one', ...options), run('two', ...options)]);
    await service.stop();
    const results = both.map(({ dir }) => resultIn(dir));
    expect(both.map(({ code, printed }) => ({ code, printed }))).toEqual(
      both.map(() => ({ code: 0, printed: expect.stringContaining('Conforms') })),
    );
    const [first, second] = results;
    expect(first?.run.id).not.toBe(second?.run.id);
    expect(first?.checks.map(({ id }) => id)).toEqual(second?.checks.map(({ id }) => id));
  });
});
