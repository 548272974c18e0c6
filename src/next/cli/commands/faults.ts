import type { Values } from '../options/option.ts';
import { FAULTS_OPTIONS } from '../options/tables.ts';
import { table } from '../view.ts';
import { type Context, command } from './command.ts';

/** What `faults --run` is asked for. */
export type MatrixValues = Values<typeof FAULTS_OPTIONS>;

/** The matrix of faults and variants, which is a part of src/quality. The one place that names it. @returns exit code */
async function runMatrix(_values: MatrixValues, _context: Context): Promise<number> {
  throw new Error('the matrix is not wired yet: import it from src/quality here');
}

/** Prints what `serve --fault` and `serve --variant` accept, or tests a service with each of them. */
export const faultsCommand = command({
  name: 'faults',
  summary: 'list the faults that it can have, or test each of them',
  options: FAULTS_OPTIONS,
  perform: async (values, _args, context) => {
    if (values.run) return runMatrix(values, context);
    const { FAULTS, VARIANTS } = await import('../../../reference/index.ts');
    const faults = FAULTS.map(({ name, breaks, says }) => ({ name, breaks, says }));
    const variants = VARIANTS.map(({ name, chooses, says }) => ({ name, chooses, says }));
    const text = [
      table([['fault', 'breaks', 'the service'], ...faults.map(Object.values<string>)]),
      table([['variant', 'chooses', 'the service'], ...variants.map(Object.values<string>)]),
    ];
    context.stdout.write(values.json ? `${JSON.stringify({ faults, variants }, undefined, 2)}\n` : text.join('\n'));
    return 0;
  },
});
