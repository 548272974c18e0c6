import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, URL } from 'node:url';

/** The folder of this package, from sources and from `dist/` alike. Ends with a slash. */
export const PACKAGE_ROOT: URL = rootAbove(new URL('.', import.meta.url));

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('package.json is missing: reinstall the package');
  return rootAbove(parent);
}

/** Whether this is the checkout, which builds itself, and not an installed package. */
export const IS_CHECKOUT: boolean = existsSync(new URL('.config/build.mjs', PACKAGE_ROOT));

/**
 * The folder that the user is in, if npm runs the program by a script of this checkout (`npm --prefix`, or `npm test` in a
 * subfolder) and so has changed to its root. Undefined if it is the root.
 */
export const USER_FOLDER: string | undefined = userFolder(process.env);

function userFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const { INIT_CWD: folder = '', npm_package_json: manifest = '', npm_lifecycle_script: script = '' } = environment;
  const isStartedByNpm = script.includes('petstore-conformance.cjs') && existsSync(manifest) && existsSync(folder);
  if (!isStartedByNpm || realpathSync(dirname(manifest)) !== realpathSync(PACKAGE_ROOT)) return undefined;
  return realpathSync(folder) === realpathSync(PACKAGE_ROOT) ? undefined : folder;
}

/** The path of a file of this package as the user can type it: relative if it is in their folder. */
export function pathForUser(path: string): string {
  const file = join(fileURLToPath(PACKAGE_ROOT), path).replace(/[\\/]$/, '');
  const shown = relative(USER_FOLDER ?? fileURLToPath(PACKAGE_ROOT), file);
  return shown.startsWith('..') ? file : shown;
}

/** How a user starts the program: in a checkout with npm, elsewhere as npm installed it. */
export const COMMAND: string = IS_CHECKOUT ? `npm ${npmPrefix()}test --` : 'npx petstore-conformance';

/** Outside of the checkout, npm needs its path. */
function npmPrefix(): string {
  const root = fileURLToPath(PACKAGE_ROOT);
  if (USER_FOLDER === undefined || !relative(root, USER_FOLDER).startsWith('..')) return '';
  const prefix = pathForUser('.');
  return `--prefix ${/^[\w./-]+$/.test(prefix) ? prefix : `'${prefix.replaceAll("'", "'\\''")}'`} `;
}

/** Read at startup, as at the end of a run there may be no file descriptors left. */
export const SUITE_VERSION: string = readVersion();

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}

/** Built programs that are loaded by name in another process or worker. `.config/build.mjs` builds them. */
type EntryPoint = 'reference-worker' | 'faults-worker' | 'bench';

/** The path of a built program, from sources and from `dist/` alike. */
export function entryPoint(name: EntryPoint): string {
  return fileURLToPath(new URL(`dist/${name}.js`, PACKAGE_ROOT));
}
