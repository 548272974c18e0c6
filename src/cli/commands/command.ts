/** How a command is defined: its options, which are read and checked, and what it does with them. */
import type { Readable, Writable } from 'node:stream';
import { Option, type Command as Parser } from 'commander';
import type { Engine } from '../conformance-options.ts';
import { rejectOptionAsValue } from '../mistakes.ts';
import type { Declared, Options, Values } from '../options/option.ts';
import { readOptions } from '../options/read.ts';
import type { SignalSource } from '../run/interruption.ts';

type MaybeTerminal = { readonly isTTY?: boolean };

/** What a command works with. */
export interface Context {
  readonly environment: NodeJS.ProcessEnv;
  /** For questions to the user. */
  readonly stdin: (Readable & MaybeTerminal) | undefined;
  readonly stdout: Writable & MaybeTerminal;
  readonly stderr: Writable & MaybeTerminal;
  readonly signals: SignalSource;
  readonly loadEngine: () => Promise<Engine>;
  /** The folder for reports if none is given. */
  readonly reportDir: string;
  /** Whether a run without a target tests the embedded service, as `npm test` in the checkout does. */
  readonly testsEmbedded: boolean;
  /** Credentials in use, which no message shows. */
  readonly secrets: string[];
}

/** A command that only needs its context to run. @returns the exit code, as in the help. @throws UsageError */
export type Action = (context: Context) => number | Promise<number>;

/** Adds a command to the program. @param choose called if the command line asks for it */
export type Command = (root: Parser, choose: (perform: Action) => void) => Parser;

interface Definition<Table extends Options> {
  readonly name: string;
  readonly summary: string;
  /** Such as `<result>`, with what it is. */
  readonly args?: readonly (readonly [name: string, help: string])[];
  readonly options: Table;
  perform(values: Values<Table>, args: readonly string[], context: Context): number | Promise<number>;
}

/** Defines a command. `run` is the default command, without a name on the command line. */
export const command =
  <Table extends Options>({ name, summary, args = [], options, perform }: Definition<Table>): Command =>
  (root, choose) => {
    const parser = root.command(name, { isDefault: name === 'run' }).description(summary);
    for (const [argument, help] of args) parser.argument(argument, help);
    for (const [field, declared] of Object.entries(options)) addOption(parser, field, declared);
    return parser.helpOption('-h, --help', 'show this help').action(() => {
      const values = readOptions(options, parser.opts(), (_field, flag) => flag);
      choose((context) => perform(values, parser.args, context));
    });
  };

/** Adds an option; commander only collects its texts. */
function addOption(parser: Parser, field: string, declared: Declared<unknown>): void {
  const facts = [choicesOf(declared), defaultOf(declared)].filter((fact) => fact !== '').join(', ');
  const description = facts === '' ? declared.help : `${declared.help} (${facts})`;
  // commander would derive the field from the flag.
  const option = Object.assign(new Option(declared.flags, description), { attributeName: () => field });
  if (declared.read !== undefined) {
    option.argParser((text: string, before: readonly string[] = []) => {
      rejectOptionAsValue(text, option, parser);
      return [...before, text];
    });
  }
  parser.addOption(option);
}

const choicesOf = ({ choices }: Declared<unknown>): string =>
  choices === undefined ? '' : `choices: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;

function defaultOf({ initial, variable, defaultText, read, write = String }: Declared<unknown>): string {
  const given: readonly unknown[] = initial === undefined || read === undefined ? [] : [initial].flat();
  const sources = [variable && `$${variable}`, defaultText ?? given.map(write).join(',')].filter(Boolean);
  return sources.length === 0 ? '' : `default: ${sources.join(', or ')}`;
}
