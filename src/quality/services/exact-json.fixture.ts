import { parse, parseNumberAndBigInt, stringify } from 'lossless-json';

export const isInt64 = (value: unknown): value is bigint =>
  typeof value === 'bigint' && BigInt.asIntN(64, value) === value;

/**
 * JSON in which every integer is a bigint, so that none is rounded.
 *
 * @throws SyntaxError and others, where the text is not JSON or is nested too deeply
 */
export const parseExactly = (text: string): unknown => parse(text, null, parseNumberAndBigInt);

/** JSON with the bigints of a value as integers. */
export const stringifyExactly = (value: unknown): string => stringify(value) ?? 'null';

/** The categoryId that a body gives, digit by digit; undefined where it is not an int64. */
export function categoryIdIn(body: Buffer | undefined): bigint | undefined {
  try {
    const parsed = parseExactly(body?.toString() ?? '');
    const categoryId: unknown =
      typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'categoryId') : undefined;
    return isInt64(categoryId) ? categoryId : undefined;
  } catch {
    return undefined;
  }
}

/** The int64 that a text is in plain digits; undefined for any other text. */
export function int64Of(text: string): bigint | undefined {
  const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  return isInt64(value) ? value : undefined;
}
