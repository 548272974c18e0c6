import type { Writable } from 'node:stream';
import { patternToRegExp } from '../../engine/selection.ts';
import { runPairs } from '../../quality/matrix/pairs.ts';
import { runMatrix } from '../../quality/matrix/run-matrix.ts';
import { FAULTS, VARIANTS } from '../../reference/index.ts';
import { unknownName } from '../suggestions.ts';
import { table } from '../table.ts';
import type { Command } from './command.ts';
import { unwritable } from './unwritable.ts';

/** Prints what `serve --fault` and `serve --variant` accept. @returns the exit code */
export function listFaults({ json }: Extract<Command, { kind: 'faults' }>, stdout: Writable): number {
  const faults = FAULTS.map(({ name, breaks, says }) => ({ name, breaks, says }));
  const variants = VARIANTS.map(({ name, chooses, says }) => ({ name, chooses, says }));
  if (json) {
    stdout.write(`${JSON.stringify({ faults, variants }, undefined, 2)}\n`);
    return 0;
  }
  stdout.write(table([['fault', 'breaks', 'the service'], ...faults.map(Object.values<string>)]));
  stdout.write(`\n${table([['variant', 'chooses', 'the service'], ...variants.map(Object.values<string>)])}`);
  return 0;
}

/**
 * Runs the checks on every fault and variant, or on those named, and writes faults.json and faults.html.
 * @returns the exit code: 0 if the suite finds every fault and accepts every variant
 * @throws UsageError if a name is not known or a report cannot be written
 */
export async function tryFaults(
  { only, pairs, ...options }: Extract<Command, { kind: 'matrix' }>,
  streams: { readonly stdout: Writable; readonly stderr: Writable },
): Promise<number> {
  if (pairs !== undefined) return (await runPairs(FAULTS, { ...options, pairs }, streams)) ? 0 : 1;
  const all = [...FAULTS, ...VARIANTS];
  const names = only.flatMap((pattern) => {
    const expression = patternToRegExp(pattern);
    const matching = all.filter(({ name }) => expression.test(name));
    if (matching.length > 0) return matching.map(({ name }) => name);
    throw unknownName('--only', pattern, all);
  });
  const { passed } = await runMatrix({ ...options, names: only.length === 0 ? undefined : names }, streams).catch(
    (error: unknown) => {
      throw unwritable(error);
    },
  );
  return passed ? 0 : 1;
}
