import { networkOptions, type RunOptions, termsOf } from './options.ts';
import { preflight } from './preflight.ts';
import { isUnauthorized } from './preflight-problems.ts';
import { unlessStopped } from './run.ts';
import { isError } from './signs.ts';
import { pause } from './tools.ts';

/** The pause between two trials of a target that is starting, and the time limit of their requests (ms). */
const TRIAL_PAUSE_MS = 250;
const TRIAL_TIMEOUT_MS = 2_000;

/**
 * Waits until a target responds like the service, if only to reject the key with an Error, at most as long as --wait-for
 * says: a gateway may respond for a service that is still starting. Sends GET requests only.
 *
 * @returns how long it waited (ms)
 */
export async function waitUntilUp(options: RunOptions): Promise<number> {
  const { baseUrl, waitForMs, signal } = options;
  const started = performance.now();
  const phase = `Waiting for ${baseUrl} (up to ${waitForMs / 1_000} s)`;
  options.onEvent({ kind: 'progress', progress: { phase, done: 0, planned: 0, sent: 0, news: `${phase} …` } });
  const passed = (): number => performance.now() - started;
  for (let left = waitForMs; left > 0 && !signal.aborted; left = waitForMs - passed()) {
    const network = { ...networkOptions(options), requestTimeoutMs: Math.min(TRIAL_TIMEOUT_MS, left) };
    const target = await preflight(termsOf(options), { network, isReadOnly: true }).catch(unlessStopped);
    const isUp = target?.kind === 'ready' || target?.exchanges.some((one) => isUnauthorized(one) && isError(one));
    if (isUp === true) break;
    await pause(Math.min(TRIAL_PAUSE_MS, left), signal);
  }
  return passed();
}
