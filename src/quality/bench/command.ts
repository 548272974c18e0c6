import { spawn } from 'node:child_process';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryPoint } from '../../entry-points.ts';
import { now } from './clock.ts';
import { readUsage, USAGE_FOLDER, type Usage } from './usage.ts';

/** How long a command may take before it is ended. On a quiet machine, no sound one comes near it. */
const LIMIT_MS = 300_000;
/** How much of what a command prints is kept, in characters; another tool tells its findings there. */
const KEPT_OUTPUT = 200_000;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where it is started; by default a new folder below `scratch`. */
  readonly cwd?: string;
}

/** A command that has come to its end. */
export interface Ended {
  /** undefined where a signal ended it, as at the time limit. */
  readonly exitCode: number | undefined;
  /** The end of what it printed. */
  readonly output: string;
  /** As {@link now} tells it. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly usage: Usage | undefined;
  /** A folder of its own, where it was started if nothing else was said. */
  readonly folder: string;
}

/** Runs a command to its end, and reads what it used. @param scratch an existing folder for what it leaves behind */
export async function runCommand({ program, args, env, cwd }: Command, scratch: string): Promise<Ended> {
  const folder = await mkdtemp(join(scratch, 'run-'));
  const usageFolder = join(folder, 'usage');
  await mkdir(usageFolder);
  const hook = pathToFileURL(entryPoint('bench/usage')).href;
  const startedAt = now();
  const child = spawn(program, args, {
    cwd: cwd ?? folder,
    env: { ...plainEnvironment(), ...env, NODE_OPTIONS: `--import ${hook}`, [USAGE_FOLDER]: usageFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-KEPT_OUTPUT);
    });
  }
  const end = (): boolean => child.kill('SIGKILL');
  const limit = setTimeout(end, LIMIT_MS);
  // Where the user ends the benchmark, first of all: it writes into a folder that is removed then.
  process.prependOnceListener('exit', end);
  const exitCode = await new Promise<number | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? undefined));
  }).finally(() => {
    clearTimeout(limit);
    process.off('exit', end);
  });
  const endedAt = now();
  return { exitCode, output, startedAt, endedAt, usage: await readUsage(usageFolder), folder };
}

/** The environment without what `npm run` adds to it, which commands would take for options of their own. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^PETSTORE_/i.test(name)));
}
