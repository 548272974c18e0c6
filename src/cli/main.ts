import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { PARTS } from '../petstore/parts.ts';
import type { Command } from './commands/command.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './errors.ts';
import { secretsOf } from './run/secrets.ts';

/** Where output goes; a terminal says so. */
export interface Output extends Writable {
  readonly isTTY?: boolean;
}

export interface Streams {
  /** Where answers come from; a terminal says so. */
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * The whole program: reads the command line, does what it says, and answers with the exit code. It never throws and
 * never ends the process.
 *
 * 0 conforms · 1 violations · 2 usage, configuration or suite fault · 3 could not be judged · 130 and 143 where the user
 * ended the run.
 * @param argv what stands behind the name of the program
 */
export async function main(argv: readonly string[], environment: Environment, streams: Streams): Promise<number> {
  let secrets: readonly string[] = [];
  try {
    // What a command does not need is not loaded: the help must not wait for a test runner.
    const { parseArguments } = await import('./arguments.ts');
    const command = await parseArguments(argv, environment, {
      catalogue: async () => (await import('../engine/catalogue.ts')).loadCatalogue(PARTS),
      isTerminal: streams.stdout.isTTY === true,
      isInputTerminal: streams.stdout.isTTY === true && streams.stdin?.isTTY === true,
      version: readVersion(),
    });
    secrets = secretsIn(command);
    return await perform(command, streams);
  } catch (error) {
    if (error instanceof UsageError) {
      streams.stderr.write(`${error.message}\n`);
    } else {
      const wanted = Boolean(environment['DEBUG']) || argv.includes('--verbose') || argv.includes('-v');
      // An exception may quote what a service said, so every form of a secret goes.
      const { createRedactor } = await import('../report/redact/redact.ts');
      streams.stderr.write(createRedactor(secrets)(describeFault(error, wanted)));
    }
    return 2;
  }
}

async function perform(command: Command, streams: Streams): Promise<number> {
  switch (command.kind) {
    case 'help':
    case 'version':
      streams.stdout.write(command.text);
      return 0;
    case 'run':
      return (await import('./run/run.ts')).runCommand(command.targets, streams);
    case 'list':
      return (await import('./commands/list.ts')).listRequirements(command, streams.stdout);
    case 'serve':
      return (await import('./commands/serve.ts')).serve(command.options, streams.stdout);
    case 'faults':
      return (await import('./commands/faults.ts')).listFaults(command, streams.stdout);
    case 'matrix':
      return (await import('./commands/faults.ts')).tryFaults(command, streams);
    case 'compare':
      return (await import('./commands/compare.ts')).compare(command, streams.stdout);
    case 'merge':
      return (await import('./commands/merge.ts')).merge(command, streams.stdout);
  }
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : '';
  return String(version);
}

function secretsIn(command: Command): readonly string[] {
  switch (command.kind) {
    case 'run':
      return command.targets.flatMap(secretsOf);
    case 'serve':
      return command.options.token === undefined ? [] : [command.options.token];
    default:
      return [];
  }
}

/** One line, and the stack behind it where it is wished for. */
function describeFault(error: unknown, withStack: boolean): string {
  const message = (error instanceof Error ? error.message : String(error)).trim().replace(/\s*[\r\n]+\s*/g, ' ');
  const stack = withStack && error instanceof Error ? `${error.stack ?? ''}\n` : '';
  const advice = withStack
    ? 'report it with the stack below'
    : 'run it again with DEBUG=1 in the environment, and report it with the stack';
  return `petstore-conformance failed, through a fault of its own and not of the service: ${message} (${advice})\n${stack}`;
}
