import type { Command } from 'commander';
import { readBaseUrl } from './base-url.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './errors.ts';
import { nearest } from './nearest.ts';
import { refuseSwallowedOptions } from './npm-arguments.ts';
import { longNames, type Program } from './program.ts';
import { quoted } from './quoted.ts';

/** Refuses a command whose options npm kept for itself. @throws UsageError */
export function refuseSwallowed(command: Command, argv: readonly string[], environment: Environment): void {
  const kept = environment['npm_config_base_url'];
  const addresses = [kept, ...argv].filter((text) => text !== undefined && /^https?:/i.test(text));
  refuseSwallowedOptions(command.name(), longNames(command), presentableUrl(addresses[0]), environment);
}

/** The address, where it may be repeated. */
function presentableUrl(text: string | undefined): string {
  if (text === undefined) return 'URL';
  try {
    return readBaseUrl('--base-url', text);
  } catch {
    return 'URL';
  }
}

/** For a command that takes no arguments. @throws UsageError */
export function refuseArguments(command: Command, argv: readonly string[]): void {
  const [stray] = command.args;
  if (stray !== undefined) throw strayArgument(command.name(), stray, argv);
}

/** `run` takes no arguments: what stands alone is a lost address, a mistyped subcommand, or a mistake. */
export function refuseStrayArguments(args: readonly string[], argv: readonly string[], program: Program): void {
  const [stray] = args;
  if (stray === undefined) return;
  if (/^https?:/i.test(stray)) {
    throw new UsageError(
      'argument-unexpected',
      `--base-url: the address stands alone, without its option; write \`npm test -- --base-url ${presentableUrl(stray)}\` (npm keeps options that stand before --)`,
    );
  }
  const commands = Object.keys(program.commands);
  if (commands.includes(stray)) {
    throw new UsageError(
      'argument-unexpected',
      `${stray}: the command must come first; write \`petstore-conformance ${stray} …\``,
    );
  }
  const guess = nearest(stray, commands);
  if (guess !== undefined && argv[0] === stray) {
    throw new UsageError(
      'command-unknown',
      `${quoted(stray)}: unknown command; did you mean ${guess}? (--help lists them all)`,
    );
  }
  throw strayArgument('run', stray, argv);
}

/** The argument is not repeated: it may be a key that lost its option. */
export function strayArgument(command: string, stray: string, argv: readonly string[]): UsageError {
  const place = argv.indexOf(stray) + 1;
  return new UsageError(
    'argument-unexpected',
    `${command}: argument ${place} of the command line belongs to no option; put an option before it, or take it away (--help lists them all)`,
  );
}
