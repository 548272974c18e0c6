import { setFlagsFromString } from 'node:v8';

/** What has run six times as long as by default is optimised, and less of other functions is put into it. */
const SPARINGLY = { 'interrupt-budget': 400_000, 'max-inlined-bytecode-size-cumulative': 300 };
const BY_DEFAULT = { 'interrupt-budget': 67_584, 'max-inlined-bytecode-size-cumulative': 920 };

/** That of Node.js 20. Later ones have a cheaper compiler for code that ran a while, and gain nothing. */
const V8_WITHOUT_MAGLEV = '11.';

/**
 * A run of seconds ends before most of what V8 optimises has paid for itself: with less of that, a standard run takes a
 * seventh less processor time. It is called before anything is loaded, as V8 takes compiled code under the flags alone
 * under which it was compiled.
 */
export const compileSparingly = (): void => setFlags(SPARINGLY);

/** For what runs long enough: V8 optimises as it does by default. */
export const compileAsUsual = (): void => setFlags(BY_DEFAULT);

function setFlags(flags: typeof SPARINGLY): void {
  if (!process.versions.v8.startsWith(V8_WITHOUT_MAGLEV)) return;
  for (const [name, value] of Object.entries(flags)) setFlagsFromString(`--${name}=${value}`);
}
