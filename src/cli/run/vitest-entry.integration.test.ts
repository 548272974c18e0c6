/** The package's entry `petstore-conformance/vitest`, as somebody uses it in a vitest run of their own. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonTestResults } from 'vitest/node';
import { PACKAGE_ROOT } from '../../package.ts';
import { KEY, recordingReference, recordingServer } from '../../petstore/rig.fixture.ts';
import { findFault } from '../../reference/index.ts';
import { endOf } from './program.fixture.ts';

const PACKAGE = fileURLToPath(PACKAGE_ROOT);

/** A project with the suite and vitest among its dependencies. */
let project = '';
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'petstore-vitest-'));
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(PACKAGE, join(project, 'node_modules/petstore-conformance'), 'dir');
  symlinkSync(join(PACKAGE, 'node_modules/vitest'), join(project, 'node_modules/vitest'), 'dir');
  writeFileSync(join(project, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true }));

interface ShownTest {
  readonly title: string;
  readonly suites: readonly string[];
  readonly status: string;
  readonly messages: readonly string[];
}

interface VitestRun {
  readonly exitCode: number | null;
  readonly printed: string;
  /** The report of vitest's JSON reporter, with the metadata of the tests. */
  readonly json: string;
  readonly tests: readonly ShownTest[];
}

/** Runs `vitest run` on one test file of the project. */
async function vitest(name: string, source: string): Promise<VitestRun> {
  const file = `${name}.test.js`;
  const output = join(project, `${name}.json`);
  writeFileSync(join(project, file), source);
  const program = join(project, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${output}`];
  const child = spawn(process.execPath, [program, 'run', file, ...reporters], {
    cwd: project,
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { printed } = await endOf(child);
  const json = readFileSync(output, 'utf8');
  const results: JsonTestResults = JSON.parse(json);
  const tests = results.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, ancestorTitles, status, failureMessages }) => ({
      title,
      suites: ancestorTitles.filter((suite) => suite !== ''),
      status,
      messages: failureMessages ?? [],
    })),
  );
  return { exitCode: child.exitCode, printed, json, tests };
}

/** Before the removal date of getPet, whenever the tests run. */
const TODAY = '2027-01-01';

const judging = (options: object): string => `
  import { petStoreConformance } from 'petstore-conformance/vitest';
  petStoreConformance(${JSON.stringify({ token: KEY, today: TODAY, settleMs: 300, requestTimeoutMs: 60_000, ...options })});
`;

const titled = (tests: readonly ShownTest[], id: string): readonly ShownTest[] =>
  tests.filter(({ title }) => title.startsWith(`${id} `));

describe.concurrent('the checks in a vitest run of one’s own', () => {
  test('pass against a correct service, each as a test in the suite of its phase', async () => {
    const service = await recordingReference();
    const { baseUrl } = service;
    const { exitCode, tests, printed } = await vitest('correct', judging({ baseUrl, profile: 'smoke' }));
    await service.stop();
    expect(tests.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(exitCode).toBe(0);
    expect(tests.filter(({ status }) => status === 'passed').length).toBeGreaterThan(80);
    expect(titled(tests, 'LIST-2').map(({ suites, title }) => [...suites, title])).toEqual([
      ['Pet Store conformance', 'LIST-2 a page never holds more animals than its limit'],
    ]);
    expect(titled(tests, 'VERS-4')).toMatchObject([{ status: 'skipped' }]);
    expect(printed).toMatch(/↓.* VERS-4 .*\[it applies on and after 5 December 2030/);
  });

  test('fail with what is wrong against a faulty service', async () => {
    const fault = findFault('limit-7-gives-8');
    if (fault === undefined) throw new Error('the fault is gone');
    const service = await recordingReference({ faults: [fault] });
    const { baseUrl } = service;
    const chosen = { baseUrl, only: ['LIST-2', 'GET-2'] };
    const { exitCode, tests, printed } = await vitest('faulty', judging(chosen));
    await service.stop();
    expect(exitCode).toBe(1);
    const failed = tests.filter(({ status }) => status === 'failed');
    const message = 'a page asked for with limit=7 holds 8 animals (expected at most 7 animals, got 8 animals)';
    expect(failed.map(({ title, messages }) => [title, messages])).toEqual([
      ['LIST-2 a page never holds more animals than its limit', [expect.stringContaining(message)]],
    ]);
    for (const text of [printed, ...failed.flatMap(({ messages }) => messages)]) {
      for (const part of [
        message,
        'sent       GET /v1/pets?limit=7',
        '200 application/json · [{"id":',
        'curl       curl -i --path-as-is --globoff -H',
        `/pets?limit=7'\n`,
        `run again  npx petstore-conformance --base-url ${baseUrl} --only LIST-2 --seed 1 `,
      ]) {
        expect(text).toContain(part);
      }
      expect(text).not.toMatch(/dist\/|\n\s+at /);
    }
    expect(printed).not.toContain(KEY);
    expect(titled(tests, 'GET-2').map(({ status }) => status)).toContain('passed');
  });

  test('show no key, in messages or metadata, where the service repeats the Authorization header', async () => {
    const service = await recordingServer(({ method, url, headers: { authorization } }, response) => {
      const animal = { id: 1, name: authorization, categoryId: 1, status: authorization };
      const error = { code: authorization, message: `unknown key: ${authorization}`, status: authorization };
      const isError = url?.includes('/pets/') === true;
      response.writeHead(isError ? 404 : method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(isError ? error : method === 'POST' ? animal : [animal]));
    });
    const chosen = { baseUrl: service.baseUrl, profile: 'smoke', only: ['RES-*', 'LIST-6', 'ERR-*', 'GET-*'] };
    const { exitCode, tests, printed, json } = await vitest('echo', judging(chosen));
    await service.stop();
    expect(exitCode).toBe(1);
    const shown = tests.filter(({ messages }) => messages.some((message) => message.includes('[redacted]')));
    expect(shown.length).toBeGreaterThan(3);
    for (const output of [printed, json]) {
      expect(output).toContain('[redacted]');
      expect(output.toLowerCase()).not.toContain(KEY.toLowerCase());
    }
    expect(json).not.toContain('"judged"');
    expect(json).not.toContain('"telemetry"');
  });

  test.each([
    [{ only: ['LSIT-2', 'GET-2'] }, 'only: no requirement matches "LSIT-2"; did you mean LIST-2?'],
    [{ skip: ['LIST-99'] }, 'skip: no requirement matches "LIST-99"'],
    [{ only: ['LIST-2'], skip: ['LIST-*'] }, 'no check is left to run'],
  ])('are not run where nothing is named by %j', async (chosen, message) => {
    const name = `typo-${message.length}`;
    const { exitCode, tests, printed } = await vitest(name, judging({ baseUrl: 'http://127.0.0.1:1/v1', ...chosen }));
    expect([exitCode, tests]).toEqual([1, []]);
    expect(printed).toContain(message);
  });

  test('may be chosen in any letter case, and several in one text', async () => {
    const service = await recordingReference();
    const chosen = { baseUrl: service.baseUrl, profile: 'smoke', only: ['get-2, vers-4'] };
    const { tests } = await vitest('letter-case', judging(chosen));
    await service.stop();
    expect(new Set(tests.map(({ title }) => title.split(' ', 1)[0]))).toEqual(new Set(['GET-2', 'VERS-4']));
  });

  test('are skipped with the reason where nothing can be judged', async () => {
    const service = await recordingReference();
    const { baseUrl } = service;
    const chosen = { baseUrl, profile: 'smoke', readOnly: true, only: ['CREATE-2', 'GET-2'] };
    const { exitCode, tests, printed } = await vitest('read-only', judging(chosen));
    await service.stop();
    expect(exitCode).toBe(0);
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(titled(tests, 'CREATE-2').at(-1)).toMatchObject({ status: 'skipped' });
    expect(printed).toMatch(/↓.* CREATE-2 .*\[--read-only allows /);
  });

  test('do not run against a service that cannot be judged; the message says why', async () => {
    const service = await recordingReference({ token: 'Another-Key' });
    const { exitCode, printed } = await vitest('refused', judging({ baseUrl: service.baseUrl }));
    await service.stop();
    expect(exitCode).toBe(1);
    expect(printed).toContain('refuses the key');
    expect(service.requests.length).toBeLessThanOrEqual(4);
  });

  test('may be told the address by a function, once the service has started', async () => {
    const service = await recordingReference();
    const source = `
      import { beforeAll } from 'vitest';
      import { petStoreConformance } from 'petstore-conformance/vitest';
      let baseUrl = '';
      beforeAll(async () => {
        baseUrl = ${JSON.stringify(service.baseUrl)};
      });
      petStoreConformance({ baseUrl: () => baseUrl, token: '${KEY}', today: '${TODAY}', only: ['GET-2'] });
    `;
    const { exitCode, tests } = await vitest('function', source);
    await service.stop();
    expect(exitCode).toBe(0);
    expect(titled(tests, 'GET-2').map(({ status }) => status)).toContain('passed');
  });
});
