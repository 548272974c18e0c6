import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Command as CommanderCommand, CommanderError } from 'commander';
import { keyFromEnvironment, keyFromOptions } from './api-key.ts';
import { readNames } from './choices.ts';
import type { Command } from './commands/command.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './errors.ts';
import { optional, readInteger } from './numbers.ts';
import { MISSING_RESULTS, refuseMissingValues, usageErrorOf } from './parser-errors.ts';
import { pathKind } from './path-kind.ts';
import {
  type CommandName,
  createProgram,
  type FaultsFlags,
  type ListFlags,
  type MergeFlags,
  type RunFlags,
  type ServeFlags,
} from './program.ts';
import { quoted } from './quoted.ts';
import { readablePath } from './readable-file.ts';
import { readReportOptions } from './report-options.ts';
import { readPatterns } from './requirement-patterns.ts';
import { readRunOptions } from './run-options.ts';
import { refuseArguments, refuseStrayArguments, refuseSwallowed, strayArgument } from './stray-arguments.ts';
import type { Surroundings } from './surroundings.ts';
import { terminalOf } from './terminal.ts';
import { writableFolder } from './writable-folder.ts';

/**
 * Reads a whole command line and checks every value in it, before anything is sent anywhere.
 * @param argv what stands behind the name of the program
 * @throws UsageError
 */
export async function parseArguments(
  argv: readonly string[],
  environment: Environment,
  surroundings: Surroundings,
): Promise<Command> {
  let text = '';
  const chosen: { name: CommandName } = { name: 'run' };
  const program = createProgram(
    surroundings.version,
    (written) => {
      text += written;
    },
    (name) => {
      chosen.name = name;
    },
  );
  try {
    program.root.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.version') return { kind: 'version', text };
    if (error.exitCode === 0 || error.code === 'commander.help') return { kind: 'help', text };
    throw usageErrorOf(error, argv, program);
  }
  const command = program.commands[chosen.name];
  refuseSwallowed(command, argv, environment);
  refuseMissingValues(command);
  switch (chosen.name) {
    case 'run':
      refuseStrayArguments(command.args, argv, program);
      return {
        kind: 'run',
        targets: await readRunOptions(command.opts<RunFlags>(), environment, surroundings),
      };
    case 'list':
      refuseArguments(command, argv);
      return readList(command.opts<ListFlags>(), surroundings);
    case 'serve':
      refuseArguments(command, argv);
      return readServe(command.opts<ServeFlags>(), environment);
    case 'faults':
      refuseArguments(command, argv);
      return readFaults(command.opts<FaultsFlags>(), environment, surroundings);
    case 'compare':
      return readCompare(command, argv);
    case 'merge':
      return readMerge(command, environment, surroundings);
  }
}

async function readList(flags: ListFlags, surroundings: Surroundings): Promise<Command> {
  const only = flags.only === undefined ? [] : readPatterns('--only', flags.only, await surroundings.catalogue());
  return { kind: 'list', only, json: flags.json ?? false };
}

function readServe(flags: ServeFlags, environment: Environment): Command {
  const host = flags.host ?? '127.0.0.1';
  if (!/^[\w.:-]+$/.test(host)) {
    throw new UsageError(
      'value-invalid',
      `--host: ${quoted(host)} is no name or address of this machine; write one such as 127.0.0.1`,
    );
  }
  return {
    kind: 'serve',
    options: {
      port: readInteger('--port', flags.port ?? '8080', {
        min: 0,
        max: 65_535,
      }),
      host,
      token: keyFromOptions(flags, environment) ?? keyFromEnvironment(environment),
      faults: readNames(flags.fault),
      variants: readNames(flags.variant),
      latencyMs: readInteger('--latency', flags.latency ?? '0', {
        min: 0,
        max: 60_000,
      }),
      animals: optional(flags.animals, (text) => readInteger('--animals', text, { min: 0, max: 1_000_000 })),
    },
  };
}

function readFaults(flags: FaultsFlags, environment: Environment, surroundings: Surroundings): Command {
  if (flags.run !== true) {
    const [idle] = (['only', 'jobs', 'seed'] as const).filter((name) => flags[name] !== undefined);
    if (idle === undefined) return { kind: 'faults', json: flags.json ?? false };
    throw new UsageError('option-conflict', `--${idle}: it says what to try, so write \`faults --run --${idle} …\``);
  }
  if (flags.json === true) {
    throw new UsageError('option-conflict', '--json: --run writes faults.json in any case; leave out one of the two');
  }
  const { color, interactive } = terminalOf(surroundings.isTerminal, environment, flags.color);
  return {
    kind: 'matrix',
    only: readNames(flags.only),
    jobs: readInteger('--jobs', flags.jobs ?? `${Math.min(2 * availableParallelism(), 16)}`, { min: 1, max: 64 }),
    seed: readInteger('--seed', flags.seed ?? '1', { min: 0, max: 2 ** 31 - 1 }),
    reportDir: writableFolder('--report-dir', flags.reportDir ?? 'reports'),
    color,
    interactive,
  };
}

function readCompare(command: CommanderCommand, argv: readonly string[]): Command {
  const [before, after, stray] = command.args;
  if (before === undefined || after === undefined) throw new UsageError('argument-missing', MISSING_RESULTS.compare);
  if (stray !== undefined) throw strayArgument('compare', stray, argv);
  return { kind: 'compare', before: resultFile('compare', before), after: resultFile('compare', after) };
}

function readMerge(command: CommanderCommand, environment: Environment, surroundings: Surroundings): Command {
  const flags = command.opts<MergeFlags>();
  const { reports, reportDir } = readReportOptions(flags);
  if (reports.includes('har')) {
    throw new UsageError('value-invalid', '--report: a merged result has no traffic for har; leave it out of the list');
  }
  const { color } = terminalOf(surroundings.isTerminal, environment, flags.color);
  return { kind: 'merge', files: command.args.map((path) => resultFile('merge', path)), reportDir, reports, color };
}

/** A result may be named by the folder of reports that holds it. */
function resultFile(command: string, path: string): string {
  return readablePath(command, pathKind(path) === 'folder' ? join(path, 'conformance.json') : path);
}
