import { type ParseOptions, parse, stringify } from 'lossless-json';
import { isInt64, readNumberLiteral } from '../contract/exact-integer.ts';

/** A JSON value with exact integers: what the service writes. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json;
}

/** A JSON number: a bigint for every integer, also one written as `1.0` or `1e2`, and a double for anything else. */
export function readNumber(text: string): bigint | number {
  return readNumberLiteral(text) ?? Number(text);
}

/** An int64 in plain decimal notation, or undefined for any other text (`+1`, `007`, `1.0`, 20 digits). */
export function readInt64(text: string): bigint | undefined {
  const value = /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined;
  return value !== undefined && isInt64(value) ? value : undefined;
}

/** How deep arrays and objects may be nested: far less than what overflows the stack of anything that walks them. */
const DEEPEST = 1000;

/**
 * Reads strict JSON (RFC 8259) with exact integers. Duplicate members with different values are an error unless
 * `options` say otherwise.
 *
 * @throws Error when the text is not JSON, or is nested deeper than 1,000 levels
 */
export function readJson(text: string, options?: ParseOptions): unknown {
  if (isNestedBeyond(DEEPEST, text)) throw new SyntaxError(`Nested deeper than ${DEEPEST} levels`);
  const plain = options === undefined ? readPlainly(text) : undefined;
  return plain ?? parse(text, null, { parseNumber: readNumber, ...options });
}

/** Numbers that a double may not hold, and members that an object may take for its own prototype. */
const NEEDS_CARE = /[\d.]{16}|\d[eE]|\\|__proto__/;

/**
 * What most bodies hold is read in a tenth of the time that the lossless parser takes. Undefined for text that needs
 * that one: for a number that a double may not hold, for a member that may stand there twice, and for no JSON at all.
 */
function readPlainly(text: string): unknown {
  if (NEEDS_CARE.test(text)) return undefined;
  try {
    let members = 0;
    const value: unknown = JSON.parse(text, function read(this: unknown, name, member: unknown) {
      if (name !== '' && !Array.isArray(this)) members += 1;
      return typeof member === 'number' && Number.isInteger(member) ? BigInt(member) : member;
    });
    return members === text.split(':').length - 1 ? value : undefined;
  } catch {
    return undefined;
  }
}

function isNestedBeyond(deepest: number, text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length && depth <= deepest; at += 1) {
    const unit = text[at];
    if (unit === '"') inString = !inString;
    else if (inString) at += unit === '\\' ? 1 : 0;
    else if (unit === '[' || unit === '{') depth += 1;
    else if (unit === ']' || unit === '}') depth -= 1;
  }
  return depth > deepest;
}

/** Writes a value as compact JSON, integers with all their digits. */
export function writeJson(value: Json): string {
  return stringify(value) ?? 'null';
}
