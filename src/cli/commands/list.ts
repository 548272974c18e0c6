import { partOf } from '../../../suites/index.ts';
import { REQUIREMENTS } from '../../contract/catalogue.prebuilt.ts';
import { selection } from '../../run/selection.ts';
import { count } from '../../text.ts';
import { pattern } from '../catalogue.ts';
import { LIST_OPTIONS } from '../options/tables.ts';
import { table } from '../terminal.ts';
import { command } from './command.ts';

/** Prints the catalogue, or its rows that match the patterns. */
export const listCommand = command({
  name: 'list',
  summary: 'list the requirements',
  args: [['[id...]', 'as with --only']],
  options: LIST_OPTIONS,
  perform: ({ only, json }, args, { stdout }) => {
    const isSelected = selection({ only: [...only, ...args.map((one) => pattern(one, 'list'))] });
    const rows = REQUIREMENTS.filter(({ id }) => isSelected(id)).map((row) => ({ ...row, part: partOf(row.id) }));
    if (json) {
      stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
      return 0;
    }
    const cells = rows.flatMap(({ id, kind, part, says, untestable, readings = [], cause }) => [
      [id, kind, part, untestable === undefined ? says : `${says} (Not testable: ${untestable})`],
      ...readings.map((reading) => ['', '', '', `permitted: ${reading}`]),
      ...(cause === undefined ? [] : [['', '', '', `often caused by: ${cause}`]]),
    ]);
    const testable = rows.filter(({ untestable }) => untestable === undefined).length;
    stdout.write(table([['id', 'kind', 'part', 'says'], ...cells]));
    stdout.write(`\n${count(rows.length, 'requirement')}, of which a run can test ${testable}.\n`);
    return 0;
  },
});
