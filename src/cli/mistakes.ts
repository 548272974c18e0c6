/** Mistakes in a command line, each as one line that says what to write instead. */
import type { CommanderError, Option, Command as Parser } from 'commander';
import { COMMAND } from '../package.ts';
import { didYouMean, quoted, UsageError } from './errors.ts';
import { HELP_ALL } from './help.ts';
import { longFlag, usageOf } from './options/option.ts';
import { baseUrl } from './options/values.ts';

/** The long options of a command, without the leading hyphens. */
const longNames = (parser: Parser): readonly string[] => [
  ...parser.options.flatMap(({ long }) => (long === undefined ? [] : [long.slice(2)])),
  'help',
];

const isUrl = (word: string): boolean => /^https?:/i.test(word);

/** The URL, if a message may show it. */
function presentableUrl(text: string): string {
  try {
    return baseUrl(text, '--base-url');
  } catch {
    return 'URL';
  }
}

/** Options that are also settings of npm, which may be in the environment for other reasons. */
const NPM_OWN: readonly string[] = 'ca color help json only quiet verbose version yes'.split(' ');
/** npm expands abbreviations of its own options, such as `--token` to `--token-description`. */
const NPM_EXPANDED: Readonly<Record<string, string>> = { token: 'token_description' };

/**
 * `npm test --base-url URL`, without `--`, gives the option to npm, which passes on only the URL. npm puts its options
 * into the environment, so this is noticed before the wrong target is tested.
 * @throws UsageError with the line to write instead
 */
export function rejectSwallowedOptions(parser: Parser, argv: readonly string[], environment: NodeJS.ProcessEnv): void {
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

/** Rejects an option as the value of another option, which commander accepts. @throws UsageError */
export function rejectOptionAsValue(given: string, option: Option, parser: Parser): void {
  const next = given.split('=', 1)[0] ?? '';
  if (next !== '--help' && !parser.options.some(({ long }) => long === next)) return;
  const message = `${option.long}: missing value before ${next}; write ${usageOf(option.flags)}`;
  throw new UsageError('option-value-missing', message);
}

/** Our own line for an error of commander, whose messages repeat values, which may be secrets. */
export function usageErrorOf(error: CommanderError, parser: Parser, argv: readonly string[], root: Parser): UsageError {
  const [, flags = ''] = /'(-[^']*)'/.exec(error.message) ?? [];
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(flags.split('=', 1)[0] ?? '', parser, root.commands);
    case 'commander.optionMissingArgument':
      return new UsageError('option-value-missing', `${longFlag(flags)}: missing value; write ${usageOf(flags)}`);
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
  // The option exists, so it was given a value that it does not take.
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

/** A URL without its option, a misplaced or mistyped command, or one argument too many. */
function unexpectedArgument(parser: Parser, argv: readonly string[], commands: readonly Parser[]): UsageError {
  const error = (message: string) => new UsageError('argument-unexpected', message);
  const argument = parser.args[parser.registeredArguments.length] ?? '';
  // It may be a key without its option, so only plain words are repeated.
  const isPlain = /^[a-z]{1,12}$/.test(argument);
  if (parser.name() === 'run') {
    if (isUrl(argument)) {
      const line = `${COMMAND} --base-url ${presentableUrl(argument)}`;
      return error(`--base-url: missing before the URL; write \`${line}\` (npm keeps options that come before --)`);
    }
    const names = commands.map((known) => known.name());
    if (names.includes(argument)) {
      return error(`${argument}: the command must come first; write \`petstore-conformance ${argument} …\``);
    }
    const meant = didYouMean(argument, names);
    if (argv[0] === argument && (isPlain || meant !== '')) {
      const all = commands.filter((known) => known !== parser).map((known) => known.name());
      const message = `${quoted(argument)}: unknown command${meant} (the commands are ${all.join(', ')}; --help explains them)`;
      return new UsageError('command-unknown', message);
    }
  }
  const what = isPlain
    ? `unexpected argument ${quoted(argument)}`
    : `unexpected argument, number ${argv.lastIndexOf(argument) + 1}`;
  return error(`${parser.name()}: ${what}; remove it, or add its option (--help-all lists them all)`);
}
