import { availableParallelism } from 'node:os';
import { Command as Parser } from 'commander';
import type { Command } from './commands/command.ts';
import { conflict, UsageError } from './errors.ts';
import { HELP_ALL, HELP_WIDTH, shortHelp } from './help.ts';
import { addOptions, DeclaredOption, type Options, usageOf, type Values } from './option.ts';
import {
  BASELINE_OPTIONS,
  COMPARE_OPTIONS,
  FAULTS_OPTIONS,
  JUDGE_OPTIONS,
  KEY_OPTIONS,
  keyInForce,
  keyNeeded,
  LIST_OPTIONS,
  PROXY_OPTIONS,
  RUN_GROUPS,
  RUN_OPTIONS,
  SERVE_OPTIONS,
} from './options.ts';
import { readRunOptions, trafficOptions } from './run-options.ts';
import { type Surroundings, terminalOf } from './terminal.ts';
import { checkFile, checkFolder, resultPath } from './values/files.ts';
import { readPatterns } from './values/requirements.ts';

/** Completes and checks the options of a command that was chosen. @throws UsageError */
export type ReadCommand = () => Command | Promise<Command>;

/**
 * The subcommands and their options as commander knows them. It never ends the process: help, version and errors are
 * thrown as a `CommanderError`, what is wrong with a value as a `UsageError`.
 * @param written the text of help and version is added to it
 * @param chosen the subcommand is added to it, once the whole line is parsed
 */
export function createProgram(
  environment: NodeJS.ProcessEnv,
  surroundings: Surroundings,
  written: string[],
  chosen: ReadCommand[],
): Parser {
  const { version, reportDir } = surroundings;
  const root = new Parser('petstore-conformance').exitOverride().configureOutput({
    writeOut: (text) => written.push(text),
    writeErr: () => {},
    getOutHelpWidth: () => HELP_WIDTH,
    getErrHelpWidth: () => HELP_WIDTH,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  const subcommand = <Table extends Options>(
    name: string,
    summary: string,
    options: Table,
    read: (values: Values<Table>, args: readonly string[]) => Command | Promise<Command>,
  ): Parser => {
    const command = root.command(name, { isDefault: name === 'run' }).description(summary);
    addOptions(command, options, environment);
    if (reportDir !== undefined && 'reportDir' in options) {
      command.setOptionValueWithSource('reportDir', reportDir, 'default');
    }
    return command.helpOption('-h, --help', 'show this help').action(() => {
      chosen.push(() => {
        refuseIdle(command);
        return read(command.opts<Values<Table>>(), command.args);
      });
    });
  };

  const summary = 'Tests whether a server implements the Pet Store specification.';
  const run = subcommand('run', summary, RUN_OPTIONS, async (given) => {
    return { kind: 'run', targets: await readRunOptions(given, environment, surroundings) };
  });
  subcommand('list', 'list the requirements', LIST_OPTIONS, async ({ only, json }) => {
    const patterns = only.length === 0 ? [] : readPatterns('--only', only, await surroundings.catalogue());
    return { kind: 'list', only: patterns, json };
  });
  subcommand('serve', 'start the reference service', SERVE_OPTIONS, ({ tokenEnv, tokenFile, ...options }) => {
    const token = keyInForce({ ...options, tokenEnv, tokenFile }, environment);
    return { kind: 'serve', options: { ...options, token } };
  });
  subcommand(
    'faults',
    'list the faults of the reference service, or test each of them',
    FAULTS_OPTIONS,
    ({ run, json, only, jobs, maxTimeMs, pairs, profile, replays, whole, seed, reportDir, color }) => {
      if (run) {
        checkFolder('--report-dir', reportDir);
        // Two jobs per processor: each waits now and then.
        const workers = jobs ?? Math.min(2 * availableParallelism(), 16);
        const terminal = terminalOf(surroundings, environment, color);
        const runs = { jobs: workers, seed: seed ?? 1, profile: profile ?? 'standard', replays, whole };
        return { kind: 'matrix', only, maxTimeMs, pairs, ...runs, reportDir, ...terminal };
      }
      return { kind: 'faults', json };
    },
  );
  subcommand('judge', 'judge recorded traffic; sends nothing', JUDGE_OPTIONS, (given, files) => {
    return { kind: 'judge', files, ...trafficOptions(given, environment, surroundings) };
  }).argument('<file...>', 'an HTTP archive (HAR 1.2), which may be gzipped');
  subcommand('proxy', 'pass traffic on to a service, and judge it', PROXY_OPTIONS, ({ port, host, ...given }) => {
    if (given.baseUrl === undefined) {
      throw new UsageError(
        'argument-missing',
        '--base-url: missing; write `petstore-conformance proxy --base-url URL`',
      );
    }
    const { baseUrl } = given;
    return { kind: 'proxy', port, host, baseUrl, ...trafficOptions(given, environment, surroundings) };
  });
  subcommand('compare', 'show what changed between two results, or in a history', COMPARE_OPTIONS, readComparison)
    .argument('[before]', 'a conformance.json, or its folder')
    .argument('[after]', 'the later one');
  subcommand('baseline', 'write what fails in a result into a baseline', BASELINE_OPTIONS, (options, [path = '']) => {
    if (options.output !== undefined) checkFile('--output', options.output);
    return { kind: 'baseline', result: resultPath(path), ...options };
  }).argument('<result>', 'a conformance.json, or its folder');
  subcommand('key', 'print what a credential of a curl line sends; a secret', KEY_OPTIONS, (given, [name = '']) => {
    return { kind: 'key', name, token: keyNeeded('`key`', given, environment) };
  }).argument('<name>', "such as: petstore-conformance key 'the key twice'");
  for (const option of run.options) {
    const group = Object.entries(RUN_GROUPS).find(([, options]) => option.attributeName() in options);
    if (group !== undefined) option.helpGroup(group[0]);
  }
  root.version(version, '-V, --version', 'print the version').helpOption('-h, --help', 'show this help');
  run
    .optionsGroup('Output:')
    .option('-V, --version', 'print the version')
    .option(HELP_ALL, 'show every option, with examples')
    .helpOption('-h, --help', 'show the usual options');
  for (const command of [root, run]) {
    command.configureHelp({ formatHelp: (_command, help) => shortHelp(run, root, help) });
  }
  return root;
}

/** An option that has no effect without another one is not given alone. @throws UsageError */
function refuseIdle(command: Parser): void {
  const isGiven = (field: string): boolean => command.getOptionValueSource(field) === 'cli';
  for (const { long, field, declared } of command.options.filter((option) => option instanceof DeclaredOption)) {
    const needed = command.options.find((option) => option.attributeName() === declared.needs);
    if (needed === undefined || !isGiven(field) || isGiven(needed.attributeName())) continue;
    const line = `${command.name()} ${usageOf(needed.flags)} ${long} …`;
    throw conflict(`${long}: has no effect without ${needed.long}; write \`${line}\``);
  }
}

function readComparison(options: Values<typeof COMPARE_OPTIONS>, [before, after]: readonly string[]): Command {
  const { history } = options;
  if (history !== undefined) {
    if (before === undefined) return { kind: 'compare', results: undefined, ...options };
    throw conflict('--history: compares the runs of the history; leave out the results, or --history');
  }
  if (before === undefined || after === undefined) {
    const lines = '`petstore-conformance compare BEFORE AFTER`, or `compare --history FILE`';
    throw new UsageError('argument-missing', `compare: missing argument; write ${lines}`);
  }
  return { kind: 'compare', results: [resultPath(before), resultPath(after)], ...options };
}

/** The long options of a command, without hyphens in front. */
export function longNames(command: Parser): readonly string[] {
  return [...command.options.flatMap(({ long }) => (long === undefined ? [] : [long.slice(2)])), 'help'];
}
