import type { Command, CommanderError } from 'commander';
import { UsageError } from './errors.ts';
import { nearest } from './nearest.ts';
import { longNames, type Program } from './program.ts';

export const MISSING_RESULTS = {
  compare: 'compare: it takes two results; write `petstore-conformance compare BEFORE AFTER`',
  merge: 'merge: it takes the results to merge; write `petstore-conformance merge FILE…`',
} as const;

/** An option behind an option is never its value, though the parser takes it for one. @throws UsageError */
export function refuseMissingValues(command: Command): void {
  const known = new Set(longNames(command).map((name) => `--${name}`));
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const next = values.find((text) => typeof text === 'string' && known.has(text.split('=', 1)[0] ?? ''));
    if (typeof next === 'string') {
      throw new UsageError(
        'option-value-missing',
        `${option.long}: its value is missing, ${next.split('=', 1)[0]} comes next; write ${usageOf(option.flags)}`,
      );
    }
  }
}

const usageOf = (flags: string): string => flags.replace(/^-\w, /, '');

/** Words that people try, and what they are called here. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['--url', '--base-url'],
  ['--target', '--base-url'],
  ['--host', '--base-url'],
  ['--server', '--base-url'],
  ['--api-key', '--token'],
  ['--key', '--token'],
  ['--bearer', '--token'],
  ['--auth', '--token'],
  ['--level', '--profile'],
  ['--timeout', '--request-timeout'],
  ['--limit-time', '--max-time'],
  ['--duration', '--max-time'],
  ['--jobs', '--concurrency'],
  ['--workers', '--concurrency'],
  ['--rate', '--rate-limit'],
  ['--rps', '--rate-limit'],
  ['--format', '--report'],
  ['--reporter', '--report'],
  ['--output', '--report-dir'],
  ['--out', '--report-dir'],
  ['--grep', '--only'],
  ['--include', '--only'],
  ['--exclude', '--skip'],
  ['--baseline', '--expected-failures'],
  ['--cert', '--ca'],
  ['--silent', '--quiet'],
  ['--date', '--today'],
  ['--colour', '--color'],
  ['--no-colour', '--no-color'],
]);

/** Turns what the parser objects to into one line of ours. */
export function usageErrorOf(error: CommanderError, argv: readonly string[], program: Program): UsageError {
  const named = Object.values(program.commands).find((command) => command.name() === argv[0]);
  const command = named ?? program.commands.run;
  const option = /'(-[^'=\s]*)/.exec(error.message)?.[1] ?? 'the command line';
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(option, command, program);
    case 'commander.optionMissingArgument': {
      const flags = /'(-[^']*)'/.exec(error.message)?.[1] ?? option;
      const long = /--[\w-]+/.exec(flags)?.[0] ?? option;
      return new UsageError('option-value-missing', `${long}: its value is missing; write ${usageOf(flags)}`);
    }
    case 'commander.missingArgument':
      return new UsageError(
        'argument-missing',
        command.name() === 'merge' ? MISSING_RESULTS.merge : MISSING_RESULTS.compare,
      );
    default:
      return new UsageError('value-invalid', `${error.message.replace(/^error: /, '')} (--help lists all options)`);
  }
}

function unknownOption(option: string, command: Command, program: Program): UsageError {
  const own = longNames(command).map((name) => `--${name}`);
  const elsewhere = Object.values(program.commands).filter(
    (other) => other !== command && longNames(other).includes(option.slice(2)),
  );
  const other = OTHER_WORDS.get(option.toLowerCase());
  const guess = other !== undefined && own.includes(other) ? other : nearestOption(option, own);
  const [owner] = elsewhere;
  const hint =
    owner !== undefined
      ? `it belongs to \`${owner.name()}\`, not to \`${command.name()}\``
      : guess === undefined
        ? undefined
        : `did you mean ${guess}?`;
  const where = command.name() === 'run' ? '--help' : `${command.name()} --help`;
  return new UsageError(
    'option-unknown',
    `${option}: unknown option${hint === undefined ? '' : `; ${hint}`} (${where} lists them all)`,
  );
}

function nearestOption(option: string, own: readonly string[]): string | undefined {
  const word = nearest(
    option.replace(/^-+/, ''),
    own.map((flag) => flag.slice(2)),
  );
  return word === undefined ? undefined : `--${word}`;
}
