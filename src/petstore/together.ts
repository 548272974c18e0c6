import { ViolationError } from '../engine/outcome-errors.ts';

/** Work that is done once, when it is first asked for; later callers get the same result. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** The same for each key. */
export function onceForEach<Key, T>(work: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const results = new Map<Key, Promise<T>>();
  return (key) => {
    const result = results.get(key) ?? work(key);
    results.set(key, result);
    return result;
  };
}

/** Waits for all of them, whatever becomes of each. @throws what ended one of them early, a violation first */
export async function sideBySide(...works: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  const reasons = ends.flatMap((end): readonly unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  if (reasons.length > 0) throw reasons.find((reason) => reason instanceof ViolationError) ?? reasons[0];
}
