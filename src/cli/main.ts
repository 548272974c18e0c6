import type { Readable, Writable } from 'node:stream';
import { pathForUser, suiteVersion, USER_FOLDER } from '../package.ts';
import { revealingMisses } from '../petstore/inputs/near-misses.ts';
import type { GitHubJob } from '../report/github-job.ts';
import { parseArguments } from './arguments.ts';
import type { Command } from './commands/command.ts';
import { isFolderGone, UsageError } from './errors.ts';
import { SERVE_OPTIONS } from './options.ts';
import { secretsOf } from './run/secrets.ts';
import { secretValues } from './shown-options.ts';

type MaybeTerminal = { readonly isTTY?: boolean };

export interface Streams {
  /** For questions to the user. */
  readonly stdin?: Readable & MaybeTerminal;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
}

/**
 * The whole program: reads the command line and runs the command. It never throws and never ends the process.
 * @param argv the arguments after the name of the program
 * @returns the exit code, as the help lists them
 */
export async function main(argv: readonly string[], environment: NodeJS.ProcessEnv, streams: Streams): Promise<number> {
  let secrets: readonly string[] = [];
  try {
    // The paths that the user types are those of the folder that the user is in.
    if (USER_FOLDER !== undefined) process.chdir(USER_FOLDER);
    // No thread can be started in a folder that was removed.
    process.cwd();
    const command = await parseArguments(argv, environment, {
      catalogue: async () => (await import('../petstore/outline.ts')).CATALOGUE,
      isTerminal: streams.stdout.isTTY === true,
      isErrorTerminal: streams.stderr.isTTY === true,
      isInputTerminal: streams.stdout.isTTY === true && streams.stdin?.isTTY === true,
      version: suiteVersion(),
      reportDir: USER_FOLDER === undefined ? undefined : pathForUser('reports'),
    });
    secrets = secretsIn(command);
    return await perform(command, environment, streams);
  } catch (cause) {
    const error = isFolderGone(cause)
      ? new UsageError('file-unreadable', 'The working folder does not exist any more; change to another one.')
      : cause;
    const wantsStack = Boolean(environment['DEBUG']) || argv.includes('--verbose') || argv.includes('-v');
    const message =
      error instanceof UsageError ? `${error.message}\n` : await internalError(error, wantsStack, secrets);
    streams.stderr.write(message);
    if (isGitHubJob(environment)) {
      const { annotation } = await import('../report/github-job.ts');
      streams.stdout.write(annotation({ level: 'error', title: 'petstore-conformance', lines: [message.trim()] }));
    }
    return 2;
  }
}

/** Each command is loaded only when it is needed: the help must not wait for a test runner. */
async function perform(command: Command, environment: NodeJS.ProcessEnv, streams: Streams): Promise<number> {
  switch (command.kind) {
    case 'help':
    case 'version':
      streams.stdout.write(command.text);
      return 0;
    case 'run':
      return (await import('./run/run.ts')).runCommand(command.targets, {
        ...streams,
        github: await gitHubJob(environment),
      });
    case 'list':
      return (await import('./commands/list.ts')).listRequirements(command, streams.stdout);
    case 'serve':
      return (await import('./commands/serve.ts')).serve(command.options, streams.stdout);
    case 'key':
      return (await import('./commands/key.ts')).printKey(command, streams.stdout);
    case 'faults':
      return (await import('./commands/faults.ts')).listFaults(command, streams.stdout);
    case 'matrix':
      return (await import('./commands/faults.ts')).tryFaults(command, streams);
    case 'judge':
      return (await import('./traffic/judge.ts')).judgeFiles(command.files, command, streams);
    case 'proxy':
      return (await import('./traffic/proxy.ts')).proxyTraffic(command, streams.stdout);
    case 'compare':
      return (await import('./commands/compare.ts')).compare(command, streams);
    case 'baseline':
      return (await import('./commands/baseline.ts')).writeBaseline(command, streams);
  }
}

const isGitHubJob = (environment: NodeJS.ProcessEnv): boolean => environment['GITHUB_ACTIONS'] === 'true';

/** The job of GitHub Actions that the program runs in, if it does. */
async function gitHubJob(environment: NodeJS.ProcessEnv): Promise<GitHubJob | undefined> {
  if (!isGitHubJob(environment)) return undefined;
  const { GitHubJob } = await import('../report/github-job.ts');
  return new GitHubJob(environment['GITHUB_STEP_SUMMARY']);
}

function secretsIn(command: Command): readonly string[] {
  if (command.kind === 'serve') return secretValues(SERVE_OPTIONS, command.options);
  if (command.kind === 'key') return [command.token, ...revealingMisses(command.token)];
  if (command.kind !== 'run') return [];
  return command.targets.flatMap((options) => secretsOf(options, { secrets: revealingMisses }));
}

/** An exception may quote the service's response, so every form of a secret is removed. */
async function internalError(error: unknown, withStack: boolean, secrets: readonly string[]): Promise<string> {
  const { createRedactor } = await import('../report/redact/redact.ts');
  return createRedactor(secrets)(describeError(error, withStack));
}

/** One line, followed by the stack if it was asked for. */
function describeError(error: unknown, withStack: boolean): string {
  const message = (error instanceof Error ? error.message : String(error)).trim().replace(/\s*[\r\n]+\s*/g, ' ');
  const stack = withStack && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  const advice = withStack ? 'please report it with this stack' : 'run again with DEBUG=1 and report it with the stack';
  return `petstore-conformance: internal error (not your service's fault): ${message} (${advice})\n${stack}`;
}
