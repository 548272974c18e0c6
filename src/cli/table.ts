import type { Writable } from 'node:stream';

/** Prints rows in columns as wide as their longest entry; the last column is left as long as it is. */
export function writeTable(head: readonly string[], rows: readonly (readonly string[])[], stdout: Writable): void {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  for (const row of all) {
    const cells = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)));
    stdout.write(`${cells.join('  ')}\n`);
  }
}
