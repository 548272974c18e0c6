/** `npm run faults`: tests the suite with every fault and variant of the reference service. Exit code 1 where more slips by than may. */
import { runMatrix } from './matrix.ts';
import { readOptions } from './options.ts';
import { runPairs } from './pairs.ts';

const options = readOptions(process.argv.slice(2));
process.exitCode = await (options.pairs === undefined
  ? runMatrix(options, process.stdout)
  : runPairs(options.pairs, options, process.stdout));
