/**
 * How a command line becomes a run: Node.js tells options from arguments; `options/read.ts` checks the texts of each
 * option against `options/tables.ts`; `options/run-settings.ts` completes the settings of a run; `run/execute.ts`
 * carries it out. The options of programs enter at `readGiven`, and go the same way.
 */
import { parseArgs } from 'node:util';
import type { Command, Context } from './commands/command.ts';
import { COMMANDS } from './commands/index.ts';
import { runCommand } from './commands/run.ts';
import { invalid } from './errors.ts';
import { helpOf } from './help.ts';
import { checkArguments, rejectSwallowedOptions, requireValue, unknownOption } from './mistakes.ts';
import type { Option } from './options/option.ts';
import { PROGRAM_OPTIONS } from './options/tables.ts';

/** What a command line asks for. @returns the exit code, as in the help. @throws UsageError */
type Action = (context: Context) => number | Promise<number>;

/**
 * Reads a command line; the action reads the values of its options.
 * @param given the arguments after the name of the program
 * @throws UsageError
 */
export function parseArguments(given: readonly string[], environment: NodeJS.ProcessEnv, version: string): Action {
  // Unlike npm, pnpm and yarn pass on the `--`.
  const words = given[0] === '--' ? given.slice(1) : given;
  const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  const named = COMMANDS.find(({ name }) => name === argv[0]);
  const command = named ?? runCommand;
  const tokens = tokensOf(named === undefined ? argv : argv.slice(1), command);
  // Help is also for a line that goes wrong: `--token --help` asks for it.
  const asked = new Set([...argv, ...tokens.map((token) => (token.kind === 'option' ? token.rawName : ''))]);
  const asksFor = ({ flags }: Option<boolean>): boolean => flags.split(', ').some((name) => asked.has(name));
  if (asksFor(PROGRAM_OPTIONS.helpAll)) return printing(helpOf(command, 'whole'));
  if (asksFor(PROGRAM_OPTIONS.version)) return printing(`${version}\n`);
  if (asksFor(PROGRAM_OPTIONS.help)) return printing(helpOf(command, 'short'));
  // First, as a line from which npm took the options has other mistakes too.
  rejectSwallowedOptions(command, argv, environment);
  const { texts, args } = sorted(tokens, command);
  checkArguments(args, command, argv);
  return (context) => command.perform(texts, args, context);
}

/** Prints a text. */
const printing =
  (text: string): Action =>
  ({ stdout }) => {
    stdout.write(text);
    return 0;
  };

type Tokens = ReturnType<typeof tokensOf>;

/** What Node.js takes each word for. Unknown options count as switches. */
function tokensOf(args: readonly string[], { options }: Command) {
  const syntax = Object.values(options).map(({ short, long, takes }) => {
    const type = takes === 'nothing' ? ('boolean' as const) : ('string' as const);
    return [long.slice(2), { type, ...(short && { short }) }] as const;
  });
  const config = { options: Object.fromEntries(syntax), strict: false, allowPositionals: true, tokens: true } as const;
  return parseArgs({ args: [...args], ...config }).tokens;
}

/** The texts of each option by its field, and the other arguments. @throws UsageError */
function sorted(tokens: Tokens, command: Command) {
  const options = Object.entries(command.options);
  const texts: Record<string, string[]> = {};
  const args: string[] = [];
  // Where words without an option go: some options take several.
  let open = args;
  for (const token of tokens) {
    if (token.kind === 'positional') open.push(token.value);
    else open = args;
    if (token.kind !== 'option') continue;
    const [field, option] = options.find(([, { long }]) => long === `--${token.name}`) ?? [];
    if (field === undefined || option === undefined) throw unknownOption(token.rawName.replace(/=.*/s, ''), command);
    texts[field] ??= [];
    if (option.takes !== 'nothing') texts[field].push(requireValue(token.value, option, command));
    else if (token.inlineValue) throw invalid(option.long, `takes no value; write ${option.long}`);
    if (option.usage.includes('...')) open = texts[field];
  }
  return { texts, args };
}
