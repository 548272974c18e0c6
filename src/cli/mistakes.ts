/** Mistakes in a command line, each as one line that says what to write instead. */
import { COMMAND } from '../package.ts';
import { type Command, usageOf } from './commands/command.ts';
import { COMMANDS } from './commands/index.ts';
import { didYouMean, quoted, UsageError } from './errors.ts';
import type { Option } from './options/option.ts';
import { PROGRAM_OPTIONS } from './options/tables.ts';
import { baseUrl } from './options/values.ts';

const longNames = ({ options }: Command): readonly string[] =>
  Object.values({ ...options, ...PROGRAM_OPTIONS }).map(({ long }) => long);

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
const NPM_OWN = '--ca --color --help --json --only --quiet --verbose --version --yes'.split(' ');

/**
 * `npm test --base-url URL`, without `--`, gives the option to npm, which passes on only the URL. npm puts its options
 * into the environment, so this is noticed before the wrong target is tested.
 * @throws UsageError with the line to write instead
 */
export function rejectSwallowedOptions(
  command: Command,
  argv: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const swallowed = longNames(command).filter((option) => {
    // npm takes `--token` for an abbreviation of its own `--token-description`.
    const setting = option === '--token' ? 'token_description' : option.slice(2).replaceAll('-', '_');
    return !NPM_OWN.includes(option) && environment[`npm_config_${setting}`] !== undefined;
  });
  const [first] = swallowed;
  if (first === undefined) return;
  const url = [environment['npm_config_base_url'] ?? '', ...argv].find(isUrl) ?? '';
  const words = [command.name === 'run' ? [] : command.name, first, first === '--base-url' ? presentableUrl(url) : '…'];
  const what = `npm did not pass this on; write \`npm test -- ${words.flat().join(' ')}\`, with -- before the first option`;
  throw new UsageError('option-swallowed-by-npm', `${swallowed.join(', ')}: ${what}`);
}

/** The value of an option, which cannot be another option. @throws UsageError if it is missing */
export function requireValue(value: string | undefined, { long, usage }: Option<unknown>, command: Command): string {
  const next = value?.split('=', 1)[0] ?? '';
  if (value !== undefined && !longNames(command).includes(next)) return value;
  const where = value === undefined ? '' : ` before ${next}`;
  throw new UsageError('option-value-missing', `${long}: missing value${where}; write ${usage}`);
}

/** The error for an option that the command does not have. */
export function unknownOption(option: string, command: Command): UsageError {
  const owner = COMMANDS.find((other) => longNames(other).includes(option));
  const meant = didYouMean(option, longNames(command));
  const hint = owner === undefined ? meant : `; it is an option of \`${owner.name}\`, not of \`${command.name}\``;
  const help = command.name === 'run' ? '--help-all' : `${command.name} --help`;
  return new UsageError('option-unknown', `${option}: unknown option${hint} (${help} lists them all)`);
}

/** Rejects missing arguments, and those too many. @throws UsageError */
export function checkArguments(args: readonly string[], command: Command, argv: readonly string[]): void {
  const names = (command.args ?? []).map(([name]) => name);
  const excess = names.some((name) => name.includes('...')) ? undefined : args[names.length];
  if (excess !== undefined) throw unexpectedArgument(excess, command, argv);
  if (args.length >= names.filter((name) => name.startsWith('<')).length) return;
  throw new UsageError('argument-missing', `${command.name}: missing argument; write \`${usageOf(command)}\``);
}

/** A URL without its option, a misplaced or mistyped command, or one argument too many. */
function unexpectedArgument(argument: string, command: Command, argv: readonly string[]): UsageError {
  const error = (message: string) => new UsageError('argument-unexpected', message);
  // It may be a key without its option, so only plain words are repeated.
  const isPlain = /^[a-z]{1,12}$/.test(argument);
  if (command.name === 'run') {
    if (isUrl(argument)) {
      const line = `${COMMAND} --base-url ${presentableUrl(argument)}`;
      return error(`--base-url: missing before the URL; write \`${line}\` (npm keeps options that come before --)`);
    }
    const names = COMMANDS.map(({ name }) => name);
    if (names.includes(argument)) {
      return error(`${argument}: the command must come first; write \`petstore-conformance ${argument} …\``);
    }
    const meant = didYouMean(argument, names);
    if (argv[0] === argument && (isPlain || meant !== '')) {
      const all = names.filter((name) => name !== 'run').join(', ');
      const message = `${quoted(argument)}: unknown command${meant} (the commands are ${all}; --help explains them)`;
      return new UsageError('command-unknown', message);
    }
  }
  const which = isPlain ? ` ${quoted(argument)}` : `, number ${argv.lastIndexOf(argument) + 1}`;
  return error(
    `${command.name}: unexpected argument${which}; remove it, or add its option (--help-all lists them all)`,
  );
}
