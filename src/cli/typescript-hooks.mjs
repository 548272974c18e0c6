import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'oxc-transform';

const PACKAGE = new URL('../../', import.meta.url).href;

let sourcemap = false;

/** @param data whether the code is to carry source maps */
export function initialize(data) {
  sourcemap = data?.sourcemap === true;
}

/**
 * The load hook of Node's loader, in its own thread or in this one: strips the types from the TypeScript files of this
 * package, and of no other.
 */
export function load(url, context, nextLoad) {
  const [address] = url.split(/[?#]/, 1);
  const own = address.startsWith(PACKAGE) && !address.slice(PACKAGE.length).includes('node_modules/');
  if (!own || !address.endsWith('.ts')) return nextLoad(url, context);
  const path = fileURLToPath(address);
  const { code, map, errors } = transformSync(path, readFileSync(path, 'utf8'), { sourcemap });
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}\n${error.codeframe ?? ''}`.trimEnd());
  if (map === undefined || map === null) return { format: 'module', source: code, shortCircuit: true };
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`;
  return { format: 'module', source, shortCircuit: true };
}
