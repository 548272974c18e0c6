/** Rows as lines, in columns as wide as their longest cell; columns of figures are aligned to the right. */
export function table(rows: readonly (readonly string[])[], figures: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const aligned = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return figures.includes(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows.map((row) => `${row.map(aligned).join('  ').trimEnd()}\n`).join('');
}
