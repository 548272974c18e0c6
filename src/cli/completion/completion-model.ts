import type { Argument, Option, Command as Parser } from 'commander';
import { type Completes, DeclaredOption } from '../option.ts';

/** What there is to complete a value with; none where only the user knows. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly string[]; readonly separator: string | undefined }
  | { readonly kind: 'file' | 'folder' | 'none' };

export interface CompletedOption {
  /** The ways to write it, such as `-u` and `--base-url`. */
  readonly names: readonly string[];
  readonly says: string;
  /** Undefined where it takes no value. */
  readonly value: Candidates | undefined;
  /** Whether several values may follow. */
  readonly isVariadic: boolean;
}

interface CompletedCommand {
  readonly name: string;
  readonly says: string;
  readonly options: readonly CompletedOption[];
  /** What its arguments are completed with. */
  readonly argument: Candidates;
}

/** Everything that a shell can complete. */
export interface Completion {
  readonly program: string;
  /** The command that runs where none is named. */
  readonly usual: string;
  readonly commands: readonly CompletedCommand[];
}

/** Ids that options take as values. */
export type Ids = Readonly<Record<'requirement' | 'check', readonly string[]>>;

/** Reads from the declared options what can be completed. */
export function completionOf(root: Parser, usual: string, ids: Ids): Completion {
  const commands = root.commands.map((command) => ({
    name: command.name(),
    says: command.description(),
    options: [...command.options.map((option) => optionOf(option, ids)), HELP],
    argument: argumentOf(command.registeredArguments[0]),
  }));
  return { program: root.name(), usual, commands };
}

const HELP: CompletedOption = { names: ['-h', '--help'], says: 'show help', value: undefined, isVariadic: false };

function optionOf(option: Option, ids: Ids): CompletedOption {
  const { short, long, description, required, optional, variadic, argChoices } = option;
  const { completes, separator } = option instanceof DeclaredOption ? option.declared : {};
  return {
    names: [short, long].filter((name) => name !== undefined),
    says: description,
    value: required || optional ? candidatesOf(argChoices, completes, separator, ids) : undefined,
    isVariadic: variadic,
  };
}

function candidatesOf(
  choices: readonly string[] | undefined,
  completes: Completes | undefined,
  separator: string | undefined,
  ids: Ids,
): Candidates {
  if (choices !== undefined) return { kind: 'words', words: choices, separator };
  if (completes === undefined) return { kind: 'none' };
  if (completes === 'file' || completes === 'folder') return { kind: completes };
  return { kind: 'words', words: ids[completes], separator };
}

/** An argument without choices is a file or a folder. */
function argumentOf(argument: Argument | undefined): Candidates {
  if (argument === undefined) return { kind: 'none' };
  return argument.argChoices === undefined
    ? { kind: 'file' }
    : { kind: 'words', words: argument.argChoices, separator: undefined };
}
