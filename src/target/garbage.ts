import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So many bytes are read between one collection and the next. */
const BYTES_BETWEEN = 4 * 1024 * 1024;

let collect: (() => void) | undefined;
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
  collect ??= exposedCollector();
  collect();
}

function exposedCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const exposed: unknown = runInNewContext('gc');
  return typeof exposed === 'function' ? () => void exposed() : () => {};
}
