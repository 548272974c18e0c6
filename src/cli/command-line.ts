/**
 * How a command line becomes a run: commander collects the texts of each option; `options/read.ts` checks them against
 * `options/tables.ts`; `options/run-settings.ts` completes the settings of a run; `run/execute.ts` carries it out. The
 * options of programs enter at `readGiven`, and go the same way.
 */
import { CommanderError, Command as Parser } from 'commander';
import { baselineCommand } from './commands/baseline.ts';
import type { Action } from './commands/command.ts';
import { compareCommand } from './commands/compare.ts';
import { keyCommand } from './commands/key.ts';
import { listCommand } from './commands/list.ts';
import { runCommand } from './commands/run.ts';
import { faultsCommand, serveCommand } from './commands/serve.ts';
import { HELP_ALL, HELP_WIDTH, helpOf } from './help.ts';
import { rejectSwallowedOptions, usageErrorOf } from './mistakes.ts';
import { RUN_GROUPS } from './options/tables.ts';

/** Every command except `run`, in the order of the help. */
const COMMANDS = [listCommand, serveCommand, faultsCommand, compareCommand, baselineCommand, keyCommand];

/** What a parsed line asks for: the text of the help or version, or a command. */
interface Asked {
  text: string;
  perform: Action | undefined;
}

/**
 * Reads a whole command line and checks every value in it.
 * @param given the arguments after the name of the program
 * @throws UsageError
 */
export function parseArguments(given: readonly string[], environment: NodeJS.ProcessEnv, version: string): Action {
  // Unlike npm, pnpm and yarn pass on the `--`.
  const argv = given[0] === '--' ? given.slice(1) : given;
  const asked: Asked = { text: '', perform: undefined };
  const { root, run } = createProgram(version, asked);
  const parser = root.commands.find((command) => command.name() === argv[0]) ?? run;
  if (argv.includes(HELP_ALL)) return printing(parser === run ? helpOf(run, root, 'whole') : parser.helpInformation());
  let failure: unknown;
  try {
    root.parse(argv, { from: 'user' });
  } catch (error) {
    const wantsHelp = argv.includes('--help') || argv.includes('-h') || argv[0] === 'help';
    const text = asked.text || (wantsHelp ? parser.helpInformation() : '');
    if (text !== '') return printing(text);
    failure = error instanceof CommanderError ? usageErrorOf(error, parser, argv, root) : error;
  }
  // First, as a line from which npm took the options has other mistakes too.
  rejectSwallowedOptions(parser, argv, environment);
  if (asked.perform === undefined) throw failure;
  return asked.perform;
}

/** Prints a text. */
const printing =
  (text: string): Action =>
  ({ stdout }) => {
    stdout.write(text);
    return 0;
  };

/**
 * The program for commander. It never ends the process: help, version and errors are thrown as a `CommanderError`,
 * invalid values as a `UsageError`.
 */
function createProgram(version: string, asked: Asked): { readonly root: Parser; readonly run: Parser } {
  const root = new Parser('petstore-conformance').exitOverride().configureOutput({
    writeOut: (text) => {
      asked.text += text;
    },
    writeErr: () => {},
    getOutHelpWidth: () => HELP_WIDTH,
    getOutHasColors: () => false,
  });
  const choose = (perform: Action): void => {
    asked.perform = perform;
  };
  const run = runCommand(root, choose);
  for (const addCommand of COMMANDS) addCommand(root, choose);
  for (const option of run.options) {
    const group = Object.entries(RUN_GROUPS).find(([, options]) => option.attributeName() in options);
    if (group !== undefined) option.helpGroup(group[0]);
  }
  root.version(version, '-V, --version', 'print the version').helpOption('-h, --help', 'show this help');
  run
    .optionsGroup('Output:')
    .option('-V, --version', 'print the version')
    .option(HELP_ALL, 'show every option, with examples')
    .helpOption('-h, --help', 'show the common options');
  for (const parser of [root, run]) {
    parser.configureHelp({ formatHelp: () => helpOf(run, root, 'short') });
  }
  return { root, run };
}
