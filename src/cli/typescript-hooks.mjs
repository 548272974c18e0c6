import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'oxc-transform';

const PACKAGE = new URL('../../', import.meta.url).href;

/** The load hook of Node's loader: strips the types from the TypeScript files of this package, and of no other. */
export async function load(url, context, nextLoad) {
  const [address] = url.split(/[?#]/, 1);
  const own = address.startsWith(PACKAGE) && !address.slice(PACKAGE.length).includes('node_modules/');
  if (!own || !address.endsWith('.ts')) return nextLoad(url, context);
  const path = fileURLToPath(address);
  const { code, map, errors } = transformSync(path, await readFile(path, 'utf8'), { sourcemap: true });
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}\n${error.codeframe ?? ''}`.trimEnd());
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`;
  return { format: 'module', source, shortCircuit: true };
}
