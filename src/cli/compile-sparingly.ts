import { setFlagsFromString } from 'node:v8';
import type { RunOptions } from './run-options.ts';

/** What has run six times as long as by default is optimised, and less of other functions is put into it. */
const SPARINGLY = ['--interrupt-budget=400000', '--max-inlined-bytecode-size-cumulative=300'];

/** That of Node.js 20. Later ones have a cheaper compiler for code that ran a while, and gain nothing. */
const V8_WITHOUT_MAGLEV = '11.';

/**
 * A run of seconds ends before most of what V8 optimises has paid for itself: with less of that, a standard run takes a
 * seventh less processor time. A thorough run or a soak is long enough, and is left as it is.
 */
export function compileSparingly(targets: readonly Pick<RunOptions, 'profile' | 'soakMs'>[]): void {
  if (!process.versions.v8.startsWith(V8_WITHOUT_MAGLEV)) return;
  if (targets.some(({ profile, soakMs }) => profile === 'thorough' || soakMs !== undefined)) return;
  for (const flag of SPARINGLY) setFlagsFromString(flag);
}
