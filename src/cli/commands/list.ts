import type { Writable } from 'node:stream';
import { CATALOGUE } from '../../petstore/outline.ts';
import { table } from '../table.ts';
import type { Command } from './command.ts';

/** Prints the catalogue, or the rows of it that match some patterns. @returns the exit code */
export function listRequirements({ only, json }: Extract<Command, { kind: 'list' }>, stdout: Writable): number {
  const chosen = new Set(only.flatMap((pattern) => CATALOGUE.matching(pattern.split('.', 1)[0] ?? pattern)));
  const rows = only.length === 0 ? CATALOGUE.requirements : CATALOGUE.requirements.filter((row) => chosen.has(row));
  if (json) {
    stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    return 0;
  }
  const cells = rows.map(({ id, kind, part, says, untestable }) => {
    return [id, kind, part, untestable === undefined ? says : `${says} (Not testable: ${untestable})`];
  });
  stdout.write(table([['id', 'kind', 'part', 'says'], ...cells]));
  return 0;
}
