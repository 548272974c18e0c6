import { type Command, Option } from 'commander';
import { shellQuote } from '../report/model/text.ts';
import { conflict, invalid, quoted, UsageError } from './errors.ts';
import { didYouMean } from './suggestions.ts';

type Environment = NodeJS.ProcessEnv;

/** Reads and checks one value; `source` is the option's name for messages. @throws UsageError */
export type Reader<T> = (text: string, source: string, environment: Environment) => T;

interface Details<Item> {
  /** The default as the help shows it; the initial value itself if missing. */
  readonly defaultText?: string;
  /** The environment variable that counts if the option is not given. */
  readonly variable?: string;
  readonly choices?: readonly string[];
  /** Fields of options that cannot be given with this one. */
  readonly conflicts?: readonly string[];
  /** Field of the option without which this one has no effect. */
  readonly needs?: string;
  /** What separates several values in one text; without it, a text is one value. */
  readonly separator?: string;
  /** Whether the target may be out of reach without it. */
  readonly reaches?: true;
  /** Whether the short help shows it. */
  readonly usual?: true;
  /** A value as it is typed, if that is not the value itself. */
  write?(item: Item): string;
  /** The option in a report, if it is not `--option value`; undefined to leave it out. `name` is its long form. */
  shown?(item: Item, name: string): string | undefined;
  /** The part of a value that must not appear in any output; such an option is in a report only if `shown` says how. */
  secret?(item: Item): string;
}

/** A declared option: `T` is the type of its value, `Item` that of one value of a repeatable option. */
export interface Declared<T, Item> extends Details<Item> {
  readonly flags: string;
  readonly help: string;
  readonly initial: T;
  /** For options with a value; `before` is what earlier occurrences gave. */
  read?(text: string, before: T, source: string, environment: Environment): T;
}

/** Options by the field that their value is read into. */
export type Options = Readonly<Record<string, Declared<unknown, unknown>>>;

/** What the options of a table give; the type of each field follows from its declaration. */
export type Values<Table> = {
  readonly [Field in keyof Table]: Table[Field] extends { readonly initial: infer T } ? T : never;
};

/** Keeps an option out of reports. */
export const hidden = (): undefined => undefined;

/** Shows the value as one word of a shell, whatever it holds. */
export const inQuotes = (item: string, name: string): string => `${name} ${shellQuote(item)}`;

/** Any text. */
export const text: Reader<string> = (given) => given;

/** One of some words. */
export function oneOf<T extends string>(choices: readonly T[]): Reader<T> {
  return (given, source) => {
    const found = choices.find((choice) => choice === given.trim());
    if (found !== undefined) return found;
    throw invalid(source, `${quoted(given)} is not one of ${choices.join(', ')}${didYouMean(given, choices)}`);
  };
}

/** A switch: false unless given; `--no-…` is true unless given. */
export function flag(flags: string, help: string, details: Details<true> = {}): Declared<boolean, true> {
  return { flags, help, initial: flags.startsWith('--no-'), ...details };
}

/** An option with a value; the last one counts. Without an initial value, it is undefined unless given. */
export function value<T, const Initial = undefined>(
  flags: string,
  help: string,
  read: Reader<T>,
  details?: Details<T> & { readonly initial?: Initial },
): Declared<T | Initial, T>;
export function value(
  flags: string,
  help: string,
  read: Reader<unknown>,
  details: Details<unknown> & { readonly initial?: unknown } = {},
): Declared<unknown, unknown> {
  const readLast: Declared<unknown, unknown>['read'] = (given, _before, ...context) => read(given, ...context);
  return { flags, help, initial: undefined, read: readLast, ...details };
}

interface ListDetails<T> extends Details<T> {
  readonly initial?: readonly T[];
  /** Two values with the same key are refused; otherwise equal ones are kept once. */
  key?(item: T): string;
  /** What is given twice then, for the message; the key if missing. */
  named?(item: T): string;
}

/** A repeatable option. */
export function list<T>(
  flags: string,
  help: string,
  read: Reader<T>,
  { initial = [], separator, key, named = key, ...details }: ListDetails<T> = {},
): Declared<readonly T[], T> {
  return {
    flags,
    help,
    initial,
    read: (given, before, source, environment) => {
      const earlier = before === initial ? [] : before;
      const texts = separator === undefined ? [given] : given.split(separator).map((part) => part.trim());
      const items = texts.map((part) => read(part, source, environment));
      const repeated = items.find((item) => key !== undefined && earlier.some((other) => key(other) === key(item)));
      if (repeated !== undefined) {
        throw conflict(`${source}: ${named?.(repeated)} is given twice; give it once`);
      }
      return [...new Set([...earlier, ...items])];
    },
    ...(separator === undefined ? {} : { separator }),
    ...details,
  };
}

/** An option as commander knows it, with its declaration. */
export class DeclaredOption extends Option {
  readonly field: string;
  readonly declared: Declared<unknown, unknown>;

  constructor(field: string, declared: Declared<unknown, unknown>, description: string) {
    super(declared.flags, description);
    this.field = field;
    this.declared = declared;
  }

  /** commander would derive the field from the flag. */
  override attributeName(): string {
    return this.field;
  }
}

/** Adds options to a command; `command.opts<Values<Table>>()` then has the values, read and checked. */
export function addOptions(command: Command, options: Options, environment: Environment): Command {
  for (const [field, declared] of Object.entries(options)) {
    const { flags, help, initial, variable, choices, conflicts = [], read } = declared;
    const sources = [variable === undefined ? [] : `$${variable}`, declared.defaultText ?? []].flat().join(', or ');
    const isUnset = initial === undefined || typeof initial === 'boolean' || String(initial) === '';
    const suffix = isUnset && sources !== '' ? ` (default: ${sources})` : '';
    const option = new DeclaredOption(field, declared, help + suffix).conflicts([...conflicts]);
    if (!isUnset) option.default(initial, sources || String(initial));
    if (choices !== undefined) option.choices(choices);
    // Instead of commander's message about a choice, which repeats the value.
    if (read !== undefined) {
      option.argParser((text: string, before: unknown) => {
        refuseOptionAsValue(text, option, command);
        return read(text, before, longFlag(flags), environment);
      });
    }
    command.addOption(option).setOptionValueWithSource(field, initial, 'default');
  }
  return command;
}

/**
 * What the variable of an option gives; for a repeatable option it may have several values, separated by spaces.
 * @throws UsageError where it is set and empty: somebody meant to set it, such as a CI job without access to a secret
 */
export function fromEnvironment<T, Item>(option: Declared<T, Item>, environment: Environment): T {
  const { initial, variable = '', read } = option;
  const text = environment[variable];
  if (text === undefined) return initial;
  if (text.trim() === '') throw invalid(variable, 'the variable is set but empty; give it a value, or unset it');
  const texts = Array.isArray(initial) ? text.split(/\s+/) : [text];
  return texts
    .filter((word) => word !== '')
    .reduce((before, word) => read?.(word, before, variable, environment) ?? before, initial);
}

/** The long form of an option, without its value. */
export const longFlag = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

/** An option after an option is not its value, though commander takes it. @throws UsageError */
function refuseOptionAsValue(text: string, option: Option, command: Command): void {
  const next = text.split('=', 1)[0] ?? '';
  if (next !== '--help' && !command.options.some(({ long }) => long === next)) return;
  const message = `${option.long}: missing value before ${next}; write ${usageOf(option.flags)}`;
  throw new UsageError('option-value-missing', message);
}

/** An option as it is written, without its short form. */
export const usageOf = (flags: string): string => flags.replace(/^-\w, /, '');
