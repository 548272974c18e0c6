import type { Engine } from './conformance-options.ts';

/** Loads the engine, which takes a while: the help and the other commands do without. The one place that names it. */
export async function loadEngine(): Promise<Engine> {
  const [{ conformance, plan }, { replay }] = await Promise.all([import('../conformance.ts'), import('../replay.ts')]);
  return { conformance, replay, plan };
}
