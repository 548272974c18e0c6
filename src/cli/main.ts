import { IS_CHECKOUT, pathForUser, SUITE_VERSION, USER_FOLDER } from '../package.ts';
import { harmless } from '../report/harmless.ts';
import { printable } from '../text.ts';
import { parseArguments } from './command-line.ts';
import type { Context } from './commands/command.ts';
import { UsageError } from './errors.ts';
import { loadEngine } from './run/execute.ts';

/** What tests replace. */
export type Machinery = Pick<Context, 'loadEngine' | 'signals' | 'testsEmbedded'>;

/**
 * The whole program: reads the command line and carries the command out. It never throws and never ends the process.
 * @param argv the arguments after the name of the program
 * @returns the exit code, as the help lists them
 */
export async function main(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  { stdin, stdout, stderr }: Pick<Context, 'stdin' | 'stdout' | 'stderr'>,
  // Only `npm test` in the checkout tests the embedded service; everything else needs a target.
  machinery: Machinery = {
    loadEngine,
    signals: process,
    testsEmbedded: IS_CHECKOUT && environment['npm_lifecycle_event'] === 'test',
  },
): Promise<number> {
  const secrets: string[] = [];
  try {
    // Paths are relative to the folder that the user is in.
    if (USER_FOLDER !== undefined) process.chdir(USER_FOLDER);
    // Fails if that folder was removed.
    process.cwd();
    const perform = parseArguments(argv, environment, SUITE_VERSION);
    const reportDir = USER_FOLDER === undefined ? 'reports' : pathForUser('reports');
    const code = await perform({ environment, stdin, stdout, stderr, reportDir, secrets, ...machinery });
    // Waits until everything is written, as only then is an error known, such as a full disk.
    await new Promise((resolve) => stdout.write('', resolve));
    return code;
  } catch (cause) {
    // Node.js throws this when it resolves a path or starts a thread.
    const isFolderGone = cause instanceof Error && 'syscall' in cause && cause.syscall === 'uv_cwd';
    const error = isFolderGone
      ? new UsageError('file-unreadable', 'The working folder no longer exists; change to another one.')
      : cause;
    const wantsStack = Boolean(environment['DEBUG']) || argv.includes('--verbose') || argv.includes('-v');
    const message = error instanceof UsageError ? error.message : await internalError(error, wantsStack, secrets);
    stderr.write(`${message}\n`);
    if (environment['GITHUB_ACTIONS'] === 'true') {
      stdout.write(`::error title=petstore-conformance::${harmless(message).replaceAll('%', '%25')}\n`);
    }
    return 2;
  }
}

/** One line, followed by the stack if wanted. Secrets are removed, as an exception may quote a response. */
async function internalError(error: unknown, withStack: boolean, secrets: readonly string[]): Promise<string> {
  const { createRedactor } = await import('../report/redact.ts');
  const text = printable((error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim());
  const advice = withStack ? 'please report it with this stack' : 'run again with DEBUG=1 and report it with the stack';
  const stack = withStack && error instanceof Error ? `\n${error.stack ?? ''}` : '';
  const line = `petstore-conformance: internal error (not your service's fault): ${text} (${advice})${stack}`;
  return createRedactor({ secrets, nearMisses: [] }).evidence(line);
}
