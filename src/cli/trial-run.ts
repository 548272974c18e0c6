/**
 * The run that is made when the suite is built: a usual one, all of it in one thread, so that what V8 compiled of it can
 * be kept for later runs.
 */
import { Writable } from 'node:stream';
import { suiteVersion } from '../package.ts';
import { conformanceRunner } from './api/run-conformance.ts';
import { parseArguments } from './arguments.ts';
import { runCommand } from './run/run.ts';
import { runInThread } from './run/run-in-thread.ts';

/**
 * Judges the embedded service with the smoke profile.
 *
 * @param reportDir a folder for the reports
 * @throws whatever keeps it from being run
 */
export async function trialRun(reportDir: string): Promise<void> {
  const argv = ['--profile', 'smoke', '--seed', '1', '--report-dir', reportDir];
  const command = await parseArguments(
    argv,
    {},
    {
      catalogue: async () => (await import('../petstore/catalogue.ts')).CATALOGUE,
      isTerminal: false,
      isErrorTerminal: false,
      isInputTerminal: false,
      version: suiteVersion(),
    },
  );
  if (command.kind !== 'run') throw new Error(`${argv.join(' ')} is no run`);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await runCommand(
    command.targets,
    { stdout: nowhere, stderr: nowhere },
    {
      runConformance: conformanceRunner(() => ({ run: runInThread, close: async () => {} })),
      signals: process,
    },
  );
}
