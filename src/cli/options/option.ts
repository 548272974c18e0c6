/** How an option is declared: once, for the command line, the API and the reports. */
import { shellWord } from '../../text.ts';
import { conflict, didYouMean, invalid, quoted } from '../errors.ts';

/** Reads and checks one value; `source` is the option's name for messages. @throws UsageError */
export interface Reader<T> {
  (text: string, source: string): T;
  /** The values that it accepts, if these are few. */
  readonly choices?: readonly string[];
}

interface Details<T, Item = T> {
  /** The default as the help shows it; by default the initial value. */
  readonly defaultText?: string;
  /** The environment variable to use if the option is not given. */
  readonly variable?: string;
  /** Fields of options that cannot be combined with this one. */
  readonly conflicts?: readonly string[];
  /** Whether the short help shows it. */
  readonly isUsual?: true;
  /** Converts a value of the API to the text that a user would type. */
  write?(item: Item): string;
  /** The option as reports show it, by default `--name value`; undefined leaves it out. */
  typed?(value: NonNullable<T>, name: string): string | undefined;
}

/** A declared option; `T` is the type of its value. */
export interface Declared<T, Item = T> extends Details<T, Item> {
  readonly flags: string;
  readonly help: string;
  readonly initial: T;
  readonly isList: boolean;
  /** The values that it accepts, if these are few. */
  readonly choices?: readonly string[] | undefined;
  /** Reads the given texts; missing for switches. */
  read?(texts: readonly string[], source: string): T;
}

export type Options = Readonly<Record<string, Declared<unknown, unknown>>>;

/** The values of a table of options; the type of each field follows from its declaration. */
export type Values<Table> = {
  readonly [Field in keyof Table]: Table[Field] extends { readonly initial: infer T } ? T : never;
};

/** Keeps an option out of reports. */
export const hidden = (): undefined => undefined;

/** Any text. */
export const text: Reader<string> = (given) => given;

/** One of some words. */
export function oneOf<T extends string>(choices: readonly T[]): Reader<T> {
  const read = (given: string, source: string): T => {
    const found = choices.find((choice) => choice === given.trim());
    if (found !== undefined) return found;
    throw invalid(source, `${quoted(given)} is not one of ${choices.join(', ')}${didYouMean(given, choices)}`);
  };
  return Object.assign(read, { choices });
}

/** A switch: false unless given; `--no-…` is true unless given. */
export const flag = (flags: string, help: string, details: Details<boolean> = {}): Declared<boolean> => ({
  flags,
  help,
  initial: flags.startsWith('--no-'),
  isList: false,
  ...details,
});

/** An option with a value, given once. Without an initial value, it is undefined unless given. */
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
): Declared<unknown> {
  const readOne: Declared<unknown>['read'] = ([given = '', ...others], source) => {
    if (others.length > 0) throw conflict(`${source}: is given twice; give it once`);
    return read(given, source);
  };
  return { flags, help, initial: undefined, isList: false, choices: read.choices, read: readOne, ...details };
}

interface ListDetails<T> extends Details<readonly T[], T> {
  readonly initial?: readonly T[];
  /** Whether a text contains several values, separated by commas. */
  readonly isSplit?: true;
  /** Two values with the same key are rejected; without keys, equal values are kept once. */
  key?(item: T): string;
}

/** A repeatable option. */
export function list<T>(
  flags: string,
  help: string,
  read: Reader<T>,
  { initial = [], isSplit, key, ...details }: ListDetails<T> = {},
): Declared<readonly T[], T> {
  const readAll = (given: readonly string[], source: string): readonly T[] => {
    const texts = isSplit ? given.flatMap((item) => item.split(',').map((part) => part.trim())) : given;
    const items = texts.map((item) => read(item, source));
    const keys = items.map((item) => key?.(item));
    const repeated = key === undefined ? undefined : keys.find((name, at) => keys.indexOf(name) < at);
    if (repeated !== undefined) throw conflict(`${source}: ${repeated} is given twice; give it once`);
    return [...new Set(items)];
  };
  return { flags, help, initial, isList: true, choices: read.choices, read: readAll, ...details };
}

/** The long form of an option, without its value. */
export const longFlag = (flags: string): string => /--[\w-]+/.exec(flags)?.[0] ?? flags;

/** An option as it is written, without its short form. */
export const usageOf = (flags: string): string => flags.replace(/^-\w, /, '');

/**
 * The value of an option from its environment variable.
 * @internal
 * @throws UsageError if the variable is set but empty, which is a mistake
 */
export function fromEnvironment<T, Item>(option: Declared<T, Item>, environment: NodeJS.ProcessEnv): T {
  const { initial, variable = '', read } = option;
  const given = environment[variable];
  if (given === undefined || read === undefined) return initial;
  if (given.trim() === '') throw invalid(variable, 'the variable is set but empty; give it a value, or unset it');
  return read([given.trim()], variable);
}

/** The options in force, as a user would type them, except those at their default. */
export function typedOptions(options: Options, values: object): readonly string[] {
  return Object.entries(options).flatMap(([field, { flags, initial, write = String, typed }]) => {
    const given: unknown = Reflect.get(values, field);
    if (given === undefined || given === null || given === initial) return [];
    if (Array.isArray(given) && given.length === 0) return [];
    const name = longFlag(flags);
    if (typed !== undefined) return typed(given, name) ?? [];
    if (typeof given === 'boolean') return name;
    const items: readonly unknown[] = [given].flat();
    return items.map((item) => `${name} ${shellWord(write(item))}`);
  });
}
