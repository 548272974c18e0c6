export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

export function isInt64(integer: bigint): boolean {
  return integer >= INT64_MIN && integer <= INT64_MAX;
}

/** Digits of the largest double; longer integers are not read, as they could only be sent to cost time. */
const LONGEST_INTEGER = 309;

/**
 * Reads one JSON number literal by its digits, not on the double nearest to it: `1.0` and `1e3` denote integers,
 * `1.00000000000000001` does not. The work is linear in the length of the literal, whatever its exponent says.
 *
 * @returns undefined if it has a fraction, or is beyond the range of a double
 */
export function readNumberLiteral(literal: string): bigint | undefined {
  const [mantissa = '', exponent = '0'] = literal.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? mantissa.slice(1) : mantissa).split('.');
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  if (start === digits.length) return 0n;
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  // The literal is digits[start..end] times ten to this power; an absurd exponent becomes ±Infinity.
  const power = Number(exponent) - fraction.length + (digits.length - end);
  if (power < 0 || end - start + power > LONGEST_INTEGER) return undefined;
  const magnitude = BigInt(digits.slice(start, end) + '0'.repeat(power));
  return negative ? -magnitude : magnitude;
}
