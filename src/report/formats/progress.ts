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

interface Progress {
  update(state: RunProgress): void;
  /** The user has ended the run: clears the lines for a message, and says so from then on. */
  interrupt(): void;
  /** Clears the lines, so that the report starts on a clean screen. */
  finish(): void;
}

/** Milliseconds between two plain lines; between two redraws at least; and where nothing is heard of the run. */
const PLAIN_MS = 10_000;
const REDRAW_MS = 100;
const TICK_MS = 500;

/** The width of a terminal that does not report it. */
const USUAL_COLUMNS = 80;
const NARROWEST = 20;

/**
 * Shows the progress of a run. On a terminal one or two lines are redrawn; elsewhere a plain line is written at most
 * every ten seconds, so that a long run shows activity in its log and a short one nothing; with `quiet`, nothing at all.
 */
export async function createProgress(options: ProgressOptions): Promise<Progress> {
  if (options.quiet) return { update() {}, interrupt() {}, finish() {} };
  return options.interactive ? drawnProgress(options) : plainProgress(options);
}

function plainProgress({ stream }: ProgressOptions): Progress {
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

async function drawnProgress({ stream, color }: ProgressOptions): Promise<Progress> {
  // It takes a while to load, and is of use on a terminal only.
  const { createLogUpdate } = await import('log-update');
  const redraw = createLogUpdate(stream);
  let state: RunProgress | undefined;
  let reportedAt = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isEnding = false;
  let hasNews = false;
  let timer: NodeJS.Timeout | undefined;
  const width = (): number => Math.max(NARROWEST, (stream.columns || USUAL_COLUMNS) - 1);
  const clear = (): void => {
    if (Number.isFinite(drawnAt)) redraw.clear();
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  const draw = (): void => {
    if (state === undefined) return;
    drawnAt = performance.now();
    redraw(progressLines(state, { width: width(), color, ageMs: drawnAt - reportedAt, isEnding }).join('\n'));
  };
  return {
    update(next) {
      // Of a new phase, the first word must not come late: it may be the last for long.
      const isNew = next.phase !== state?.phase;
      state = next;
      reportedAt = performance.now();
      if (next.news !== undefined) {
        clear();
        stream.write(`${paragraph(printable(next.news), width())}\n`);
        hasNews = true;
      }
      timer ??= setInterval(draw, TICK_MS).unref();
      if (isNew || reportedAt - drawnAt >= REDRAW_MS) draw();
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
      // News in between stays, apart from the report.
      if (hasNews) stream.write('\n');
      hasNews = false;
      state = undefined;
    },
  };
}
