/** `npm run faults`: tests the suite with every fault and variant of the reference service. Exit code 1 if too much slips by. */
import { runMatrix } from './matrix.ts';
import { type MatrixOptions, readOptions } from './options.ts';
import { runPairs } from './pairs.ts';

function optionsOrEnd(): MatrixOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nSee .github/docs/testing.md for the options.`);
    process.exit(2);
  }
}

const options = optionsOrEnd();
process.exitCode = await (options.pairs === undefined
  ? runMatrix(options, process.stdout)
  : runPairs(options.pairs, options, process.stdout));
