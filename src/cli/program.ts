import { Command as Parser } from 'commander';
import { baselineCommand } from './commands/baseline.ts';
import type { Performance } from './commands/command.ts';
import { compareCommand } from './commands/compare.ts';
import { faultsCommand } from './commands/faults.ts';
import { keyCommand } from './commands/key.ts';
import { listCommand } from './commands/list.ts';
import { runCommand } from './commands/run.ts';
import { serveCommand } from './commands/serve.ts';
import { HELP_ALL, HELP_WIDTH, helpOf } from './help.ts';
import { RUN_GROUPS } from './options/tables.ts';

/** Every command but `run`, in the order of the help. */
const COMMANDS = [listCommand, serveCommand, faultsCommand, compareCommand, baselineCommand, keyCommand];

interface Program {
  readonly root: Parser;
  readonly run: Parser;
  /** The text of help or version, once the line is parsed. */
  readonly written: string[];
  /** What the line asks for, once it is parsed. */
  readonly chosen: Performance[];
}

/**
 * The program as commander knows it. It never ends the process: help, version and errors are thrown as a
 * `CommanderError`, what is wrong with a value as a `UsageError`.
 */
export function createProgram(version: string): Program {
  const written: string[] = [];
  const chosen: Performance[] = [];
  const root = new Parser('petstore-conformance').exitOverride().configureOutput({
    writeOut: (text) => written.push(text),
    writeErr: () => {},
    getOutHelpWidth: () => HELP_WIDTH,
    getErrHelpWidth: () => HELP_WIDTH,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  const choose = (perform: Performance): void => void chosen.push(perform);
  const run = runCommand.addTo(root, choose);
  for (const command of COMMANDS) command.addTo(root, choose);
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
  for (const parser of [root, run]) {
    parser.configureHelp({ formatHelp: () => helpOf(run, root, 'short') });
  }
  return { root, run, written, chosen };
}
