import { fileURLToPath } from 'node:url';
import { PACKAGE_ROOT } from './package.ts';

/** The built programs that are loaded by name, in another process or worker. `.config/build.mjs` makes them. */
type EntryPoint = 'reference-worker' | 'faults-worker' | 'bench' | 'vitest-worker';

/** The path of a built program. It is the same whether its caller runs from the sources or from `dist/`. */
export function entryPoint(name: EntryPoint): string {
  return fileURLToPath(new URL(`dist/${name}.js`, PACKAGE_ROOT));
}
