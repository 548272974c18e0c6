import type { Engine } from './conformance-options.ts';
import { UsageError } from './errors.ts';

/** Loads the engine, which takes a while: the help and the other commands do without. The one place that names it. */
export async function loadEngine(): Promise<Engine> {
  const [{ conformance, plan }, { replay, ReplayError }] = await Promise.all([
    import('../conformance.ts'),
    import('../replay.ts'),
  ]);
  return {
    conformance,
    plan,
    replay: (failures, options) =>
      replay(failures, options).catch((error: unknown) => {
        throw error instanceof ReplayError ? new UsageError('replay-invalid', `--replay: ${error.message}`) : error;
      }),
  };
}
