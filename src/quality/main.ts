/** `npm run faults`: tests the suite with every fault and variant of the reference service. Exit code 1 if too much slips by. */
import { runBehind } from './behind.ts';
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
const { pairs, behind, replays } = options;
const { stdout } = process;
if (pairs !== undefined) process.exitCode = await runPairs(pairs, options, stdout);
else if (behind !== undefined) process.exitCode = await runBehind(behind, options, stdout);
else if (replays !== undefined) process.exitCode = await runReplays(replays, options, stdout);
else process.exitCode = await runMatrix(options, stdout);
