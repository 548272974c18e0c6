/** What is reported during a run. */

import type { Checked } from '../check/checked.ts';
import type { Network } from '../http/network.ts';
import type { RunOptions } from './options.ts';

/** How often progress is reported (ms). */
export const PROGRESS_MS = 500;
/** How many requests show how fast a service responds. */
export const MEASURED_REQUESTS = 100;

/** Why a run sends nothing for a while. */
export function pauseText(heldUp: Network['heldUp']): string | undefined {
  if (heldUp === undefined) return undefined;
  const seconds = Math.max(1, Math.ceil((heldUp.until - performance.now()) / 1_000));
  return `${heldUp.lanes.join(', ')} answered 429: waiting ${seconds} s`;
}

/** A warning with a next step, if the requests cannot be sent within the time limit even without pauses. */
export function tooSlowWarning(
  checked: readonly Checked[],
  planned: number,
  {
    concurrency,
    perSecond = Number.POSITIVE_INFINITY,
    maxTimeMs,
  }: Pick<RunOptions, 'concurrency' | 'perSecond' | 'maxTimeMs'>,
): string | undefined {
  const times = checked.map(({ exchange }) => exchange.answeredAt - exchange.sentAt).sort((one, other) => one - other);
  const usualMs = times[Math.floor(times.length / 2)] ?? 0;
  const neededMs = planned * Math.max(usualMs / concurrency, 1_000 / perSecond);
  if (neededMs <= maxTimeMs) return undefined;
  const [needed, most] = [neededMs, maxTimeMs].map((milliseconds) => Math.ceil(milliseconds / 1_000));
  return `At ${Math.round(usualMs)} ms a response, ${planned} requests take ${needed} s or more, and --max-time ends the run after ${most} s: set --max-time ${needed} or more, or use --profile smoke.`;
}
