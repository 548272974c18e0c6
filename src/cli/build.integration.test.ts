/** The program in a checkout of its own, whose build is missing, complete, outdated or cannot be made. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGE_ROOT, suiteVersion } from '../package.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const PROGRAM = 'src/cli/petstore-conformance.mjs';
const VERSION = { exitCode: 0, stdout: `${suiteVersion()}\n`, stderr: '' };

/** Not what a build that is under way has not finished. */
const isWhole = (path: string): boolean => !/\/\.prebuilt-|\.tmp$/.test(path);

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'petstore-checkout-'));
  for (const path of ['package.json', 'tsconfig.json', 'spec', 'suites', 'src', '.config', 'dist']) {
    cpSync(join(ROOT, path), join(checkout, path), { recursive: true, filter: isWhole, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...argv: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...argv], { cwd: checkout }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

const showVersion = (): Promise<Ended> => run(PROGRAM, '--version');
const inCheckout = (path: string): string => join(checkout, path);
const chunks = (): readonly string[] => readdirSync(inCheckout('dist/chunks'));

/** Makes the program answer --version with something else. */
function changeSource(version: string): void {
  const path = inCheckout('src/package.ts');
  writeFileSync(path, readFileSync(path, 'utf8').replace('return String(version)', `return '${version}'`));
}

describe('a checkout', () => {
  test('without a build is built, by several programs at once too', async () => {
    rmSync(inCheckout('dist'), { recursive: true });
    expect(await Promise.all([showVersion(), showVersion(), showVersion()])).toEqual([VERSION, VERSION, VERSION]);
    expect(readdirSync(inCheckout('dist')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('is built again when a source has changed; chunks that running programs may still load stay', async () => {
    const before = chunks();
    changeSource('changed');
    expect(await showVersion()).toEqual({ ...VERSION, stdout: 'changed\n' });
    expect(chunks()).toEqual(expect.arrayContaining([...before]));
  });

  test('is not built again when only a test has changed', async () => {
    const builtAt = statSync(inCheckout('dist/main.js')).mtimeMs;
    writeFileSync(inCheckout('src/cli/added.test.ts'), '');
    expect(await showVersion()).toEqual(VERSION);
    expect(statSync(inCheckout('dist/main.js')).mtimeMs).toBe(builtAt);
  });

  test('that cannot be built says so in one line', async () => {
    rmSync(inCheckout('dist'), { recursive: true });
    rmSync(inCheckout('node_modules'));
    expect(await showVersion()).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'The suite has not been built, and rolldown is missing to build it: run npm ci\n',
    });
  });

  test('whose build is older than its sources says so in one line', async () => {
    changeSource('changed');
    rmSync(inCheckout('node_modules'));
    expect(await showVersion()).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'The build is older than the sources, and rolldown is missing to build it: run npm ci\n',
    });
  });

  test('with a mistake in a source names the file', async () => {
    writeFileSync(inCheckout('src/cli/main.ts'), 'const = 1;');
    const { exitCode, stdout, stderr } = await showVersion();
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^The suite cannot be built: [\s\S]*main\.ts/);
  });
});

/** Changes the first row of the catalogue, which is read when the suite is built. */
function changeCatalogue(from: RegExp, to: string): void {
  const path = inCheckout('spec/requirements.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

describe('the specification', () => {
  test('is read again when it has changed', async () => {
    changeCatalogue(/^ {2}says: .*$/m, '  says: It is said in other words.');
    const { exitCode, stdout } = await run(PROGRAM, 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('It is said in other words.');
  });

  test('with a mistake is not built from, and the mistake is named', async () => {
    changeCatalogue(/^ {2}kind: stated$/m, '  kind: certain');
    expect(await showVersion()).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^The suite cannot be built: [\s\S]*Row SERV-1 of the catalogue: `kind` must be one of/,
      ),
    });
  });
});

test('an installed package runs without the sources', async () => {
  for (const path of ['.config', 'suites']) rmSync(inCheckout(path), { recursive: true });
  for (const path of readdirSync(inCheckout('src'))) {
    if (path !== 'cli') rmSync(inCheckout(`src/${path}`), { recursive: true });
  }
  expect(await showVersion()).toEqual(VERSION);
});

test('the build writes declarations of what other packages import', async () => {
  expect(await run('node_modules/typescript/bin/tsc', '--project', '.config/declarations.json')).toMatchObject({
    exitCode: 0,
  });
  const manifest: { exports: Record<string, { types: string; default: string }> } = JSON.parse(
    readFileSync(inCheckout('package.json'), 'utf8'),
  );
  const { types = '', default: code = '' } = manifest.exports['./vitest'] ?? {};
  expect([types, code].map((path) => existsSync(inCheckout(path)))).toEqual([true, true]);
  expect(readFileSync(inCheckout(types), 'utf8')).toContain('petStoreConformance');
});
