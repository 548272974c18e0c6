import { createLogUpdate } from 'log-update';
import type { RunProgress } from '../model/progress.ts';
import { printable } from '../model/text.ts';
import { paragraph } from './columns.ts';
import type { Progress, ProgressOptions } from './progress-display.ts';
import { progressLines } from './progress-lines.ts';

/** Milliseconds between two redraws at least, and where nothing is heard of the run. */
const REDRAW_MS = 100;
const TICK_MS = 500;

/** Where a terminal does not tell its width. */
const USUAL_COLUMNS = 80;
const NARROWEST = 20;

/** Redraws one or two lines on a terminal. */
export function drawnProgress({ stream, color }: Pick<ProgressOptions, 'stream' | 'color'>): Progress {
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
