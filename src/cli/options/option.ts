/** How an option is declared: once, for the command line, the API and the reports. */
import { conflict, didYouMean, invalid, quoted } from '../errors.ts';

/** Reads and checks one value; `source` is the option's name for messages. @throws UsageError */
export interface Reader<T> {
  (text: string, source: string): T;
  /** The values that it accepts, if these are few. */
  readonly choices?: readonly string[];
}

interface Details<Item> {
  /** The environment variable to use if the option is not given. */
  readonly variable?: string;
  /** Fields of options that cannot be combined with this one. */
  readonly conflicts?: readonly string[];
  /** Converts a value of the API to the text that a user would type. */
  write?(item: Item): string;
  /** The option as reports show it, if its value is a secret. */
  show?(item: Item): string;
}

/** A declared option; `T` is the type of its value. */
export interface Option<T> extends Details<unknown> {
  /** As in the help: `-u, --base-url <url>`; after `<id...>`, further words are values too. */
  readonly flags: string;
  /** The parts of the flags: `u`, `--base-url`, and `--base-url <url>`. */
  readonly short: string | undefined;
  readonly long: string;
  readonly usage: string;
  readonly help: string;
  readonly initial: T;
  readonly takes: 'nothing' | 'one value' | 'values';
  /** The values that it accepts, if these are few. */
  readonly choices?: readonly string[] | undefined;
  /** Reads the texts that are given. */
  read(texts: readonly string[], source: string): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** The values of a table of options; the type of each field follows from its declaration. */
export type Values<Table> = {
  readonly [Field in keyof Table]: Table[Field] extends { readonly initial: infer T } ? T : never;
};

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

function partsOf(flags: string) {
  const [, short, usage = flags, long = flags] = /^(?:-(\w), )?((--[\w-]+).*)$/.exec(flags) ?? [];
  return { flags, short, long, usage };
}

/** A switch: false unless given; `--no-…` is true unless given. */
export function flag(flags: string, help: string, details: Details<boolean> = {}): Option<boolean> {
  const initial = flags.startsWith('--no-');
  return { ...partsOf(flags), help, initial, takes: 'nothing', read: () => !initial, ...details };
}

/** An option with a value, given once; undefined unless given. */
export const value = <T>(flags: string, help: string, read: Reader<T>, details: Details<T> = {}) =>
  preset<T | undefined>(flags, help, read, undefined, details);

/** An option with a value, given once, and a default. */
export function preset<T>(
  flags: string,
  help: string,
  read: Reader<T>,
  initial: T,
  details: Details<T> = {},
): Option<T> {
  const readOne = ([given = '', ...others]: readonly string[], source: string): T => {
    if (others.length > 0) throw conflict(`${source}: is given twice; give it once`);
    return read(given, source);
  };
  return { ...partsOf(flags), help, initial, takes: 'one value', choices: read.choices, read: readOne, ...details };
}

interface ListDetails<T> extends Details<T> {
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
): Option<readonly T[]> {
  const readAll = (given: readonly string[], source: string): readonly T[] => {
    const texts = isSplit ? given.flatMap((item) => item.split(',').map((part) => part.trim())) : given;
    const items = texts.map((item) => read(item, source));
    const keys = items.map((item) => key?.(item));
    const repeated = key === undefined ? undefined : keys.find((name, at) => keys.indexOf(name) < at);
    if (repeated !== undefined) throw conflict(`${source}: ${repeated} is given twice; give it once`);
    return [...new Set(items)];
  };
  return { ...partsOf(flags), help, initial, takes: 'values', choices: read.choices, read: readAll, ...details };
}
