/** How output is shown on the user's terminal. */
import { createProgress } from '../report/progress.ts';
import type { Context } from './commands/command.ts';
import type { RunValues } from './options/tables.ts';

type Given = Partial<Pick<RunValues, 'color' | 'quiet' | 'verbose'>>;
type Surroundings = Pick<Context, 'environment' | 'stdout' | 'stderr'>;

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';
const isOn = (value: string | undefined): boolean => isSet(value) && value !== '0' && value !== 'false';
const isDumb = ({ TERM }: NodeJS.ProcessEnv): boolean => TERM === 'dumb';

/** Whether this is a CI job, where nobody can respond to a question. */
export const isContinuousIntegration = (environment: NodeJS.ProcessEnv): boolean => isOn(environment['CI']);

/** `--no-color` and NO_COLOR turn colour off, FORCE_COLOR turns it on. */
function isColored({ color = true }: Given, { isTTY }: Context['stdout'], environment: NodeJS.ProcessEnv): boolean {
  const force = environment['FORCE_COLOR'];
  if (!color || isSet(environment['NO_COLOR'])) return false;
  return isSet(force) ? isOn(force) : isTTY === true && !isDumb(environment);
}

/** The options for showing reports on standard output. */
export function viewOf(given: Given, { environment, stdout }: Surroundings) {
  const columns: unknown = Reflect.get(stdout, 'columns');
  return {
    color: isColored(given, stdout, environment),
    output: given.quiet ? 'quiet' : given.verbose ? 'verbose' : 'normal',
    // A terminal of unknown size reports 0.
    columns: typeof columns === 'number' && columns > 0 ? columns : undefined,
  } as const;
}

/** Progress on standard error, which is not redrawn on a dumb terminal or in a CI log. */
export function progressFor(given: Given, { environment, stderr }: Surroundings): ReturnType<typeof createProgress> {
  return createProgress({
    stream: stderr,
    interactive: stderr.isTTY === true && !isDumb(environment) && !isContinuousIntegration(environment),
    color: isColored(given, stderr, environment),
    quiet: given.quiet === true,
  });
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
