import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);
const CODE = /(?:\bbreach|\bonSchema)\(\s*'([a-z-]+)'|\bcode: '([a-z-]+)', (?:message|expected)/g;

/** The codes of all breaches that the suites and their vocabulary can report, as their sources name them. */
export function codesInSources(): readonly string[] {
  const files = ['suites/', 'src/petstore/', 'src/engine/'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => new URL(`${folder}${file}`, ROOT)),
  );
  const codes = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(CODE)].map(([, first, second]) => first ?? second ?? ''),
  );
  return [...new Set(codes)].toSorted();
}
