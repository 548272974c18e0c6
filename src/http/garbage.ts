import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So many bytes are read between one collection and the next. */
const BYTES_BETWEEN = 4 * 1024 * 1024;

let exposed: (() => void) | undefined;
let bytes = 0;

/**
 * Collects garbage now and then. The engine by itself lets some 64 MiB of buffers lie about before it does.
 *
 * @param size bytes that were read since the last call
 */
export function collectAfter(size: number): void {
  bytes += size;
  if (bytes < BYTES_BETWEEN) return;
  bytes = 0;
  collectNow();
}

/** Collects all garbage, at once. */
export function collectNow(): void {
  exposed ??= exposedCollector();
  exposed();
}

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return typeof collect === 'function' ? () => void collect() : () => {};
}
