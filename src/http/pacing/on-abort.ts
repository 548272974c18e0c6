const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal is aborted. Very many requests listen to the one signal that ends a run: an event listener
 * for each would cost far more than a place in a set.
 *
 * @returns stops listening
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = listeners.get(signal) ?? new Set();
  if (!listeners.has(signal)) {
    listeners.set(signal, callbacks);
    signal.addEventListener('abort', () => {
      for (const call of callbacks) call();
      callbacks.clear();
    });
  }
  callbacks.add(callback);
  return () => callbacks.delete(callback);
}
