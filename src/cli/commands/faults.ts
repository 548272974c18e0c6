import type { Writable } from 'node:stream';
import { runMatrix } from '../../quality/matrix/run-matrix.ts';
import { FAULTS, VARIANTS } from '../../reference/index.ts';
import { UsageError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { quoted } from '../quoted.ts';
import { writeTable } from '../table.ts';
import type { Command } from './command.ts';

/** Prints what `serve` can break (`--fault`) and choose otherwise (`--variant`). @returns the exit code */
export function listFaults({ json }: Extract<Command, { kind: 'faults' }>, stdout: Writable): number {
  const faults = FAULTS.map(({ name, breaks, says }) => ({ name, breaks, says }));
  const variants = VARIANTS.map(({ name, chooses, says }) => ({ name, chooses, says }));
  if (json) {
    stdout.write(`${JSON.stringify({ faults, variants }, undefined, 2)}\n`);
    return 0;
  }
  writeTable(
    ['fault', 'breaks', 'the service'],
    faults.map(({ name, breaks, says }) => [name, breaks, says]),
    stdout,
  );
  stdout.write('\n');
  writeTable(
    ['variant', 'chooses', 'the service'],
    variants.map(({ name, chooses, says }) => [name, chooses, says]),
    stdout,
  );
  return 0;
}

/**
 * Tries the checks on every fault and variant, or on those named, and writes faults.json and faults.html.
 * @returns the exit code: 0 where the suite notices what it must and fails nothing that is right, 1 where it does not
 * @throws UsageError where a name is not known
 */
export async function tryFaults(
  { only, ...options }: Extract<Command, { kind: 'matrix' }>,
  streams: { readonly stdout: Writable; readonly stderr: Writable },
): Promise<number> {
  const known = [...FAULTS, ...VARIANTS].map(({ name }) => name);
  const names = only.flatMap((pattern) => {
    const expression = new RegExp(`^${pattern.replace(/[^\w*-]/g, '\\$&').replaceAll('*', '.*')}$`);
    const fitting = known.filter((name) => expression.test(name));
    if (fitting.length > 0) return fitting;
    const guess = nearest(pattern, known);
    const hint = guess === undefined ? '' : `; did you mean ${guess}?`;
    throw new UsageError(
      'name-unknown',
      `--only: there is no fault or variant of the name ${quoted(pattern)}${hint} (npm test faults lists them all)`,
    );
  });
  const { passed } = await runMatrix({ ...options, names: only.length === 0 ? undefined : names }, streams);
  return passed ? 0 : 1;
}
