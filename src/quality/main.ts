/** `npm run faults`: tests the suite with every fault and variant of the reference service. Exit code 1 if too much slips by. */
import { runMatrix } from './matrix.ts';
import { type MatrixOptions, readOptions } from './options.ts';
import { runPairs } from './pairs.ts';
import { runReplays } from './replays.ts';

function optionsOrEnd(): MatrixOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nSee .github/docs/testing.md for the options.`);
    process.exit(2);
  }
}

const options = optionsOrEnd();
const { pairs, replays } = options;
process.exitCode =
  pairs !== undefined
    ? await runPairs(pairs, options, process.stdout)
    : replays !== undefined
      ? await runReplays(replays, options, process.stdout)
      : await runMatrix(options, process.stdout);
