/** How a command is defined: its options, which are read and checked, and what it does with them. */
import type { Readable, Writable } from 'node:stream';
import type { Engine } from '../engine.ts';
import type { Options, Values } from '../options/option.ts';
import { type Given, readOptions } from '../options/read.ts';
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

/** A command, as the command line carries it out. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Such as `<result>`, or `[id...]` for any number, with what it is. */
  readonly args?: readonly (readonly [name: string, help: string])[];
  readonly options: Options;
  /** Checks what is given, and carries the command out. @returns the exit code, as in the help. @throws UsageError */
  perform(given: Given, args: readonly string[], context: Context): number | Promise<number>;
}

interface Definition<Table extends Options> extends Omit<Command, 'perform'> {
  readonly options: Table;
  perform(values: Values<Table>, args: readonly string[], context: Context): number | Promise<number>;
}

/** Defines a command, which receives the values of its options. */
export const command = <Table extends Options>(definition: Definition<Table>): Command => ({
  ...definition,
  perform: (given, ...more) => definition.perform(readOptions(definition.options, given), ...more),
});

/** How a command is called. */
export const usageOf = ({ name, args = [] }: Command): string =>
  ['petstore-conformance', name, '[options]', ...args.map(([argument]) => argument)].join(' ');
