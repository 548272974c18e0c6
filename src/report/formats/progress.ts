import { createLogUpdate } from 'log-update';
import pc from 'picocolors';
import { beginning, count, printable } from '../model/text.ts';

interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** Whether lines may be redrawn in place. */
  readonly interactive: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

export interface ProgressState {
  /** Checks that have ended, and all checks. */
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  /** The checks that are running. */
  readonly running: readonly string[];
  /** What the user should know at once. */
  readonly news?: string | undefined;
}

interface Progress {
  update(state: ProgressState): void;
  /** Clears the lines, so that the report starts on a clean screen. */
  finish(): void;
}

/** Minimum milliseconds between two redraws, and between two plain lines. */
const REDRAW = 100;
const PLAIN = 10_000;

const BAR = 24;

function bar({ done, total }: ProgressState): string {
  const filled = total === 0 ? 0 : Math.round(Math.min(1, Math.max(0, done / total)) * BAR);
  return '━'.repeat(filled) + '─'.repeat(BAR - filled);
}

/**
 * Shows the progress of a run. On a terminal one or two lines are redrawn; elsewhere a plain line is written at most
 * every ten seconds, so that a long run shows activity in its log and a short one nothing; with `quiet`, nothing at all.
 */
export function createProgress(options: ProgressOptions): Progress {
  const { stream, interactive, quiet, now = () => performance.now() } = options;
  if (quiet) return { update() {}, finish() {} };
  const colors = pc.createColors(options.color);
  const redraw = createLogUpdate(stream);
  let last = interactive ? Number.NEGATIVE_INFINITY : now();
  let drawn = false;
  return {
    update(state) {
      if (state.news !== undefined) {
        if (drawn) redraw.clear();
        stream.write(`${printable(state.news)}\n`);
      }
      if (now() - last < (interactive ? REDRAW : PLAIN)) return;
      last = now();
      const figures = `${state.done} of ${count(state.total, 'check')} · ${count(state.requests, 'request')}`;
      if (!interactive) {
        stream.write(`${figures}\n`);
        return;
      }
      drawn = true;
      const width = Math.max(20, (stream.columns ?? 80) - 1);
      const running = printable(state.running.join(', '));
      const line = `${bar(state)}  ${figures}`;
      const lines = [line.length > width ? beginning(line, width) : colors.cyan(bar(state)) + line.slice(BAR)];
      const names = running.length > width - 2 ? `${beginning(running, width - 3)}…` : running;
      if (running !== '') lines.push(colors.dim(names));
      redraw(lines.join('\n'));
    },
    finish() {
      if (!drawn) return;
      redraw.clear();
      redraw.done();
      drawn = false;
    },
  };
}
