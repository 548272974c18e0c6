/** The bounds of int64 (part 2). */
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** Whether a value is an integer that int64 can hold. */
export const isInt64 = (value: unknown): value is bigint =>
  typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX;

/** An int64 in its one plain decimal form, or undefined for any other text (`+1`, `007`, `1.0`, 20 digits). */
export function readInt64(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return isInt64(value) ? value : undefined;
}
