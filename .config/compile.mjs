// @ts-check
/**
 * Makes a usual run of the suite in this process, and keeps what V8 compiles meanwhile.
 *
 * `node .config/compile.mjs PROGRAM FOLDER`: the program in `dist/` that makes the run, and where to keep it.
 */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const [program = '', folder = ''] = process.argv.slice(2);
const { default: loader } = await import(new URL('../dist/load-program.cjs', import.meta.url).href);

loader.compileSparingly();
const { exports, compiled } = loader.compile(program);
await mkdir(folder, { recursive: true });
const scratch = await mkdtemp(join(folder, '.trial-'));
try {
  await exports.trialRun(scratch);
  const files = compiled();
  for (const [file, code] of files) {
    const temporary = join(scratch, basename(file));
    await writeFile(temporary, code);
    await rename(temporary, file);
  }
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.cjs') && !files.has(file)) await rm(file, { force: true });
  }
} finally {
  await rm(scratch, { recursive: true });
}
