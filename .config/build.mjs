// @ts-check
/**
 * Builds what users run: `dist/`, JavaScript bundled from the TypeScript sources, with every npm package but vitest.
 *
 * `node .config/build.mjs` builds everything, and removes the chunks of earlier builds. In a checkout the program calls {@link ensureBuilt} when it starts, so
 * that nobody runs an outdated build by mistake.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** A module that is evaluated when the suite is built: `dist/` holds its exports, plain data, as JSON. */
const PREBUILT = /\.prebuilt\.ts$/;

/** Every program, and its source; `src/package.ts` knows those that are loaded by name. */
const PROGRAMS = {
  main: 'src/cli/main.ts',
  index: 'src/cli/api/index.ts',
  vitest: 'src/cli/api/vitest.ts',
  'reference-worker': 'src/reference/worker.ts',
};

/** Programs that test the suite itself, in a checkout. */
const DEVELOPMENT_PROGRAMS = {
  faults: 'src/quality/main.ts',
  'faults-worker': 'src/quality/worker.ts',
  bench: 'src/quality/bench.ts',
};

/** @type {import('rolldown').InputOptions} */
const INPUT = {
  cwd: ROOT,
  platform: 'node',
  // The vitest that collects the tests of a user must be the user's own.
  external: /^(vitest|node:)/,
  tsconfig: false,
  checks: { pluginTimings: false },
  plugins: [{ name: 'prebuilt', load: { filter: { id: PREBUILT }, handler: evaluated } }],
};

/** The build cannot be made. The message says why and what to do. */
class BuildError extends Error {}

/**
 * Builds once what the tests start in other processes, so that these need not. In watch mode, again before a rerun.
 * @param {import('vitest/node').TestProject} project
 */
export default async function buildForTests(project) {
  await ensureBuilt();
  project.onTestsRerun(ensureBuilt);
}

/**
 * Builds where `dist/` is missing or older than a source.
 * @throws {BuildError} where it cannot be built here
 */
export async function ensureBuilt() {
  const program = join(DIST, 'main.js');
  const builtAt = existsSync(program) ? statSync(program).mtimeMs : 0;
  if (sourcesIn('src', 'suites', 'spec', '.config').some((path) => statSync(path).mtimeMs > builtAt)) await build();
}

/**
 * Bundles every program. Chunks of an earlier build stay, as a program that is running may still load them.
 * @returns {Promise<string[]>} the paths of the files in `dist/`
 */
export async function build() {
  const { rolldown } = await import('rolldown').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const what = existsSync(DIST) ? 'The build is older than the sources' : 'The suite has not been built';
    throw new BuildError(`${what}, and rolldown is missing to build it: run npm ci`, { cause: error });
  });
  try {
    const bundle = await rolldown({ ...INPUT, input: { ...PROGRAMS, ...DEVELOPMENT_PROGRAMS } });
    const { output } = await bundle.generate({
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    await bundle.close();
    const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    // Entries last: what they load is then in place, and a build that was interrupted is made again.
    const entries = output.filter((file) => file.type === 'chunk' && file.isEntry);
    const others = output.filter((file) => !entries.includes(file));
    for (const file of [...others, ...entries])
      await replaceFile(join(DIST, file.fileName), file.type === 'chunk' ? file.code : file.source);
    await replaceFile(join(DIST, 'third-party-licences.txt'), licencesOf(modules));
    return output.map(({ fileName }) => fileName);
  } catch (error) {
    const reason = error instanceof Error ? stripVTControlCharacters(error.message) : String(error);
    throw new BuildError(`The suite cannot be built: ${reason}`, { cause: error });
  }
}

/**
 * The code that stands for a prebuilt module.
 * @param {string} source
 */
async function evaluated(source) {
  const { rolldown } = await import('rolldown');
  await mkdir(DIST, { recursive: true });
  // Below the package, from where the module finds the files and packages that it reads.
  const folder = await mkdtemp(join(DIST, '.prebuilt-'));
  try {
    const bundle = await rolldown({ ...INPUT, plugins: [], input: { module: source } });
    await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
    await bundle.close();
    const exported = await import(pathToFileURL(join(folder, 'module.mjs')).href);
    return Object.entries(exported).map(asData).join('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * An export as JSON, which is parsed faster than code.
 * @param {[name: string, value: unknown]} exported
 */
function asData([name, value]) {
  const json = JSON.stringify(value);
  if (!isDeepStrictEqual(JSON.parse(json), value)) throw new Error(`the prebuilt export ${name} is not plain data`);
  return `export const ${name} = JSON.parse(${JSON.stringify(json)});`;
}

/**
 * The licences of the npm packages among these modules: each asks to be kept with the code.
 * @param {readonly string[]} modules
 */
function licencesOf(modules) {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const licences = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `Parts of these packages are part of this one.\n\n${licences.join(`\n${'-'.repeat(80)}\n\n`)}`;
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
 * The paths of all that the programs may be built from: not tests.
 * @param {readonly string[]} folders
 */
function sourcesIn(...folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(ts|yaml|mjs)$/.test(path) && !/\.(test|fixture)\.ts$/.test(path))
      .map((path) => join(ROOT, folder, path)),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const files = await build();
    for (const name of readdirSync(join(DIST, 'chunks')))
      if (!files.includes(`chunks/${name}`)) await rm(join(DIST, 'chunks', name));
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
