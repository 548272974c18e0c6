import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { KEY } from '../../petstore/rig.fixture.ts';

export const PROGRAM = fileURLToPath(new URL('../petstore-conformance.mjs', import.meta.url));

/** How a process ended, and all that it printed. */
export interface Printed {
  readonly code: number | null;
  readonly printed: string;
}

/** Waits for the end of a process. */
export async function endOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Printed> {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  await once(child, 'close');
  return { code: child.exitCode, printed };
}

/** Runs the program in a process of its own, with the key of the tests and nothing else of the environment. */
export const runProgram = (...argv: readonly string[]): Promise<Printed> =>
  runIn(undefined, process.execPath, PROGRAM, ...argv);

/** Runs any program like that, in a folder. */
export function runIn(cwd: string | undefined, program: string, ...argv: readonly string[]): Promise<Printed> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PETSTORE_API_KEY: KEY };
  return endOf(spawn(program, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}
