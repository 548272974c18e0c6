/** The package as npm packs and installs it, in a project that has nothing else. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGE_ROOT, SUITE_VERSION } from '../package.ts';
import { findFault, startReference } from '../reference/index.ts';
import { temporaryFolder } from '../report/temporary-folder.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT).replace(/\/$/, '');
const KEY = 'petstore-demo-key';
const project = temporaryFolder();
const installed = join(project, 'node_modules/petstore-conformance');
const write = (name: string, text: string) => writeFileSync(join(project, name), text);

/** Runs a program in the project, with the Node.js of the tests and nothing of their environment. */
function run(program: string, args: readonly string[], cwd = project) {
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { PATH: path, HOME: process.env['HOME'], PETSTORE_API_KEY: KEY, NO_COLOR: '1' };
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    const child = execFile(program, [...args], { cwd, env, timeout: 120_000 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

const command = (...args: readonly string[]) => run(join(project, 'node_modules/.bin/petstore-conformance'), args);

const right = await startReference({ token: KEY });
const faulty = await startReference({ token: KEY, faults: [findFault('limit-7-gives-8') ?? []].flat() });
afterAll(() => Promise.all([right.stop(), faulty.stop()]));

beforeAll(async () => {
  write('package.json', '{ "name": "somebody", "private": true, "type": "module" }');
  // It was built before the tests; the types come last, as in `npm run build`.
  expect(await run('npm', ['exec', '--', 'tsc', '--project', '.config/declarations.json'], ROOT)).toMatchObject({
    code: 0,
  });
  expect(await run('npm', ['pack', '--ignore-scripts', '--pack-destination', project], ROOT)).toMatchObject({
    code: 0,
  });
  const options = ['--ignore-scripts', '--offline', '--no-audit', '--no-fund'];
  const tarball = `petstore-conformance-${SUITE_VERSION}.tgz`;
  expect(await run('npm', ['install', ...options, join(project, tarball)])).toMatchObject({ code: 0 });
});

test('nothing comes with it, and no file names a path of the machine that built it', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'petstore-conformance',
  ]);
  const entries = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1));
  const kinds =
    /^(README\.md|package\.json|\.github\/(docs\/\w+\.md|[A-Z-]+\.md|examples\/[\w-]+\.yml|report\.png)|reports\/README\.md|spec\/[\w.]+|src\/cli\/petstore-conformance\.cjs|dist\/.*\.(js|d\.ts|txt))$/;
  expect(files.filter((file) => !kinds.test(file))).toEqual([]);
  expect(files.filter((file) => /(^|\/)(faults|bench)|fixture|\.test\./.test(file))).toEqual([]);
  const places = [ROOT, `${homedir()}/`, `${tmpdir()}/`];
  const named = files.flatMap((file) => {
    const text = readFileSync(join(installed, file), 'utf8');
    return places.filter((place) => text.includes(place)).map((place) => `${file}: ${place}`);
  });
  expect(named).toEqual([]);
  const licences = readFileSync(join(installed, 'dist/third-party-licences.txt'), 'utf8');
  for (const name of ['ajv', 'undici']) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test('its pages link only to what is in it', () => {
  const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', '.github/docs/verdicts.md']));
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]*)/g)]
      .filter(([, path = '']) => !existsSync(join(installed, dirname(page), path)))
      .map(([, path]) => `${page}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('the command tests a service, and the replay line that it prints works', async () => {
  expect(await command('--version')).toEqual({ code: 0, output: `${SUITE_VERSION}\n` });
  expect(await command('--embedded', '--profile', 'smoke')).toMatchObject({ code: 0 });
  const { code, output } = await command('-u', faulty.baseUrl, '--seed', '1', '--only', 'LIST-2');
  expect(code).toBe(1);
  const [line = '', again = ''] = /npx petstore-conformance (.*--replay.*)/.exec(output) ?? [];
  expect(line).toBe('npx petstore-conformance --replay reports');
  expect(await command(...again.split(' '))).toMatchObject({ code: 1, output: expect.stringContaining('still fails') });
});

test('where no file can be opened any more, the command says what to do', async () => {
  // Once the program has begun, and before it loads its parts.
  const openAll = "for (;;) require('node:fs').openSync('/dev/null');";
  write('greedy.cjs', `process.nextTick(() => { try { ${openAll} } catch {} });`);
  const program = join(installed, 'src/cli/petstore-conformance.cjs');
  const { code, output } = await run('bash', ['-c', `ulimit -n 64 && exec node -r ./greedy.cjs '${program}' list`]);
  expect([code, output]).toEqual([
    2,
    expect.stringMatching(/^The limit on open files is too low .* `ulimit -n 256`, and run it again\n$/),
  ]);
});

test('where no connection can be opened any more, a run says what to do', async () => {
  const target = { baseUrl: right.baseUrl, token: KEY, profile: 'smoke', only: ['LIST-2'] };
  write(
    'greedy.js',
    `import { openSync } from 'node:fs';
import { runConformance } from 'petstore-conformance';
const test = async () => console.log((await runConformance(${JSON.stringify(target)})).conclusion);
await test();
try { for (;;) openSync('/dev/null'); } catch {}
await test();`,
  );
  const { code, output } = await run('bash', ['-c', 'ulimit -n 64 && exec node greedy.js']);
  const [first = '', second] = output.split('\n');
  expect([code, first]).toEqual([0, expect.stringMatching(/^No violations; 1 of \d+ requirements was tested\.$/)]);
  expect(second).toMatch(/cannot be tested: this machine has no file descriptors left .*; raise the limit, as with/);
});

test('the sample of the page on programs runs', async () => {
  const page = readFileSync(join(installed, '.github/docs/programs.md'), 'utf8');
  const [, sample = ''] = /```js\n(import \{ runConformance \}.*?)```/s.exec(page) ?? [];
  write('sample.js', sample.replace('http://127.0.0.1:8080/v1', right.baseUrl));
  const { code, output } = await run('node', ['sample.js']);
  expect([code, output]).toEqual([0, expect.stringMatching(/^All \d+ applicable requirements passed\.$/m)]);
});

const PROGRAM = `
import { type ConformanceEvent, RunAbortedError, runConformance, type RunConformanceOptions, type RunResult, UsageError } from 'petstore-conformance';
import { petStoreConformance } from 'petstore-conformance/vitest';

const lines: string[] = [];
const onEvent = (event: ConformanceEvent): void => {
  if (event.type === 'progress') lines.push(event.phase);
  else lines.push(...event.result.findings.map(({ says }) => says));
};
const options: RunConformanceOptions = { baseUrl: 'http://a/v1', token: 'key', categoryIds: [1n], maxTimeMs: 1, onEvent };
export async function test(signal: AbortSignal): Promise<RunResult | undefined> {
  try {
    return await runConformance({ ...options, signal });
  } catch (error) {
    if (error instanceof UsageError && error.code === 'value-invalid') return undefined;
    if (error instanceof RunAbortedError) return error.result;
    throw error;
  }
}
// @ts-expect-error: there is no such profile
void runConformance({ profile: 'quick' });
// @ts-expect-error: there is no such option
void runConformance({ profle: 'smoke' });
petStoreConformance({ baseUrl: () => 'http://a/v1', token: 'key', only: ['LIST-*'] });
`;

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('the types compile without any other package: modules %s, resolved as %s', async (module, moduleResolution) => {
  const compilerOptions = {
    target: 'es2023',
    module,
    moduleResolution,
    noEmit: true,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
  };
  mkdirSync(join(project, moduleResolution));
  write(`${moduleResolution}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  write(`${moduleResolution}/program.ts`, PROGRAM);
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  expect(await run('node', [compiler, '--project', moduleResolution])).toEqual({ code: 0, output: '' });
});

test("the vitest entry registers its tests with the project's own vitest", async () => {
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'), 'dir');
  const options = { baseUrl: faulty.baseUrl, token: KEY, profile: 'smoke', only: ['LIST-2', 'GET-2'] };
  write(
    'service.test.js',
    `import { petStoreConformance } from 'petstore-conformance/vitest';\npetStoreConformance(${JSON.stringify(options)});`,
  );
  const { code, output } = await run('node', ['node_modules/vitest/vitest.mjs', 'run', '--root', project]);
  expect([code, output]).toEqual([1, expect.stringMatching(/1 failed \| 1 passed/)]);
  expect(output).toContain(`npx petstore-conformance --base-url ${faulty.baseUrl} --only LIST-2`);
});
