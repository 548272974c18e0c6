// @ts-check
/**
 * Builds what users run: `dist/`, JavaScript bundled from the TypeScript sources, one file for each entry and shared
 * chunks, and what V8 compiles of these. npm packages are bundled too, but for vitest.
 *
 * `node .config/build.mjs` builds everything, with the declarations of the public entries; with `--bench` it builds the
 * benchmark instead of those. The program calls {@link ensureBuilt} when it starts in a checkout, so that nobody runs an
 * outdated build by mistake.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, 'build.json');
const CHUNKS = 'chunks';
/** What V8 compiled of the chunks, for the version that did it. `src/load-program.ts` knows it too. */
const COMPILED = `compiled-${process.versions.v8}`;
const NOTICES = 'third-party-licences.txt';
/**
 * A module that is evaluated when the suite is built: its exports are plain data, which the programs then need not
 * read, parse and check at every start.
 */
const PREBUILT = '.prebuilt.ts';
/** Not bundled: the vitest that collects the tests of a user. All else is, because loading many files takes time. */
const EXTERNAL = /^(vitest|node:)/;

/**
 * Every program, and its source; `src/entry-points.ts` knows them too. Each is an ES module of this name in `dist/` that
 * loads a CommonJS one: of those alone can be kept what V8 compiles.
 */
const PROGRAMS = {
  main: 'src/cli/main.ts',
  index: 'src/cli/api/index.ts',
  'conformance-tests': 'src/cli/run/conformance-tests.ts',
  'checks-worker': 'src/cli/run/checks-worker.ts',
  'matrix-worker': 'src/quality/matrix/worker.ts',
  'trial-run': 'src/cli/trial-run.ts',
  mutants: 'src/quality/mutants/main.ts',
  developer: 'src/quality/developer/main.ts',
};

/** Those of an installed package. The others judge the suite itself, which takes a checkout. */
const PACKED = ['main', 'index', 'conformance-tests', 'checks-worker', 'matrix-worker'];

/** Loads the programs. */
const LOADER = { 'load-program': 'src/load-program.ts' };

/** An ES module, as vitest is one. It imports the program that has the checks. */
const VITEST_ENTRY = { vitest: 'src/cli/run/vitest-entry.ts' };

/** Programs that only the suite's own tests start, in processes of their own. */
const TEST_ENTRIES = {
  'memory-probe': 'src/http/memory-probe.fixture.ts',
};

/**
 * The benchmark, with the programs that it measures or measures with. Built apart: it must not change how the modules
 * of what it measures are shared out to files.
 */
const BENCH_ENTRIES = {
  main: 'src/quality/bench/main.ts',
  service: 'src/quality/bench/service-main.ts',
  floor: 'src/quality/bench/floor.ts',
  usage: 'src/quality/bench/usage-hook.ts',
};

/** The entries that other packages import: their declarations are kept, with all that these refer to. */
const DECLARED = ['src/cli/api/index.d.ts', 'src/cli/run/vitest-entry.d.ts'];

/** A run on a busy machine takes a few seconds. */
const LONGEST_TRIAL_MS = 60_000;

/** How long a chunk outlives the build that replaced it, for running programs that load it late. */
const REPLACED_CHUNKS_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * undici's own entry loads its fetch, WebSocket, cache and mocks too, which takes longer than all that is used of it.
 * Types and tests see the whole of it; an import that is missing here fails the build.
 */
const UNDICI = `
import Client from 'undici/lib/dispatcher/client.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import buildConnector from 'undici/lib/core/connect.js';
import errors from 'undici/lib/core/errors.js';
Object.assign(Dispatcher.prototype, { connect, request });
export { buildConnector, Client, Dispatcher, errors, Pool };`;

/** @type {import('rolldown').Plugin} */
const partOfUndici = {
  name: 'part-of-undici',
  // Under a path of this package, from where its imports are found.
  resolveId: (id) => (id === 'undici' ? join(ROOT, 'part-of-undici.js') : undefined),
  load: (id) => (id === join(ROOT, 'part-of-undici.js') ? { code: UNDICI, moduleSideEffects: true } : undefined),
};

/**
 * What a build was made from, by size and time and by content, and its files.
 * @typedef {{ seen: string, content: string, files: string[] }} Stamp
 */

/** The build cannot be made. The message says why and what to do. */
export class BuildError extends Error {}

/**
 * Bundles the programs into `dist/` where that is missing or does not match the sources. Takes a few milliseconds where
 * nothing has changed.
 * @throws {BuildError} where the build is missing or outdated, and cannot be made here
 */
export async function ensureBuilt() {
  const stamp = readStamp();
  if (stamp?.files.every((path) => existsSync(join(DIST, path)))) {
    const sources = listSources();
    if (stamp.seen === sources.map(describe).join('\n')) return;
    // Copied or checked out anew: the times differ, the code may not.
    if (stamp.content === (await digest(sources))) return;
  }
  await buildPrograms();
}

/** Bundles the programs into `dist/`. Disturbs neither running programs nor another build at the same time. */
export async function buildPrograms() {
  const sources = listSources();
  const seen = sources.map(describe).join('\n');
  const content = await digest(sources);
  const prebuilt = await evaluatePrebuilt();
  const programs = await bundle(PROGRAMS, { format: 'cjs', entryFileNames: `${CHUNKS}/[name]-[hash].cjs` }, [prebuilt]);
  const modules = new Map(programs.entries.map((entry) => [entry.name, loading(entry)]));
  const loader = await bundle(LOADER, { format: 'cjs', entryFileNames: '[name].cjs' });
  const vitest = await bundle(VITEST_ENTRY, { format: 'esm', entryFileNames: '[name].js' }, [programsLoaded(modules)]);
  const chunks = programs.files.map(({ path }) => path);
  const others = [...loader.files, ...vitest.files];
  for (const [name, module] of modules) others.push({ path: `${name}.js`, content: module });
  // Entries after the chunks that they load.
  for (const { path, content } of [...programs.files, ...others]) await replaceFile(join(DIST, path), content);
  await discardChunks(chunks);
  await replaceFile(join(DIST, NOTICES), noticesOf(programs.packages));
  // Chunks of earlier builds stay for a while, and are no part of the package.
  const packed = [
    ...['chunks', 'types', NOTICES, ...programs.packed, ...PACKED.map((name) => `${name}.js`)],
    ...[...loader.files, ...vitest.files].map(({ path }) => path).filter((path) => !path.endsWith('.map')),
  ];
  await replaceFile(join(DIST, '.npmignore'), ['/*', '/chunks/*', ...packed.map((path) => `!/${path}`)].join('\n'));
  await compile(programs.entries.find(({ name }) => name === 'trial-run')?.path ?? '');
  // Last: a build counts once it is complete.
  const files = [...chunks, ...others.map(({ path }) => path)];
  await replaceFile(STAMP, JSON.stringify({ seen, content, files }));
}

/**
 * Keeps what V8 compiles in a usual run. Where no such run can be made, the programs start a little later, and no more.
 * @param {string} trialRun
 */
async function compile(trialRun) {
  const { fork } = await import('node:child_process');
  const options = /** @type {const} */ ({ stdio: 'ignore', timeout: LONGEST_TRIAL_MS });
  const compiler = fork(join(ROOT, '.config/compile.mjs'), [trialRun, join(DIST, COMPILED)], options);
  await new Promise((resolve) => compiler.once('exit', resolve).once('error', resolve));
}

/**
 * The ES module that loads a program.
 * @param {Entry} entry
 */
function loading({ path, exports }) {
  const exported = exports.length === 0 ? '' : `export const { ${exports.join(', ')} } = `;
  return `import loader from './load-program.cjs';\n${exported}loader.load('${path}');\n`;
}

/**
 * Puts in the place of a program's source the module that loads it.
 * @param {ReadonlyMap<string, string>} modules
 * @returns {import('rolldown').Plugin}
 */
const programsLoaded = (modules) => ({
  name: 'programs-loaded',
  resolveId: (id) => (id.endsWith('/load-program.cjs') ? { id, external: true } : undefined),
  load: (id) => modules.get(Object.entries(PROGRAMS).find(([, source]) => id === join(ROOT, source))?.[0] ?? ''),
});

/** Bundles the programs that tests start, into `dist/test/`. */
export async function buildTestPrograms() {
  await bundleTo(join(DIST, 'test'), TEST_ENTRIES);
}

/** Bundles the benchmark, into `dist/bench/`. */
export async function buildBenchmark() {
  await bundleTo(join(DIST, 'bench'), BENCH_ENTRIES);
}

/**
 * @param {string} folder
 * @param {Record<string, string>} input
 */
async function bundleTo(folder, input) {
  const prebuilt = await evaluatePrebuilt();
  const { files } = await bundle(input, { format: 'esm', entryFileNames: '[name].js' }, [prebuilt]);
  for (const { path, content } of files) await replaceFile(join(folder, path), content);
}

/**
 * Writes the declarations of the public entry to `dist/types/`.
 * @returns {Promise<boolean>} false where TypeScript is not installed, as without the development dependencies
 */
export async function buildDeclarations() {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  if (!existsSync(compiler)) return false;
  const emitted = await mkdtemp(join(DIST, '.types-'));
  const types = join(DIST, 'types');
  try {
    const options = ['--project', join(ROOT, '.config/declarations.json'), '--outDir', emitted];
    const { execFile } = await import('node:child_process');
    const { promisify } = await import('node:util');
    await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: ROOT }).catch((error) => {
      throw new BuildError(`The declarations cannot be built:\n${error.stdout}${error.stderr}`);
    });
    await rm(types, { recursive: true, force: true });
    for (const path of reachableFrom(DECLARED.map((entry) => join(emitted, entry)))) {
      const target = path.replace(emitted, types);
      await mkdir(dirname(target), { recursive: true });
      await rename(path, target);
    }
  } finally {
    await rm(emitted, { recursive: true });
  }
  return true;
}

/**
 * An entry of a bundle: its path in the folder, and what it exports.
 * @typedef {{ name: string, path: string, exports: string[] }} Entry
 */

/** @returns {Promise<typeof import('rolldown').rolldown>} */
async function loadRolldown() {
  const { rolldown } = await import('rolldown').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const what = existsSync(STAMP) ? 'The build is older than the sources' : 'The suite has not been built';
    throw new BuildError(`${what}, and rolldown is missing to build it: run npm ci`, { cause: error });
  });
  return rolldown;
}

/**
 * @param {Record<string, string>} input
 * @param {Pick<import('rolldown').OutputOptions, 'format' | 'entryFileNames'>} output
 * @param {readonly import('rolldown').Plugin[]} plugins
 * @returns {Promise<{
 *   files: { path: string, content: string | Uint8Array }[],
 *   entries: Entry[],
 *   packed: string[],
 *   packages: string[],
 * }>} the files, entries after the chunks that they import; the paths that the entries of an installed package need; and
 *   the folders of the npm packages in these
 */
async function bundle(input, output, plugins = []) {
  const rolldown = await loadRolldown();
  const bundled = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: EXTERNAL,
    tsconfig: false,
    plugins: [...plugins, partOfUndici],
  });
  const generated = bundled.generate({
    ...output,
    // Named by content, so that a running program finds its own chunks after another build, and nobody takes what was
    // compiled of another.
    chunkFileNames: `${CHUNKS}/[name]-[hash].${output.format === 'cjs' ? 'cjs' : 'js'}`,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  const { output: built } = await generated.catch((error) => {
    throw new BuildError(`The suite cannot be built: ${stripVTControlCharacters(error.message)}`, { cause: error });
  });
  await bundled.close();
  const chunks = built.filter((file) => file.type === 'chunk');
  const entries = chunks.filter(({ isEntry }) => isEntry);
  const packed = entries.filter(({ name }) => PACKED.includes(name)).map(({ fileName }) => fileName);
  for (const path of packed) {
    const { imports = [], dynamicImports = [] } = chunks.find(({ fileName }) => fileName === path) ?? {};
    for (const other of [...imports, ...dynamicImports]) {
      if (!packed.includes(other) && chunks.some(({ fileName }) => fileName === other)) packed.push(other);
    }
  }
  const modules = chunks.filter(({ fileName }) => packed.includes(fileName)).flatMap(({ moduleIds }) => moduleIds);
  const packages = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const paths = entries.map(({ fileName }) => fileName);
  return {
    files: built
      .toSorted((a, b) => Number(paths.includes(a.fileName)) - Number(paths.includes(b.fileName)))
      .map((file) => ({ path: file.fileName, content: file.type === 'chunk' ? file.code : file.source })),
    entries: entries.map(({ name, fileName, exports }) => ({ name, path: fileName, exports })),
    packed,
    packages: [...new Set(packages)].toSorted(),
  };
}

/**
 * The licences of the npm packages that are part of the build: each asks to be kept with the code.
 * @param {readonly string[]} packages
 */
function noticesOf(packages) {
  const notices = packages.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `Parts of these packages are part of this one.\n\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/**
 * Evaluates the modules whose exports the programs are given as data.
 * @returns {Promise<import('rolldown').Plugin>} puts the code that stands for each in its place
 */
async function evaluatePrebuilt() {
  const rolldown = await loadRolldown();
  const modules = listSources().filter((source) => source.endsWith(PREBUILT));
  await mkdir(DIST, { recursive: true });
  // Below the package: the modules find it, and its dependencies, from where they are.
  const folder = await mkdtemp(join(DIST, '.prebuilt-'));
  try {
    const input = Object.fromEntries(modules.map((source, index) => [`${index}`, source]));
    const bundled = await rolldown({ cwd: ROOT, input, platform: 'node', external: EXTERNAL, tsconfig: false });
    await bundled.write({
      dir: folder,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    });
    await bundled.close();
    const codes = modules.map(async (source, index) => {
      const exported = await import(pathToFileURL(join(folder, `${index}.mjs`)).href);
      return /** @type {const} */ ([join(ROOT, source), Object.entries(exported).map(asData).join('\n')]);
    });
    const prebuilt = new Map(await Promise.all(codes));
    return { name: 'prebuilt', load: (id) => prebuilt.get(id) };
  } catch (error) {
    const reason = error instanceof Error ? stripVTControlCharacters(error.message) : String(error);
    throw new BuildError(`The suite cannot be built: ${reason}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * An export as code that is quick to parse.
 * @param {[name: string, value: unknown]} exported
 */
function asData([name, value]) {
  const json = JSON.stringify(value);
  if (!isDeepStrictEqual(JSON.parse(json), value))
    throw new Error(`the export ${name} of a ${PREBUILT} is not plain data`);
  return `export const ${name} = JSON.parse(${JSON.stringify(json)});`;
}

/**
 * Puts a whole file in place at once, for those who read or write it at the same time.
 * @param {string} path
 * @param {string | Uint8Array} content
 */
async function replaceFile(path, content) {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, content);
  await rename(temporary, path);
}

/**
 * Removes the chunks that earlier builds left behind.
 * @param {readonly string[]} current
 */
async function discardChunks(current) {
  const now = new Date();
  const replaced = new Set(readStamp()?.files);
  for (const name of await readdir(join(DIST, CHUNKS))) {
    const path = `${CHUNKS}/${name}`;
    if (current.includes(path)) continue;
    const file = join(DIST, path);
    // Another build may remove it first.
    if (replaced.has(path)) await utimes(file, now, now).catch(() => {});
    const changed = await stat(file).catch(() => undefined);
    if (changed !== undefined && now.getTime() - changed.mtimeMs > REPLACED_CHUNKS_KEPT_MS)
      await rm(file, { force: true });
  }
}

/** @returns {Stamp | undefined} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The files that the programs may be built from, relative to the package: the specification too, of which prebuilt
 * modules are made. Tests and their fixtures are not among them.
 */
function listSources() {
  const sources = ['.config/build.mjs'];
  const folders = ['src', 'suites', 'spec'];
  for (const folder of folders) {
    for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (/\.(ts|yaml)$/.test(path) && !/\.(test|fixture)\.ts$/.test(path)) sources.push(path);
    }
  }
  return sources.toSorted();
}

/** @param {string} source */
function describe(source) {
  const { size, mtimeMs } = statSync(join(ROOT, source));
  return `${source} ${size} ${mtimeMs}`;
}

/** @param {readonly string[]} sources */
async function digest(sources) {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256');
  for (const source of sources) {
    const content = readFileSync(join(ROOT, source));
    hash.update(`${source} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Declaration files and all that they import, directly or not.
 * @param {readonly string[]} entries
 */
function reachableFrom(entries) {
  const reached = new Set(entries);
  for (const path of reached) {
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(
      /(?:from|import\(?) ?['"](\.[^'"]+)\.ts['"]/g,
    )) {
      reached.add(resolve(dirname(path), `${specifier}.d.ts`));
    }
  }
  return reached;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildPrograms();
    if (process.argv.includes('--bench')) await buildBenchmark();
    else if (!(await buildDeclarations())) {
      process.stdout.write('Built without declarations: TypeScript is not installed (run npm ci to install it)\n');
    }
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
