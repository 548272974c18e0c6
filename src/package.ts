import { existsSync, readFileSync } from 'node:fs';

/** The folder of this package, whether its sources run or what was built of them. Ends with a slash. */
export const PACKAGE_ROOT: URL = rootAbove(new URL('.', import.meta.url));

function rootAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('package.json is missing: reinstall the package');
  return rootAbove(parent);
}

/** How a user starts the program: in a checkout by npm, elsewhere as npm has installed it. */
export const COMMAND: string = existsSync(new URL('.config/build.mjs', PACKAGE_ROOT))
  ? 'npm test --'
  : 'npx petstore-conformance';

/** The version of the suite, from package.json. */
export function suiteVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}
