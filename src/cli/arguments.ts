import { CommanderError, type Command as Parser } from 'commander';
import { COMMAND } from '../package.ts';
import type { Performance } from './commands/command.ts';
import { conflict, quoted, UsageError } from './errors.ts';
import { HELP_ALL, helpOf } from './help.ts';
import { longNames } from './options/commander.ts';
import { longFlag, usageOf } from './options/option.ts';
import { baseUrl } from './options/values.ts';
import { createProgram } from './program.ts';
import { didYouMean, nearest } from './suggestions.ts';

/** Prints a text. */
const printing =
  (text: string): Performance =>
  ({ stdout }) => {
    stdout.write(text);
    return 0;
  };

/**
 * Reads a whole command line and checks every value in it.
 * @param given the arguments after the name of the program
 * @throws UsageError
 */
export function parseArguments(given: readonly string[], environment: NodeJS.ProcessEnv, version: string): Performance {
  // pnpm and yarn hand on the `--` that npm takes for itself.
  const argv = given[0] === '--' ? given.slice(1) : given;
  const { root, run, written, chosen } = createProgram(version);
  const parser = root.commands.find((command) => command.name() === argv[0]) ?? run;
  if (argv.includes(HELP_ALL)) return printing(parser === run ? helpOf(run, root, 'whole') : parser.helpInformation());
  let failure: unknown;
  try {
    root.parse(argv, { from: 'user' });
  } catch (error) {
    const wantsHelp = argv.includes('--help') || argv.includes('-h') || argv[0] === 'help';
    const text = written.join('') || (wantsHelp ? parser.helpInformation() : '');
    if (text !== '') return printing(text);
    failure = error instanceof CommanderError ? usageErrorOf(error, parser, argv, root) : error;
  }
  // First of all: a line from which npm took the options has other mistakes too.
  rejectSwallowedOptions(parser, argv, environment);
  const [perform] = chosen;
  if (perform === undefined) throw failure;
  return perform;
}

const isUrl = (word: string): boolean => /^https?:/i.test(word);

/** The URL, if it may be repeated. */
function presentableUrl(text: string): string {
  try {
    return baseUrl(text, '--base-url');
  } catch {
    return 'URL';
  }
}

/** Options that are npm's own settings too: npm may have them in the environment for other reasons. */
const NPM_OWN: readonly string[] = 'ca color help json only quiet verbose version yes'.split(' ');
/** npm expands an abbreviation of its own options: `--token` to `--token-description`. */
const NPM_EXPANDED: Readonly<Record<string, string>> = { token: 'token_description' };

/**
 * `npm test --base-url URL`, without `--`, gives the option to npm, which passes on only the URL. npm puts its options
 * into the environment, so this is noticed before the wrong target is tested.
 * @throws UsageError with the line to write instead
 */
function rejectSwallowedOptions(parser: Parser, argv: readonly string[], environment: NodeJS.ProcessEnv): void {
  const isKept = (name: string): boolean =>
    [name.replaceAll('-', '_'), NPM_EXPANDED[name]].some((kept) => environment[`npm_config_${kept}`] !== undefined);
  const swallowed = longNames(parser).filter((name) => !NPM_OWN.includes(name) && isKept(name));
  const [first] = swallowed;
  if (first === undefined) return;
  const [url = ''] = [environment['npm_config_base_url'], ...argv].filter((word) => word !== undefined && isUrl(word));
  const option = first === 'base-url' ? `--base-url ${presentableUrl(url)}` : `--${first} …`;
  const line = `npm test -- ${parser.name() === 'run' ? '' : `${parser.name()} `}${option}`;
  const flags = swallowed.map((name) => `--${name}`).join(', ');
  throw new UsageError(
    'option-swallowed-by-npm',
    `${flags}: npm did not pass this on; write \`${line}\`, with -- before the first option`,
  );
}

/** What commander objects to, as one line of ours: its own messages repeat values, which may be secrets. */
function usageErrorOf(error: CommanderError, parser: Parser, argv: readonly string[], root: Parser): UsageError {
  const [first = '', second = ''] = [...error.message.matchAll(/'(-[^']*)'/g)].map(([, flags]) => flags ?? '');
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(first.split('=', 1)[0] ?? '', parser, root.commands);
    case 'commander.optionMissingArgument':
      return new UsageError('option-value-missing', `${longFlag(first)}: missing value; write ${usageOf(first)}`);
    case 'commander.conflictingOption':
      return conflict(`${longFlag(first)} and ${longFlag(second)}: cannot be used together; leave out one of them`);
    case 'commander.missingArgument': {
      const line = `petstore-conformance ${parser.name()} ${parser.usage()}`;
      return new UsageError('argument-missing', `${parser.name()}: missing argument; write \`${line}\``);
    }
    case 'commander.excessArguments':
      return unexpectedArgument(parser, argv, root.commands);
    default:
      return new UsageError('value-invalid', `${error.message.replace(/^error: /, '')} (--help-all lists all options)`);
  }
}

function unknownOption(option: string, parser: Parser, commands: readonly Parser[]): UsageError {
  const name = option.replace(/^-+/, '');
  // Of an option of this command, commander knows all but a value that it does not take.
  if (longNames(parser).includes(name)) {
    return new UsageError('value-invalid', `${option}: takes no value; write ${option}`);
  }
  const owner = commands.find((other) => longNames(other).includes(name));
  const meant = didYouMean(
    option,
    longNames(parser).map((long) => `--${long}`),
  );
  const hint = owner === undefined ? meant : `; it is an option of \`${owner.name()}\`, not of \`${parser.name()}\``;
  const help = parser.name() === 'run' ? HELP_ALL : `${parser.name()} --help`;
  return new UsageError('option-unknown', `${option}: unknown option${hint} (${help} lists them all)`);
}

/** A URL without its option, a misplaced or mistyped command, or simply one argument too many. */
function unexpectedArgument(parser: Parser, argv: readonly string[], commands: readonly Parser[]): UsageError {
  const error = (message: string) => new UsageError('argument-unexpected', message);
  const argument = parser.args[parser.registeredArguments.length] ?? '';
  if (parser.name() === 'run') {
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
  const what = /^[a-z]{1,12}$/.test(argument)
    ? `unexpected argument ${quoted(argument)}`
    : `unexpected argument, number ${argv.lastIndexOf(argument) + 1}`;
  return error(`${parser.name()}: ${what}; remove it, or add its option (--help-all lists them all)`);
}
