import { baselineCommand } from './baseline.ts';
import type { Command } from './command.ts';
import { compareCommand } from './compare.ts';
import { keyCommand } from './key.ts';
import { listCommand } from './list.ts';
import { runCommand } from './run.ts';
import { faultsCommand, serveCommand } from './serve.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  runCommand,
  listCommand,
  serveCommand,
  faultsCommand,
  compareCommand,
  baselineCommand,
  keyCommand,
];
