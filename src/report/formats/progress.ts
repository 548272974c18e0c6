import { printable } from '../model/text.ts';
import type { Progress, ProgressOptions } from './progress-display.ts';
import { progressText } from './progress-lines.ts';

/** Milliseconds between two plain lines. */
const PLAIN_MS = 10_000;

/**
 * Shows the progress of a run. On a terminal one or two lines are redrawn; elsewhere a plain line is written at most
 * every ten seconds, so that a long run shows activity in its log and a short one nothing; with `quiet`, nothing at all.
 */
export async function createProgress(options: ProgressOptions): Promise<Progress> {
  if (options.quiet) return { update() {}, interrupt() {}, finish() {} };
  if (!options.interactive) return plainProgress(options.stream);
  // What redraws lines takes a while to load, and is of use on a terminal only.
  const { drawnProgress } = await import('./drawn-progress.ts');
  return drawnProgress(options);
}

function plainProgress(stream: NodeJS.WritableStream): Progress {
  let last = performance.now();
  return {
    update(state) {
      if (state.news !== undefined) stream.write(`${printable(state.news)}\n`);
      if (performance.now() - last < PLAIN_MS) return;
      last = performance.now();
      stream.write(`${progressText(state)}\n`);
    },
    interrupt() {},
    finish() {},
  };
}
