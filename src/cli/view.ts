/** What a terminal can show. */
import type { Context } from './commands/command.ts';

export interface View {
  /** Whether the output is coloured. */
  readonly color: boolean;
  /** Whether progress may be redrawn in place, and whether it is coloured; it goes to standard error. */
  readonly interactive: boolean;
  readonly progressColor: boolean;
  readonly output: 'quiet' | 'normal' | 'verbose';
  /** Of the terminal that standard output goes to; undefined where it goes elsewhere. */
  readonly columns: number | undefined;
}

interface Given {
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
const isOn = (value: string | undefined): boolean => isSet(value) && value !== '0' && value !== 'false';

/** In continuous integration nobody sits at the terminal, if there is one. */
export const isContinuousIntegration = (environment: NodeJS.ProcessEnv): boolean => isOn(environment['CI']);

/** `--no-color` and NO_COLOR turn colour off, FORCE_COLOR turns it on. A dumb terminal and a CI log are not redrawn. */
export function viewOf(
  { color = true, quiet = false, verbose = false }: Given,
  { environment, stdout, stderr }: Pick<Context, 'environment' | 'stdout' | 'stderr'>,
): View {
  const isDumb = environment['TERM'] === 'dumb';
  const force = environment['FORCE_COLOR'];
  const isColored = ({ isTTY }: Context['stdout']): boolean =>
    color && !isSet(environment['NO_COLOR']) && (isSet(force) ? isOn(force) : isTTY === true && !isDumb);
  const columns: unknown = Reflect.get(stdout, 'columns');
  return {
    color: isColored(stdout),
    interactive: stderr.isTTY === true && !isDumb && !isContinuousIntegration(environment),
    progressColor: isColored(stderr),
    output: quiet ? 'quiet' : verbose ? 'verbose' : 'normal',
    // A terminal that does not know its size says 0.
    columns: typeof columns === 'number' && columns > 0 ? columns : undefined,
  };
}

/** Rows as lines, in columns as wide as their longest cell; columns of figures are aligned to the right. */
export function table(rows: readonly (readonly string[])[], figures: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const aligned = (cell: string, column: number): string => {
    const width = widths[column] ?? 0;
    return figures.includes(column) ? cell.padStart(width) : cell.padEnd(width);
  };
  return rows.map((row) => `${row.map(aligned).join('  ').trimEnd()}\n`).join('');
}
