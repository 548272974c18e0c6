import pc from 'picocolors';
import type { HeldBack, RunPhase, RunProgress } from '../model/progress.ts';
import { count, printable, rate, roughly } from '../model/text.ts';
import { columnsOf, cut } from './columns.ts';

const PHASES: Readonly<Record<RunPhase, string>> = {
  preflight: 'Contacting the service',
  starting: 'Starting the checks',
  found: 'First checks',
  fresh: 'First checks',
  early: 'First checks, one at a time',
  main: 'Running in parallel',
  still: 'Mostly read-only checks',
  quiet: 'Running one at a time',
  end: 'Final checks',
  reports: 'Writing the reports',
};

interface Look {
  /** Columns that may be used. */
  readonly width: number;
  readonly color: boolean;
  /** How long ago this was reported (ms). */
  readonly ageMs?: number;
  /** Whether the user has ended the run. */
  readonly isEnding?: boolean;
}

/** Of a line, the bar takes so much, within these bounds: it does not change its length while it grows. */
const BAR_SHARE = 1 / 4;
const NARROWEST_BAR = 10;
const WIDEST_BAR = 30;
/** A wait is worth a word from here on (ms). */
const LONG_WAIT_MS = 2_000;

/** The progress of a run in one or two lines, each within the width. */
export function progressLines(state: RunProgress, look: Look): readonly string[] {
  const { width, color, ageMs = 0, isEnding = false } = look;
  const colors = pc.createColors(color);
  const { phase, running } = state;
  const pieces = [
    isEnding ? 'Ending the run' : PHASES[phase],
    ...(phase === 'preflight' && ageMs >= LONG_WAIT_MS ? [`for ${seconds(ageMs)}`] : []),
    ...heldBackText(state.heldBack, ageMs),
    ...(running.length === 0 ? [] : [printable(running.join(', '))]),
  ];
  const detail = colors.dim(cut(pieces.join(' · '), width));
  return isCounted(phase) ? [barLine(state, look, colors.cyan), detail] : [detail];
}

/** The progress of a run for a log, in one line of any length. */
export function progressText(state: RunProgress): string {
  const { phase, done, total, requests, heldBack } = state;
  const figures = isCounted(phase) ? [`${done} of ${count(total, 'check')}`, count(requests, 'request')] : [];
  return [PHASES[phase], ...figures, ...leftText(state, 0), ...heldBackText(heldBack, 0)].join(' · ');
}

/** Whether there is anything to count in a phase. */
const isCounted = (phase: RunPhase): boolean => phase !== 'preflight' && phase !== 'starting' && phase !== 'reports';

/** The bar with as many of the figures as fit beside it; the number of requests is the first to go. */
function barLine(state: RunProgress, { width, ageMs = 0 }: Look, paint: (text: string) => string): string {
  const { done, total, requests, share } = state;
  const checks = `${done} of ${count(total, 'check')}`;
  const left = leftText(state, ageMs);
  const choices = [[checks, count(requests, 'request'), ...left], [checks, ...left], left].map((some) =>
    some.join(' · '),
  );
  const columns = Math.min(WIDEST_BAR, Math.max(NARROWEST_BAR, Math.floor(width * BAR_SHARE)));
  const beside = choices.find((text) => columns + 2 + columnsOf(text) <= width) ?? '';
  return `${paint(bar(share ?? (total === 0 ? 0 : done / total), columns))}  ${beside}`.trimEnd();
}

function bar(share: number, columns: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * columns);
  return '━'.repeat(filled) + '─'.repeat(columns - filled);
}

function leftText({ leftMs }: RunProgress, ageMs: number): readonly string[] {
  if (leftMs === undefined) return [];
  const left = Math.max(0, leftMs - ageMs);
  return [left < 5_000 ? 'a few seconds left' : `about ${roughly(left)} left`];
}

function heldBackText(heldBack: HeldBack | undefined, ageMs: number): readonly string[] {
  if (heldBack === undefined) return [];
  const { by, perSecond, pauseMs, what } = heldBack;
  const why = by === 'service' ? 'as the service asks' : 'as --rate-limit asks';
  const pause = pauseMs - ageMs;
  const sending = what === undefined ? '' : ` to send ${what}`;
  if (pause >= LONG_WAIT_MS) return [`waiting ${seconds(pause)}${sending}, ${why}`];
  if (perSecond === undefined) return by === 'service' ? ['slowing down, as the service asks'] : [];
  return [`${rate(perSecond)} requests/s, ${why}`];
}

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1_000)} s`;
