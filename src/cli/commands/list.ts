import { REQUIREMENTS } from '../../petstore/catalogue.prebuilt.ts';
import { selection } from '../catalogue.ts';
import { LIST_OPTIONS } from '../options/tables.ts';
import { table } from '../terminal.ts';
import { command } from './command.ts';

/** Prints the catalogue, or its rows that match the patterns. */
export const listCommand = command({
  name: 'list',
  summary: 'list the requirements',
  options: LIST_OPTIONS,
  perform: ({ only, json }, _args, { stdout }) => {
    const isSelected = selection({ only });
    const rows = REQUIREMENTS.filter(({ id }) => isSelected(id));
    if (json) {
      stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
      return 0;
    }
    const cells = rows.map(({ id, kind, part, says, untestable }) => {
      return [id, kind, part, untestable === undefined ? says : `${says} (Not testable: ${untestable})`];
    });
    stdout.write(table([['id', 'kind', 'part', 'says'], ...cells]));
    return 0;
  },
});
