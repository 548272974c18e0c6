import type { Writable } from 'node:stream';
import { compareResults, renderComparison } from '../../report/compare.ts';
import { readResultOf } from '../results.ts';
import type { Command } from './command.ts';

/** Prints what changed from one result to another. @returns the exit code: 1 where something got worse */
export async function compare(command: Extract<Command, { kind: 'compare' }>, stdout: Writable): Promise<number> {
  const before = await readResultOf('compare', command.before);
  const after = await readResultOf('compare', command.after);
  const comparison = compareResults(before, after);
  stdout.write(renderComparison(comparison));
  return comparison.exitCode;
}
