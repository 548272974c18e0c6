import type { Writable } from 'node:stream';
import { FAULTS, VARIANTS } from '../reference/index.ts';
import type { Command } from './command.ts';
import { writeTable } from './table.ts';

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
