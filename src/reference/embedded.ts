import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { entryPoint } from '../package.ts';
import type { RunningReference } from './server.ts';

/**
 * Starts the reference service in a thread of its own, without faults or variants.
 *
 * @param token the API key
 */
export async function startEmbedded(token: string, seed: number): Promise<RunningReference> {
  const thread = new Worker(entryPoint('reference-worker'), { workerData: { token, seed } });
  const [baseUrl]: unknown[] = await once(thread, 'message');
  return {
    baseUrl: String(baseUrl),
    stop: async () => {
      await thread.terminate();
    },
  };
}
