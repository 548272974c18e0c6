import { type ParseOptions, parse } from 'lossless-json';

/** A JSON value with exact integers: what the service writes. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

/** Beyond so many digits no integer is of interest, and converting it would only cost time. */
const MOST_DIGITS = 400;

/**
 * The exact value of a JSON number: a bigint where the number is an integer, however it is written (`1.0` and `1e2`
 * are integers), and otherwise a double, which then stands for "not an integer" only.
 */
export function readNumber(text: string): bigint | number {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return 0n;
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length;
  if (zeros < 0 || significant.length + zeros > MOST_DIGITS) return Number(text);
  return BigInt(`${sign}${significant}${'0'.repeat(zeros)}`);
}

/**
 * Reads strict JSON (RFC 8259) with exact integers. A member given twice with different values is an error unless
 * `options` say otherwise.
 *
 * @throws Error when the text is not JSON, or nested too deeply to be read
 */
export function readJson(text: string, options: ParseOptions = {}): unknown {
  return parse(text, null, { parseNumber: readNumber, ...options });
}

/** Whether a value that was read is an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Writes a value as compact JSON, integers digit by digit. */
export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  return `{${Object.entries(value)
    .map(([member, held]) => `${JSON.stringify(member)}:${writeJson(held)}`)
    .join(',')}}`;
}

/** `Array.isArray` for read-only arrays. */
export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
