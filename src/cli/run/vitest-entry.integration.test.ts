/** The package's entry `petstore-conformance/vitest`, as somebody uses it in a vitest run of their own. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonTestResults } from 'vitest/node';
import { PACKAGE_ROOT } from '../../package.ts';
import { KEY, type RecordingReference, recordingServer } from '../../petstore/rig.fixture.ts';
import { temporaryFolder } from '../../temporary-folder.fixture.ts';
import { endOf } from './program.fixture.ts';
import { serviceWith } from './run-in-process.fixture.ts';

const PACKAGE = fileURLToPath(PACKAGE_ROOT);

type FileResult = JsonTestResults['testResults'][number];

interface VitestRun {
  readonly exitCode: number | null;
  readonly printed: string;
  /** The report of vitest's JSON reporter, with the metadata of the tests. */
  readonly json: string;
  /** What became of each test file, by its name without `.test.js`. */
  readonly files: ReadonlyMap<string, FileResult>;
}

/** A project with the suite and vitest among its dependencies. */
const project = temporaryFolder();
let services: Readonly<Record<'sound' | 'faulty' | 'echo' | 'readOnly' | 'refusing', RecordingReference>>;
/** Each case is a test file. Two processes run them all: one has no failure, the other has nothing but failures. */
let green: VitestRun;
let red: VitestRun;

beforeAll(async () => {
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(PACKAGE, join(project, 'node_modules/petstore-conformance'), 'dir');
  symlinkSync(join(PACKAGE, 'node_modules/vitest'), join(project, 'node_modules/vitest'), 'dir');
  writeFileSync(join(project, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }');
  services = {
    sound: await serviceWith(),
    faulty: await serviceWith(['limit-7-gives-8']),
    echo: await repeatsTheKey(),
    readOnly: await serviceWith(),
    refusing: await serviceWith([], { token: 'Another-Key' }),
  };
  const { sound, faulty, echo, readOnly, refusing } = services;
  [green, red] = await Promise.all([
    vitest('green', {
      correct: judging({ baseUrl: sound.baseUrl, profile: 'smoke' }),
      'read-only': judging({
        ...{ baseUrl: readOnly.baseUrl, profile: 'smoke', readOnly: true },
        only: ['CREATE-2', 'GET-2'],
      }),
      function: `
        import { beforeAll } from 'vitest';
        import { petStoreConformance } from 'petstore-conformance/vitest';
        let baseUrl = '';
        beforeAll(async () => {
          baseUrl = ${JSON.stringify(sound.baseUrl)};
        });
        const options = { today: '${TODAY}', only: ['get-2, vers-4'] };
        petStoreConformance({ ...options, baseUrl: () => baseUrl, token: process.env.KEY });
      `,
    }),
    vitest('red', {
      faulty: judging({ baseUrl: faulty.baseUrl, only: ['LIST-2', 'GET-2'] }),
      echo: judging({ baseUrl: echo.baseUrl, profile: 'smoke', only: ['RES-*', 'LIST-6', 'ERR-*', 'GET-*'] }),
      refused: judging({ baseUrl: refusing.baseUrl, only: ['LIST-*'] }),
      typo: judging({ baseUrl: refusing.baseUrl, only: ['LSIT-2', 'GET-2'] }),
    }),
  ]);
});
afterAll(() => services.echo.stop());

/** A service that shows whatever it was sent as a key. */
function repeatsTheKey(): Promise<RecordingReference> {
  return recordingServer(({ method, url, headers: { authorization } }, response) => {
    const animal = { id: 1, name: authorization, categoryId: 1, status: authorization };
    const error = { code: authorization, message: `unknown key: ${authorization}`, status: authorization };
    const isError = url?.includes('/pets/') === true;
    response.writeHead(isError ? 404 : method === 'POST' ? 201 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isError ? error : method === 'POST' ? animal : [animal]));
  });
}

/** One `vitest run` over test files in a folder of the project. */
async function vitest(folder: string, files: Readonly<Record<string, string>>): Promise<VitestRun> {
  mkdirSync(join(project, folder));
  for (const [name, source] of Object.entries(files)) writeFileSync(join(project, folder, `${name}.test.js`), source);
  const output = join(project, `${folder}.json`);
  const program = join(project, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=verbose', '--reporter=json', `--outputFile.json=${output}`];
  // The suite is loaded once for all files.
  const argv = ['run', '--dir', folder, '--maxWorkers=1', '--no-isolate', ...reporters];
  const child = spawn(process.execPath, [program, ...argv], {
    cwd: project,
    env: { PATH: process.env['PATH'], NO_COLOR: '1', KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { printed } = await endOf(child);
  const json = readFileSync(output, 'utf8');
  const { testResults }: JsonTestResults = JSON.parse(json);
  return {
    exitCode: child.exitCode,
    printed,
    json,
    files: new Map(testResults.map((file) => [basename(file.name, '.test.js'), file])),
  };
}

/** Before the removal date of getPet, whenever the tests run. */
const TODAY = '2027-01-01';

/** The key is not in the source, of which vitest shows a part where a test file cannot be collected. */
const judging = (options: object): string => `
  import { petStoreConformance } from 'petstore-conformance/vitest';
  const options = ${JSON.stringify({ today: TODAY, settleMs: 300, requestTimeoutMs: 60_000, ...options })};
  petStoreConformance({ ...options, token: process.env.KEY });
`;

const testsOf = ({ files }: VitestRun, name: string): FileResult['assertionResults'] =>
  files.get(name)?.assertionResults ?? [];

/** The tests of a check. */
const titled = (run: VitestRun, name: string, id: string) =>
  testsOf(run, name).filter(({ title }) => title.startsWith(`${id} `));

test('against a correct service the checks pass, each as a test in one suite', () => {
  expect(green.exitCode).toBe(0);
  expect(testsOf(green, 'correct').filter(({ status }) => status === 'passed').length).toBeGreaterThan(80);
  expect(titled(green, 'correct', 'LIST-2')).toMatchObject([
    {
      ancestorTitles: ['Pet Store conformance'],
      title: 'LIST-2 a page never holds more animals than its limit',
    },
  ]);
  expect(titled(green, 'correct', 'VERS-4')).toMatchObject([{ status: 'skipped' }]);
  expect(green.printed).toMatch(/↓.*correct.* VERS-4 .*\[it applies on and after 5 December 2030/);
});

test('against a faulty service they fail with what is wrong', () => {
  expect(red.exitCode).toBe(1);
  const failed = testsOf(red, 'faulty').filter(({ status }) => status === 'failed');
  const message = 'a page asked for with limit=7 holds 8 animals (expected at most 7 animals, got 8 animals)';
  expect(failed).toMatchObject([
    {
      title: 'LIST-2 a page never holds more animals than its limit',
      failureMessages: [expect.stringContaining(message)],
    },
  ]);
  const [printed = ''] = /FAIL +red\/faulty[^⎯]*/.exec(red.printed) ?? [];
  for (const text of [printed, ...(failed[0]?.failureMessages ?? [])]) {
    for (const part of [
      message,
      'sent       GET /v1/pets?limit=7',
      '200 application/json · [{"id":',
      'curl       curl -i --path-as-is --globoff -H',
      `/pets?limit=7'\n`,
      `run again  npx petstore-conformance --base-url ${services.faulty.baseUrl} --only LIST-2 --seed 1 `,
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/dist\/|\n\s+at /);
  }
  expect(titled(red, 'faulty', 'GET-2').map(({ status }) => status)).toContain('passed');
});

test('they show no key, in messages or metadata, where the service repeats the Authorization header', () => {
  const messages = testsOf(red, 'echo').map(({ failureMessages }) => failureMessages?.join() ?? '');
  expect(messages.filter((message) => message.includes('[redacted]')).length).toBeGreaterThan(3);
  for (const output of [red.printed, red.json]) {
    expect(output).toContain('[redacted]');
    expect(output.toLowerCase()).not.toContain(KEY.toLowerCase());
  }
  expect(red.json).not.toContain('"judged"');
  expect(red.json).not.toContain('"telemetry"');
});

test('a name that no requirement has is refused, and nothing runs', () => {
  expect(testsOf(red, 'typo')).toEqual([]);
  expect(red.files.get('typo')).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('only: no requirement matches "LSIT-2"; did you mean LIST-2?'),
  });
});

test('they are skipped with the reason where nothing can be judged', () => {
  expect(services.readOnly.requests.length).toBeGreaterThan(0);
  expect(services.readOnly.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(titled(green, 'read-only', 'CREATE-2')).toMatchObject([{ status: 'skipped' }]);
  expect(green.printed).toMatch(/↓.*read-only.* CREATE-2 .*\[--read-only allows /);
});

test('against a service that cannot be judged they do not run, and the message says why', () => {
  const messages = testsOf(red, 'refused').flatMap(({ failureMessages }) => failureMessages ?? []);
  expect(messages[0]).toContain('refuses the key');
  expect(testsOf(red, 'refused').filter(({ status }) => status === 'passed')).toEqual([]);
  expect(services.refusing.requests.length).toBeLessThanOrEqual(4);
});

test('the address may come from a function, once the service has started; names in any letter case, in one text', () => {
  const tests = testsOf(green, 'function');
  expect(new Set(tests.map(({ title }) => title.split(' ', 1)[0]))).toEqual(new Set(['GET-2', 'VERS-4']));
  expect(titled(green, 'function', 'GET-2').map(({ status }) => status)).toContain('passed');
});
