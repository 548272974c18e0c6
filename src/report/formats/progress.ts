import { createLogUpdate } from 'log-update';
import pc from 'picocolors';
import { beginning, count } from './excerpt.ts';
import { printable } from './printable.ts';

export interface ProgressOptions {
  readonly stream: NodeJS.WriteStream;
  /** Whether lines may be redrawn in place. */
  readonly interactive: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
  /** Milliseconds of a clock that never goes back; the process's own where not given. */
  readonly now?: () => number;
}

export interface ProgressState {
  /** Checks that ended, and all of them. */
  readonly done: number;
  readonly total: number;
  readonly requests: number;
  /** The checks under way. */
  readonly running: readonly string[];
}

export interface Progress {
  update(state: ProgressState): void;
  /** Takes the live lines away, so that the report starts on a clean screen. */
  finish(): void;
}

/** The least time between two redraws, and between two plain lines, in milliseconds. */
const REDRAW = 100;
const PLAIN = 10_000;

const BAR = 24;

function bar(state: ProgressState): string {
  const share = state.total === 0 ? 0 : Math.min(1, Math.max(0, state.done / state.total));
  const filled = Math.round(share * BAR);
  return '━'.repeat(filled) + '─'.repeat(BAR - filled);
}

function figures(state: ProgressState): string {
  return `${state.done} of ${count(state.total, 'check')} · ${count(state.requests, 'request')}`;
}

/**
 * Shows how far a run is. On a terminal one or two lines are redrawn; elsewhere a plain line comes at most every ten
 * seconds, so that a log of a long run shows life and a short one shows nothing; with `quiet`, nothing at all.
 */
export function createProgress(options: ProgressOptions): Progress {
  if (options.quiet) return { update: () => {}, finish: () => {} };
  const now = options.now ?? (() => performance.now());
  let last = options.interactive ? Number.NEGATIVE_INFINITY : now();
  if (!options.interactive) {
    return {
      update(state) {
        if (now() - last < PLAIN) return;
        last = now();
        options.stream.write(`${figures(state)}\n`);
      },
      finish() {},
    };
  }
  const colors = pc.createColors(options.color);
  const redraw = createLogUpdate(options.stream);
  let drawn = false;
  return {
    update(state) {
      if (now() - last < REDRAW) return;
      last = now();
      drawn = true;
      const width = Math.max(20, (options.stream.columns ?? 80) - 1);
      const running = printable(state.running.join(', '));
      const line = `${bar(state)}  ${figures(state)}`;
      const lines = [line.length > width ? beginning(line, width) : colors.cyan(bar(state)) + line.slice(BAR)];
      if (running !== '')
        lines.push(colors.dim(running.length > width - 2 ? `${beginning(running, width - 3)}…` : running));
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
