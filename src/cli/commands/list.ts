import type { Writable } from 'node:stream';
import { loadCatalogue, type Requirement } from '../../engine/catalogue.ts';
import { PARTS } from '../../petstore/parts.ts';
import { writeTable } from '../table.ts';
import type { Command } from './command.ts';

/** Prints the catalogue, or the rows of it that some patterns choose. @returns the exit code */
export function listRequirements({ only, json }: Extract<Command, { kind: 'list' }>, stdout: Writable): number {
  const catalogue = loadCatalogue(PARTS);
  const chosen = new Set(only.flatMap((pattern) => catalogue.matching(pattern.split('.', 1)[0] ?? pattern)));
  const rows = only.length === 0 ? catalogue.requirements : catalogue.requirements.filter((row) => chosen.has(row));
  if (json) {
    stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  } else {
    writeTable(
      ['id', 'kind', 'part', 'says'],
      rows.map((row) => [row.id, row.kind, row.part, sentenceOf(row)]),
      stdout,
    );
  }
  return 0;
}

function sentenceOf({ says, untestable }: Requirement): string {
  return untestable === undefined ? says : `${says} (Not testable: ${untestable})`;
}
