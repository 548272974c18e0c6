import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { KEY } from '../../petstore/rig.fixture.ts';

export const PROGRAM = fileURLToPath(new URL('../petstore-conformance.mjs', import.meta.url));

/** How a process ended, and all that it printed. */
export interface Printed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, one after the other. */
  readonly printed: string;
}

/** Waits for the end of a process. */
export async function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Printed> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  await once(child, 'close');
  return { code: child.exitCode, ...texts, printed: texts.stdout + texts.stderr };
}

/** Nothing of what the test runner has in its environment but what every program needs, and the key of the tests. */
export const ENVIRONMENT = { PATH: process.env['PATH'], HOME: process.env['HOME'], PETSTORE_API_KEY: KEY };

/** Starts the program in a process of its own. */
export const startProgram = (argv: readonly string[], environment: NodeJS.ProcessEnv = ENVIRONMENT) =>
  spawn(process.execPath, [PROGRAM, ...argv], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });

/** Runs the program in a process of its own. */
export const runProgram = (...argv: readonly string[]): Promise<Printed> => endOf(startProgram(argv));

/** Runs any program in a folder. */
export const runIn = (cwd: string, program: string, ...argv: readonly string[]): Promise<Printed> =>
  endOf(spawn(program, argv, { cwd, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] }));
