/** The program in a checkout of its own, whose build is missing, complete, outdated or cannot be made. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACKAGE_ROOT, suiteVersion } from '../package.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const PROGRAM = 'src/cli/petstore-conformance.mjs';
const VERSION = { exitCode: 0, stdout: `${suiteVersion()}\n`, stderr: '' };

/** Not what a build that is under way has not finished, nor what nothing is built from. */
const isNeeded = (path: string): boolean => !/\/\.prebuilt-|\.(tmp|map|test\.ts)$/.test(path);

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'petstore-checkout-'));
  for (const path of ['package.json', 'tsconfig.json', 'spec', 'suites', 'src', '.config', 'dist']) {
    cpSync(join(ROOT, path), join(checkout, path), { recursive: true, filter: isNeeded, preserveTimestamps: true });
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

/** Makes a change to a file of the checkout. */
function change(path: string, from: string | RegExp, to: string): void {
  const before = readFileSync(inCheckout(path), 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(inCheckout(path), after);
}

/** Makes the program answer --version with something else. */
const changeVersion = (): void => change('src/package.ts', 'return String(version)', "return 'changed'");

describe('a checkout', () => {
  test('without a build is built, by several programs at once too', async () => {
    rmSync(inCheckout('dist'), { recursive: true });
    expect(await Promise.all([showVersion(), showVersion()])).toEqual([VERSION, VERSION]);
    expect(readdirSync(inCheckout('dist')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('is built again when a source or the specification has changed, and not when only a test has', async () => {
    const before = readdirSync(inCheckout('dist/chunks'));
    changeVersion();
    // The catalogue is read when the suite is built.
    change('spec/requirements.yaml', /^ {2}says: .*$/m, '  says: It is said in other words.');
    expect(await showVersion()).toEqual({ ...VERSION, stdout: 'changed\n' });
    // Programs that are running may still load them.
    expect(readdirSync(inCheckout('dist/chunks'))).toEqual(expect.arrayContaining(before));
    const builtAt = statSync(inCheckout('dist/main.js')).mtimeMs;
    writeFileSync(inCheckout('src/cli/added.test.ts'), '');
    const list = await run(PROGRAM, 'list');
    expect(list).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('It is said in other words.') });
    expect(statSync(inCheckout('dist/main.js')).mtimeMs).toBe(builtAt);
  });

  test('that cannot be built says so in one line', async () => {
    changeVersion();
    rmSync(inCheckout('node_modules'));
    const missing = 'and rolldown is missing to build it: run npm ci\n';
    const failed = { exitCode: 2, stdout: '' };
    expect(await showVersion()).toEqual({ ...failed, stderr: `The build is older than the sources, ${missing}` });
    rmSync(inCheckout('dist'), { recursive: true });
    expect(await showVersion()).toEqual({ ...failed, stderr: `The suite has not been built, ${missing}` });
  });

  test('with a mistake in a source or the specification names it', async () => {
    const failed = { exitCode: 2, stdout: '' };
    change('spec/requirements.yaml', /^ {2}kind: stated$/m, '  kind: certain');
    const row = /^The suite cannot be built: [\s\S]*Row SERV-1 of the catalogue: `kind` must be one of/;
    expect(await showVersion()).toEqual({ ...failed, stderr: expect.stringMatching(row) });
    writeFileSync(inCheckout('src/cli/main.ts'), 'const = 1;');
    const source = /^The suite cannot be built: [\s\S]*main\.ts/;
    expect(await showVersion()).toEqual({ ...failed, stderr: expect.stringMatching(source) });
  });
});
