/**
 * Loads the built programs, with what V8 compiled of them when they were built: compiling it anew takes more processor
 * time than a run of a second should spend. It is built by itself, as `dist/load-program.cjs`.
 */
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { constants, Script } from 'node:vm';

export { compileSparingly } from './compile-sparingly.ts';

/** What was compiled is of use to the version of V8 that did it. */
const COMPILED = join(__dirname, `compiled-${process.versions.v8}`);

type Require = (id: string) => unknown;
/** A CommonJS file in its wrapper. */
type Wrapped = (exports: object, require: Require, module: { exports: object }, file: string, folder: string) => void;

const requireOfNode = nodeModule.createRequire(__filename);
const modules = new Map<string, { exports: object }>();
const scripts = new Map<string, Script>();

/**
 * Loads a file of the build, and what that requires.
 *
 * @param path relative to `dist/`
 * @returns what the file exports
 */
export function load(path: string): unknown {
  const file = join(__dirname, path);
  // Node.js knows the source maps of what it loads itself.
  if (!process.sourceMapsEnabled && existsSync(COMPILED)) return loadScript(file);
  // From Node.js 22 on: what was compiled in one run need not be compiled in the next.
  Reflect.get(nodeModule, 'enableCompileCache')?.();
  return requireOfNode(file);
}

/**
 * Loads a file of the build, like `load`, so that what V8 compiles of it from now on can be kept.
 *
 * @returns what the file exports, and a function that returns what was compiled by then, by the path to keep it at
 */
export function compile(path: string): { readonly exports: object; readonly compiled: () => Map<string, Buffer> } {
  const exports = loadScript(join(__dirname, path));
  const compiled = () => new Map([...scripts].map(([file, script]) => [compiledOf(file), script.createCachedData()]));
  return { exports, compiled };
}

const compiledOf = (file: string): string => join(COMPILED, basename(file));

function loadScript(file: string): object {
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(file, module);
  const script = new Script(
    `(function(exports,require,module,__filename,__dirname){${readFileSync(file, 'utf8')}\n})`,
    {
      filename: file,
      cachedData: readIfThere(compiledOf(file)),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  scripts.set(file, script);
  const folder = dirname(file);
  const require: Require = (id) => (id.startsWith('.') ? loadScript(resolve(folder, id)) : requireOfNode(id));
  const run: Wrapped = script.runInThisContext();
  run(module.exports, require, module, file, folder);
  return module.exports;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
