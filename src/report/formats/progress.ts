import { createLogUpdate } from 'log-update';
import type { RunProgress } from '../model/progress.ts';
import { printable } from '../model/text.ts';
import { paragraph } from './columns.ts';
import { progressLines, progressText } from './progress-lines.ts';

interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly columns?: number };
  /** Whether lines may be redrawn in place. */
  readonly interactive: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
}

export interface Progress {
  update(state: RunProgress): void;
  /** The user has ended the run: clears the lines for a message, and says so from then on. */
  interrupt(): void;
  /** Clears the lines, so that the report starts on a clean screen. */
  finish(): void;
}

/** Milliseconds between two redraws at least, and where nothing is heard of the run; and between two plain lines. */
const REDRAW_MS = 100;
const TICK_MS = 500;
const PLAIN_MS = 10_000;

/** Where a terminal does not tell its width. */
const USUAL_COLUMNS = 80;
const NARROWEST = 20;

/**
 * Shows the progress of a run. On a terminal one or two lines are redrawn; elsewhere a plain line is written at most
 * every ten seconds, so that a long run shows activity in its log and a short one nothing; with `quiet`, nothing at all.
 */
export function createProgress(options: ProgressOptions): Progress {
  if (options.quiet) return { update() {}, interrupt() {}, finish() {} };
  return options.interactive ? drawnProgress(options) : plainProgress(options.stream);
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

function drawnProgress({ stream, color }: ProgressOptions): Progress {
  const redraw = createLogUpdate(stream);
  let state: RunProgress | undefined;
  let toldAt = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  let isEnding = false;
  let hasNews = false;
  let timer: NodeJS.Timeout | undefined;
  const width = (): number => Math.max(NARROWEST, (stream.columns || USUAL_COLUMNS) - 1);
  const clear = (): void => {
    if (isDrawn) redraw.clear();
    isDrawn = false;
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  const draw = (): void => {
    if (state === undefined) return;
    const now = performance.now();
    drawnAt = now;
    isDrawn = true;
    redraw(progressLines(state, { width: width(), color, ageMs: now - toldAt, isEnding }).join('\n'));
  };
  return {
    update(told) {
      const now = performance.now();
      // Of a new phase, the first word must not come late: it may be the last for long.
      const isNew = told.phase !== state?.phase;
      state = told;
      toldAt = now;
      if (told.news !== undefined) {
        clear();
        stream.write(`${paragraph(printable(told.news), width())}\n`);
        hasNews = true;
      }
      timer ??= setInterval(draw, TICK_MS).unref();
      if (isNew || now - drawnAt >= REDRAW_MS) draw();
    },
    interrupt() {
      clear();
      isEnding = true;
      hasNews = true;
    },
    finish() {
      clearInterval(timer);
      clear();
      redraw.done();
      // What was told in between stays, apart from the report.
      if (hasNews) stream.write('\n');
      hasNews = false;
      state = undefined;
    },
  };
}
