/** The package as npm packs it, installed into an empty project. */
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_ROOT, suiteVersion } from '../package.ts';
import { KEY } from '../petstore/rig.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { serviceWith } from './run/run-in-process.fixture.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const TIME_LIMIT_MS = 180_000;

/** An empty project, with the package among its dependencies. */
const project = temporaryFolder();
const inProject = (path: string): string => join(project, path);
const inPackage = (path: string): string => inProject(join('node_modules/petstore-conformance', path));

beforeAll(async () => {
  writeFileSync(inProject('package.json'), '{ "name": "somebody", "private": true, "type": "module" }');
  expect(await run('npm', ['pack', '--pack-destination', project], ROOT)).toMatchObject({ code: 0 });
  const tarball = inProject(readdirSync(project).find((name) => name.endsWith('.tgz')) ?? 'none');
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0', '--fetch-timeout=20000'];
  const installed = await run('npm', ['install', '--ignore-scripts', ...quick, tarball]);
  if (installed.code !== 0) await installByHand(tarball);
});

/** What npm does, where neither its cache nor a registry can be read: vitest is that of the checkout. */
async function installByHand(tarball: string): Promise<void> {
  mkdirSync(inPackage('.'), { recursive: true });
  mkdirSync(inProject('node_modules/.bin'), { recursive: true });
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', inPackage('.')]);
  symlinkSync(join(ROOT, 'node_modules/vitest'), inProject('node_modules/vitest'), 'dir');
  const program = inPackage('src/cli/petstore-conformance.mjs');
  chmodSync(program, 0o755);
  symlinkSync(program, inProject('node_modules/.bin/petstore-conformance'));
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a program in the project, with the Node.js of the tests. */
function run(program: string, args: readonly string[], cwd = project): Promise<Ended> {
  const path = [join(process.execPath, '..'), process.env['PATH']].join(delimiter);
  const env = { PATH: path, HOME: process.env['HOME'], PETSTORE_API_KEY: KEY, NO_COLOR: '1' };
  return new Promise((resolve) => {
    const child = execFile(program, [...args], { cwd, env, timeout: TIME_LIMIT_MS }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** What npx starts, without the second that it takes itself. */
const command = (...args: readonly string[]): Promise<Ended> =>
  run(inProject('node_modules/.bin/petstore-conformance'), args);

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

describe('the package', () => {
  test('holds what is needed to run it, and nothing else', () => {
    const files = filesIn(inPackage('.'));
    const others = files.filter((path) => !/^dist\/(chunks\/[\w.-]+\.js|types\/[\w/.-]+\.d\.ts)$/.test(path));
    expect(others.sort()).toEqual([
      '.github/docs/history.md',
      '.github/docs/programs.md',
      '.github/docs/requests.md',
      '.github/docs/testing.md',
      '.github/docs/traffic.md',
      '.github/docs/verdicts.md',
      'README.md',
      'dist/index.js',
      'dist/main.js',
      'dist/matrix-worker.js',
      'dist/reference-worker.js',
      'dist/third-party-licences.txt',
      'dist/vitest.js',
      'package.json',
      'spec/baseline.schema.json',
      'spec/conformance.schema.json',
      'spec/history.schema.json',
      'spec/openapi.yaml',
      'spec/remembered.schema.json',
      'spec/requirements.yaml',
      'src/cli/petstore-conformance.mjs',
    ]);
    const bytes = files.reduce((sum, path) => sum + statSync(inPackage(path)).size, 0);
    expect(bytes).toBeLessThan(6_000_000);
  });

  test('keeps the licences of the packages that are part of its code', () => {
    const notices = readFileSync(inPackage('dist/third-party-licences.txt'), 'utf8');
    for (const name of ['ajv', 'commander', 'fast-check', 'undici'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  test('depends on no package that its code does not import', () => {
    const code = filesIn(inPackage('dist')).filter((path) => /\.c?js$/.test(path));
    const texts = code.map((path) => readFileSync(inPackage(join('dist', path)), 'utf8'));
    const imported = texts.flatMap((text) =>
      [
        ...text.matchAll(
          /^(?:import|export)\b[^'";]*from ?["']([^."'][^"']*)["']|\bimport\(["']([^."'][^"']*)["']\)|^(?:let|const) \w+ = require\("([^."][^"]*)"\)/gm,
        ),
      ].map(([, named = '', loaded = '', required = '']) => (named || loaded || required).split('/', 1)[0] ?? ''),
    );
    const packages = imported.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
    const { dependencies }: { dependencies: object } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
    expect(new Set(packages)).toEqual(new Set(Object.keys(dependencies)));
  });
});

test('an installation has no script of it to run', () => {
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  // npm warns of each of these, whether it runs it or not.
  const asked = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(Object.keys(scripts).filter((name) => asked.includes(name))).toEqual([]);
});

describe('the command of an installed package', () => {
  test('says its version', async () => {
    expect(await command('--version')).toEqual({ code: 0, output: `${suiteVersion()}\n` });
  });

  test('judges a service, and tells how to send a failure again', async () => {
    const { baseUrl } = await serviceWith(['limit-7-gives-8']);
    const target = ['--base-url', baseUrl, '--seed', '1', '--only', 'LIST-2'];
    const { code, output } = await run('npx', ['--no-install', 'petstore-conformance', ...target]);
    const again = /replay +npx petstore-conformance (.*)$/m.exec(output)?.[1]?.split(' ') ?? [];
    const replayed = await command(...again);
    expect(code).toBe(1);
    expect(readdirSync(inProject('reports')).sort()).toContain('conformance.json');
    expect(replayed).toMatchObject({ code: 1, output: expect.stringContaining('Still fails') });
  });

  test('runs the checks on a fault of the reference service, and writes what came of it', async () => {
    const { code, output } = await command('faults', '--run', '--only', 'limit-7-*', '--report-dir', 'faults');
    expect([code, output]).toEqual([0, expect.stringContaining('Faults    1: 1 killed by their own check')]);
    expect(JSON.parse(readFileSync(inProject('faults/faults.json'), 'utf8'))).toMatchObject({
      format: 'petstore-conformance-faults/1',
      complete: false,
      faults: [{ name: 'limit-7-gives-8', outcome: 'killed by its own check' }],
      variants: [],
    });
    expect(readFileSync(inProject('faults/faults.html'), 'utf8')).toContain('<code>limit-7-gives-8</code>');
  });
});

describe('a program that imports the package', () => {
  test('runs the sample of the documentation', async () => {
    const page = readFileSync(join(ROOT, '.github/docs/programs.md'), 'utf8');
    const sample = /<!-- sample: run by src\/cli\/package.* -->\n```js\n(.*?)```/s.exec(page)?.[1] ?? '';
    expect(sample).toContain('runConformance');
    const { baseUrl } = await serviceWith([], { token: 'petstore-demo-key' });
    writeFileSync(inProject('sample.js'), sample.replace('http://127.0.0.1:8080/v1', baseUrl));
    expect(await run('node', ['sample.js'])).toEqual({
      code: 0,
      output: 'Conforms: every requirement that was judged holds. Every requirement that applies was judged.\n',
    });
  });

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('finds the types it needs, with the modules %s resolved as %s', async (module, moduleResolution) => {
    const folder = `types-${moduleResolution}`;
    mkdirSync(inProject(folder));
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
    const compilerOptions = { target: 'es2022', module, moduleResolution, noEmit: true, types: [], ...strict };
    writeFileSync(inProject(`${folder}/tsconfig.json`), JSON.stringify({ compilerOptions, files: ['judge.ts'] }));
    writeFileSync(inProject(`${folder}/judge.ts`), CONSUMER);
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    expect(await run('node', [compiler, '--project', folder])).toEqual({ code: 0, output: '' });
  });
});

const CONSUMER = `
import { type ConformanceEvent, type ConformanceOptions, RunAbortedError, runConformance, type RunResult, UsageError } from 'petstore-conformance';
import { petStoreConformance } from 'petstore-conformance/vitest';

const told: string[] = [];
const onEvent = (event: ConformanceEvent): void => {
  if (event.type === 'violation-found') told.push(event.requirement, event.violation.message);
  if (event.type === 'phase-started' && event.phase === 'preflight') told.push(event.phase);
};
const options: ConformanceOptions = { baseUrl: 'http://a/v1', token: 'key', rateLimit: { kind: 'auto' }, categoryIds: [1n], onEvent };
export async function judge(signal: AbortSignal): Promise<RunResult | undefined> {
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
