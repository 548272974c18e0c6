/** The compiled code of the build: that V8 takes it, and that nothing needs it. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PACKAGE_ROOT, suiteVersion } from './package.ts';

const ROOT = fileURLToPath(PACKAGE_ROOT);
const COMPILED = `dist/compiled-${process.versions.v8}`;

/** Not what a build that is under way has not finished. */
const isWhole = (path: string): boolean => !/\/\.(trial|types|prebuilt)-|\.tmp$/.test(path);

let checkout = '';
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'petstore-compiled-'));
  for (const path of ['package.json', 'src/cli/petstore-conformance.mjs', 'dist']) {
    cpSync(join(ROOT, path), join(checkout, path), { recursive: true, filter: isWhole });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
});
afterEach(() => rmSync(checkout, { recursive: true }));

/** Tells on standard error of each file that is compiled, and whether V8 took what was kept of it. */
const TELLING = `data:text/javascript,${encodeURIComponent(`
  import vm from 'node:vm';
  import { syncBuiltinESMExports } from 'node:module';
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(source, options) {
      super(source, options);
      process.stderr.write(options.filename + ': ' + this.cachedDataRejected + '\\n');
    }
  };
  syncBuiltinESMExports();
`)}`;

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Whether V8 took what was kept of each file: undefined where nothing was kept. */
  readonly taken: readonly (boolean | undefined)[];
}

function run(...argv: readonly string[]): Promise<Ended> {
  const command = ['--import', TELLING, join(checkout, 'src/cli/petstore-conformance.mjs'), ...argv];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { cwd: checkout }, (_error, stdout, stderr) => {
      const rejected = [...stderr.matchAll(/: (true|false|undefined)$/gm)].map(([, value]) => value);
      const taken = rejected.map((value) => (value === 'undefined' ? undefined : value === 'false'));
      resolve({ exitCode: child.exitCode, stdout, taken });
    });
  });
}

const SMOKE = ['--profile', 'smoke', '--quiet', '--max-time', '60'];

test('a run, its reports and the thread of its checks take what was compiled', async () => {
  const { exitCode, taken } = await run(...SMOKE);
  expect(exitCode).toBe(0);
  expect(taken.filter((one) => one === true).length).toBeGreaterThan(30);
  expect(taken.filter((one) => one === false)).toEqual([]);
  // Those that no run in one thread loads: the thread's own program, and what a command of its own is.
  expect(taken.filter((one) => one === undefined).length).toBeLessThan(6);
});

test('a program without compiled code does what it should', async () => {
  rmSync(join(checkout, COMPILED), { recursive: true });
  expect(await run('--version')).toEqual({ exitCode: 0, stdout: `${suiteVersion()}\n`, taken: [] });
  expect(await run(...SMOKE)).toMatchObject({ exitCode: 0, taken: [] });
});

test('a program whose compiled code is damaged does what it should', async () => {
  for (const name of readdirSync(join(checkout, COMPILED))) writeFileSync(join(checkout, COMPILED, name), 'damaged');
  const { exitCode, stdout, taken } = await run('--version');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${suiteVersion()}\n` });
  expect(taken).toContain(false);
});
