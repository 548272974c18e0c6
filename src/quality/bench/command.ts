import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryPoint } from '../../entry-points.ts';

/** The environment variable that names the folder in which each process of a command writes down what it used. */
export const USAGE_FOLDER = 'PETSTORE_BENCH_USAGE';

/** What a process used: processor time (ms) and its largest resident set (bytes). */
export interface Usage {
  readonly processor: number;
  readonly peak: number;
}

/** A command may take so long (ms) before it is ended. On a quiet machine, none comes near it. */
const LIMIT_MS = 300_000;

/**
 * Runs a Node.js program to its end.
 * @param scratch an existing folder for what it leaves behind
 * @throws Error where it does not end with exit code 0: a figure of a run that failed is one of something else
 */
export async function runCommand(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  scratch: string,
): Promise<Usage & { readonly wall: number }> {
  const folder = await mkdtemp(join(scratch, 'usage-'));
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_|^PETSTORE_/i.test(name));
  const hook = pathToFileURL(entryPoint('bench/usage')).href;
  const started = performance.now();
  const child = spawn(process.execPath, [...argv], {
    env: { ...Object.fromEntries(inherited), ...environment, NODE_OPTIONS: `--import ${hook}`, [USAGE_FOLDER]: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: LIMIT_MS,
  });
  const [code]: unknown[] = await once(child, 'exit');
  const wall = performance.now() - started;
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with exit code ${String(code)}`);
  const usages = await Promise.all((await readdir(folder)).map((name) => readUsage(join(folder, name))));
  return {
    wall,
    processor: usages.reduce((sum, { processor }) => sum + processor, 0),
    peak: Math.max(...usages.map(({ peak }) => peak)),
  };
}

async function readUsage(file: string): Promise<Usage> {
  const usage: Usage = JSON.parse(await readFile(file, 'utf8'));
  return usage;
}
