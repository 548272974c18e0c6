import { FAULTS_OPTIONS } from '../options/tables.ts';
import { table } from '../terminal.ts';
import { command } from './command.ts';

/** Prints what `serve --fault` and `serve --variant` accept. */
export const faultsCommand = command({
  name: 'faults',
  summary: 'list the faults and variants that it can have',
  options: FAULTS_OPTIONS,
  perform: async (values, _args, context) => {
    const { FAULTS, VARIANTS } = await import('../../reference/index.ts');
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
