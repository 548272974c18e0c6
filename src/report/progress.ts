/** The progress of a run: a live line on a terminal, an occasional line elsewhere. */
import pc from 'picocolors';
import type { RunProgress } from '../run/state.ts';
import { count, grouped } from '../text.ts';
import { cut } from './columns.ts';
import { harmless } from './harmless.ts';

interface Progress {
  update(state: RunProgress): void;
  /** Clears the line, so that the report starts on a clean screen. */
  finish(): void;
}

/** @internal */
interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly columns?: number };
  /** Whether the line may be redrawn in place. */
  readonly interactive: boolean;
  readonly color: boolean;
  readonly quiet: boolean;
  /** Milliseconds that only go forward. */
  readonly now?: (() => number) | undefined;
}

/** Milliseconds between two lines in a log, and the least between two redraws. */
const PLAIN_MS = 10_000;
const REDRAW_MS = 100;
const USUAL_COLUMNS = 80;
const NARROWEST = 20;

/** How much of what is planned is done, how many requests were sent, and the pace of the whole run. */
function progressText({ phase, done, planned, sent, heldBack }: RunProgress, perSecond: number): string {
  const speed = perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.round(perSecond));
  const pieces = [
    phase,
    ...(planned === 0 ? [] : [`${Math.floor((100 * done) / planned)} % of what is planned`]),
    ...(sent === 0 ? [] : [count(sent, 'request')]),
    ...(perSecond > 0 ? [`${speed}/s`] : []),
    ...(heldBack === undefined ? [] : [heldBack]),
  ];
  return pieces.map(harmless).join(' · ');
}

/** With `quiet`, shows nothing; if not on a terminal, a line every ten seconds. @internal */
export function createProgress(options: ProgressOptions): Progress {
  const { stream, interactive, color, quiet, now = () => performance.now() } = options;
  const { dim } = pc.createColors(color);
  /** When the first requests were sent, and how many. */
  let first: { readonly at: number; readonly sent: number } | undefined;
  let shownAt = interactive ? Number.NEGATIVE_INFINITY : now();
  let phase = '';
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) stream.write('\r\u001b[2K');
    isDrawn = false;
  };
  return {
    update(state) {
      const at = now();
      if (state.planned > 0) first ??= { at, sent: state.sent };
      if (quiet) return;
      const { news } = state;
      if (news !== undefined) {
        clear();
        stream.write(`${harmless(news)}\n`);
      }
      // A new phase is shown at once, as nothing else may follow for long.
      const isNew = interactive && (state.phase !== phase || news !== undefined);
      phase = state.phase;
      if (!isNew && at - shownAt < (interactive ? REDRAW_MS : PLAIN_MS)) return;
      shownAt = at;
      const elapsed = at - (first?.at ?? at);
      const text = progressText(state, elapsed < 1_000 ? 0 : (1_000 * (state.sent - (first?.sent ?? 0))) / elapsed);
      clear();
      isDrawn = interactive;
      const width = Math.max(NARROWEST, (stream.columns || USUAL_COLUMNS) - 1);
      stream.write(interactive ? dim(cut(text, width)) : `${text}\n`);
    },
    finish: clear,
  };
}
