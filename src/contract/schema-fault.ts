import type { ErrorObject } from 'ajv';
import { integerAt, type Json } from './json.ts';
import { childPointer, valueAt } from './json-pointer.ts';

/** The keyword that stands for `format: int64` in compiled schemas. */
export const INT64_KEYWORD = 'int64';

/** One way in which JSON differs from its schema. */
export interface SchemaFault {
  /** JSON pointer of the value at fault; of a missing member, the pointer that it would have. */
  readonly pointer: string;
  /** The keyword of JSON Schema that it breaks, or `int64`. */
  readonly keyword: string;
  /** A sentence without a full stop, such as "/3/count must be int64 and is 9223372036854775808". */
  readonly message: string;
}

/**
 * Describes Ajv's errors. Of several at one value only the first is described, and the type before all others: null
 * where a string of an enumeration belongs has the wrong type and is not in the enumeration either.
 */
export function describeFaults(errors: readonly ErrorObject[], json: Json): readonly SchemaFault[] {
  const wrongType = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath));
  const faults = new Map<string, SchemaFault>();
  for (const error of errors) {
    const { keyword, instancePath } = error;
    if (keyword !== 'type' && wrongType.has(instancePath)) continue;
    const missing = missingMember(error);
    const pointer = missing === undefined ? instancePath : childPointer(instancePath, missing);
    if (!faults.has(pointer)) faults.set(pointer, { pointer, keyword, message: describe(error, json) });
  }
  return [...faults.values()];
}

function missingMember({ keyword, params }: ErrorObject): string | undefined {
  const member: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
  return typeof member === 'string' ? member : undefined;
}

function describe(error: ErrorObject, json: Json): string {
  const { keyword, instancePath, params } = error;
  const where = instancePath === '' ? 'the body' : instancePath;
  const missing = missingMember(error);
  if (missing !== undefined) return `${where} must have the member ${JSON.stringify(missing)}`;
  const allowed: unknown = params['allowedValues'];
  const rule =
    keyword === 'enum' && Array.isArray(allowed)
      ? `must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`
      : (error.message ?? `breaks the rule ${keyword}`);
  return `${where} ${rule} and is ${describeValue(json, instancePath, keyword)}`;
}

function describeValue(json: Json, pointer: string, keyword: string): string {
  const value = valueAt(json.value, pointer);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return `${keyword === 'type' ? 'the string ' : ''}${shorten(JSON.stringify(value))}`;
  if (typeof value !== 'number') return String(value);
  const integer = integerAt(json, pointer);
  if (integer !== undefined) return shorten(String(integer));
  if (keyword === INT64_KEYWORD) return 'a number with a fraction';
  return Number.isFinite(value) ? shorten(String(value)) : 'too large for a double';
}

/** The longest piece of a value that is shown. */
const LONGEST_VALUE = 40;

function shorten(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}
