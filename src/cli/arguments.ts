import { CommanderError, type Command as Parser } from 'commander';
import { COMMAND } from '../package.ts';
import type { Command } from './commands/command.ts';
import { conflict, quoted, UsageError } from './errors.ts';
import { HELP_ALL, wholeHelp } from './help.ts';
import { refuseSwallowedOptions } from './npm-arguments.ts';
import { longFlag, usageOf } from './option.ts';
import { createProgram, longNames, type ReadCommand } from './program.ts';
import { nearest, optionLike } from './suggestions.ts';
import type { Surroundings } from './terminal.ts';
import { baseUrl } from './values/urls.ts';

/**
 * Reads a whole command line and checks every value in it, before anything is sent anywhere.
 * @param argv the arguments after the name of the program
 * @throws UsageError
 */
export async function parseArguments(
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
  surroundings: Surroundings,
): Promise<Command> {
  const written: string[] = [];
  const chosen: ReadCommand[] = [];
  const root = createProgram(environment, surroundings, written, chosen);
  const named = (name: string | undefined) => root.commands.find((command) => command.name() === name);
  const run = named('run') ?? root;
  const command = named(argv[0]) ?? run;
  if (argv.includes(HELP_ALL)) {
    return { kind: 'help', text: command === run ? wholeHelp(run, root) : command.helpInformation() };
  }
  let failure: unknown;
  try {
    root.parse(argv, { from: 'user' });
  } catch (error) {
    const text = written.join('');
    if (error instanceof CommanderError && error.code === 'commander.version') return { kind: 'version', text };
    if (text !== '') return { kind: 'help', text };
    const wantsHelp = argv.includes('--help') || argv.includes('-h') || argv[0] === 'help';
    if (wantsHelp) return { kind: 'help', text: command.helpInformation() };
    failure = error instanceof CommanderError ? usageErrorOf(error, command, argv, root.commands) : error;
  }
  // First of all: a line from which npm took the options has other mistakes too.
  const [url] = [environment['npm_config_base_url'], ...argv].filter((word) => word !== undefined && isUrl(word));
  refuseSwallowedOptions(command.name(), longNames(command), presentableUrl(url), environment);
  const [read] = chosen;
  if (read === undefined) throw failure;
  return read();
}

const isUrl = (word: string): boolean => /^https?:/i.test(word);

/** The URL, if it may be repeated. */
function presentableUrl(text = ''): string {
  try {
    return baseUrl(text, '--base-url', {});
  } catch {
    return 'URL';
  }
}

/** What commander objects to, as one line of ours: its own messages repeat values, which may be secrets. */
function usageErrorOf(
  error: CommanderError,
  command: Parser,
  argv: readonly string[],
  commands: readonly Parser[],
): UsageError {
  const [first = '', second = ''] = [...error.message.matchAll(/'(-[^']*)'/g)].map(([, flags]) => flags ?? '');
  const name = command.name();
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(first.split('=', 1)[0] ?? '', command, commands);
    case 'commander.optionMissingArgument':
      return new UsageError('option-value-missing', `${longFlag(first)}: missing value; write ${usageOf(first)}`);
    case 'commander.conflictingOption':
      return conflict(`${longFlag(first)} and ${longFlag(second)}: cannot be used together; leave out one of them`);
    case 'commander.missingArgument': {
      const line = `petstore-conformance ${name} ${command.usage()}`;
      return new UsageError('argument-missing', `${name}: missing argument; write \`${line}\``);
    }
    case 'commander.excessArguments':
      return unexpectedArgument(command, argv, commands);
    default:
      return new UsageError('value-invalid', `${error.message.replace(/^error: /, '')} (--help-all lists all options)`);
  }
}

function unknownOption(option: string, command: Parser, commands: readonly Parser[]): UsageError {
  // Of an option of this command, commander knows all but a value that it does not take.
  if (longNames(command).includes(option.slice(2))) {
    return new UsageError('value-invalid', `${option}: takes no value; write ${option}`);
  }
  const owner = commands.find((other) => longNames(other).includes(option.slice(2)));
  const guess = optionLike(option.replace(/^-+/, ''), longNames(command));
  const meant = guess === undefined ? '' : `; did you mean --${guess}?`;
  const hint = owner === undefined ? meant : `; it is an option of \`${owner.name()}\`, not of \`${command.name()}\``;
  const help = command.name() === 'run' ? HELP_ALL : `${command.name()} --help`;
  return new UsageError('option-unknown', `${option}: unknown option${hint} (${help} lists them all)`);
}

/** A URL without its option, a misplaced or mistyped subcommand, or simply one argument too many. */
function unexpectedArgument(command: Parser, argv: readonly string[], commands: readonly Parser[]): UsageError {
  const error = (message: string): UsageError => new UsageError('argument-unexpected', message);
  const argument = command.args[command.registeredArguments.length] ?? '';
  if (command.name() === 'run') {
    if (isUrl(argument)) {
      const line = `${COMMAND} --base-url ${presentableUrl(argument)}`;
      return error(`--base-url: missing before the URL; write \`${line}\` (npm keeps options that come before --)`);
    }
    const names = commands.map((known) => known.name());
    if (names.includes(argument)) {
      return error(`${argument}: the command must come first; write \`petstore-conformance ${argument} …\``);
    }
    const guess = argv[0] === argument ? nearest(argument, names) : undefined;
    if (guess !== undefined) {
      const message = `${quoted(argument)}: unknown command; did you mean ${guess}? (--help lists them all)`;
      return new UsageError('command-unknown', message);
    }
  }
  // It may be a key without its option: only what is plainly a word is repeated.
  const place = argv.lastIndexOf(argument) + 1;
  const what = /^[a-z]{1,12}$/.test(argument)
    ? `unexpected argument ${quoted(argument)}`
    : `the ${ORDINALS[place - 1] ?? `${place}th`} argument is unexpected`;
  return error(`${command.name()}: ${what}; remove it, or add its option (--help-all lists them all)`);
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
