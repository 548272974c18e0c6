import { setTimeout as pause } from 'node:timers/promises';
import { Network } from '../../http/network.ts';
import type { RunSettings } from '../conformance-options.ts';

/** Pauses between two looks (ms), and how long one may take. */
const PAUSE_MS = 250;
const LOOK_MS = 2_000;

/** Responses of something that stands before a service which is still starting. */
const NOT_YET: readonly number[] = [502, 503, 504];

/** Waits until a service answers, but not longer than --wait-for says. What is wrong with it then, the run finds out. */
export async function waitForTarget(baseUrl: string, settings: RunSettings, signal: AbortSignal): Promise<void> {
  const { waitForMs, tls, headers, token } = settings;
  const target = `${new URL(baseUrl).pathname}/pets?limit=1`;
  const authorization = ['Authorization', `Bearer ${token}`] as const;
  const deadline = performance.now() + waitForMs;
  for (let left = waitForMs; left > 0 && !signal.aborted; left = deadline - performance.now()) {
    const requestTimeoutMs = Math.min(LOOK_MS, left);
    const network = new Network({ ...tls, baseUrl, headers, connections: 1, requestTimeoutMs, patienceMs: 0, signal });
    try {
      const request = { method: 'GET', target, headers: [['Accept', 'application/json'], authorization] } as const;
      const { outcome } = await network.connection().send(request, 'wait');
      if (outcome.kind === 'answer' && !NOT_YET.includes(outcome.status)) return;
      await pause(Math.min(PAUSE_MS, left), undefined, { signal });
    } catch {
      // The run was ended, or the service throttles.
    } finally {
      await network.close();
    }
  }
}
