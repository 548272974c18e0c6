/** `npm run faults -- --next`: tests the suite with every fault and variant of the reference service. */
import type { Writable } from 'node:stream';
import { runMatrix } from './matrix.ts';
import { readOptions } from './options.ts';
import { runPairs } from './pairs.ts';

/** @returns exit code: 1 where more slips by than may, or a variant is blamed */
export async function main(argv: readonly string[], _: unknown, { stdout }: { stdout: Writable }): Promise<number> {
  const options = readOptions(argv.slice(argv.indexOf('--run') + 1));
  return options.pairs === undefined ? runMatrix(options, stdout) : runPairs(options.pairs, options, stdout);
}
