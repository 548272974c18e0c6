/** At most this many of many chunks. */
const MOST_CHUNKS = 64;

/** Two chunks, some or many, as the length of the body has it: the same body is always cut in the same way. */
export function chunkSize(length: number): number {
  const sizes = [Math.ceil(length / 2), 11, 3];
  return Math.max(1, sizes[length % sizes.length] ?? 1, Math.ceil(length / MOST_CHUNKS));
}
