/** The one shape of a command: its options, read and checked, and what it does with them. */
import type { Readable, Writable } from 'node:stream';
import type { Command as Parser } from 'commander';
import type { Engine } from '../conformance-options.ts';
import { addOptions } from '../options/commander.ts';
import type { Options, Values } from '../options/option.ts';
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
  /** The folder for reports where none is given. */
  readonly reportDir: string;
  /** Whether a run without a target tests the embedded service: that of `npm test` in the checkout. */
  readonly testsEmbedded: boolean;
  /** Credentials in use: no message shows them. */
  readonly secrets: string[];
}

/** A command, ready to be carried out. @returns the exit code, as the help lists them. @throws UsageError */
export type Performance = (context: Context) => number | Promise<number>;

export interface Command {
  readonly name: string;
  /** Adds it to the program; `choose` is called where the command line asks for it. */
  addTo(root: Parser, choose: (perform: Performance) => void): Parser;
}

interface Definition<Table extends Options> {
  readonly name: string;
  readonly summary: string;
  /** Such as `<result>`, with what it is. */
  readonly args?: readonly (readonly [name: string, help: string])[];
  readonly options: Table;
  perform(values: Values<Table>, args: readonly string[], context: Context): number | Promise<number>;
}

/** Defines a command. The one without a name on the command line is `run`. */
export function command<Table extends Options>({
  name,
  summary,
  args = [],
  options,
  perform,
}: Definition<Table>): Command {
  return {
    name,
    addTo: (root, choose) => {
      const parser = root.command(name, { isDefault: name === 'run' }).description(summary);
      for (const [argument, help] of args) parser.argument(argument, help);
      addOptions(parser, options);
      parser.helpOption('-h, --help', 'show this help').action(() => {
        choose((context) => perform(parser.opts<Values<Table>>(), parser.args, context));
      });
      return parser;
    },
  };
}
