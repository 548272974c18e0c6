import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PoolWorker } from 'vitest/node';
import { entryPoint } from '../../entry-points.ts';

/** MiB for new objects. Fewer than usual, as the thread would keep them; with fewer still, collecting them takes longer. */
const NEW_OBJECTS_MIB = 9;

/**
 * The thread in which the checks run, for vitest's pool. It starts when it is made, which may be long before vitest
 * asks for it: loading the checks takes as long as loading vitest, and both are done at the same time.
 */
export class ChecksThread implements PoolWorker {
  readonly name = 'checks';
  readonly #thread: Worker;
  #error: unknown;

  constructor() {
    // Source maps take time to load: only where stacks are shown.
    const execArgv = process.sourceMapsEnabled ? ['--enable-source-maps'] : [];
    this.#thread = new Worker(entryPoint('checks.vitest'), {
      execArgv,
      resourceLimits: { maxYoungGenerationSizeMb: NEW_OBJECTS_MIB },
    });
    // Until vitest listens, an error must not end the process.
    once(this.#thread, 'exit').catch((error) => {
      this.#error = error;
    });
  }

  on: PoolWorker['on'] = (event, callback) => this.#thread.on(event, callback);
  off: PoolWorker['off'] = (event, callback) => this.#thread.off(event, callback);
  send: PoolWorker['send'] = (message) => this.#thread.postMessage(message);
  deserialize: PoolWorker['deserialize'] = (data) => data;

  /** @throws what ended the thread, where it could not load the checks */
  async start(): Promise<void> {
    if (this.#error !== undefined) throw this.#error;
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
