import { ViolationError } from '../engine/outcome-errors.ts';

/** Waits for all of them, whatever becomes of each. @throws what ended one of them early, a violation first */
export async function sideBySide(...works: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  const reasons = ends.flatMap((end): readonly unknown[] => (end.status === 'rejected' ? [end.reason] : []));
  if (reasons.length > 0) throw reasons.find((reason) => reason instanceof ViolationError) ?? reasons[0];
}
