import type { ErrorObject } from 'ajv';
import { quote } from '../text.ts';
import { integerAt, type Json } from './json.ts';
import { childPointer, valueAt } from './json-pointer.ts';

/** The keyword that stands for `format: int64` in compiled schemas. */
export const INT64 = 'int64';

/** One way in which JSON violates its schema. */
export interface SchemaFault {
  /** JSON pointer of the wrong value; for a missing member, the pointer that it would have. */
  readonly pointer: string;
  /** A sentence without a full stop, such as "`id` of the third entry is 1.5, not an integer". */
  readonly message: string;
  /** The member that is missing, if that is the fault. */
  readonly missing?: string;
}

/**
 * Describes Ajv's errors: for each value only the first, with a wrong type before all others. For example, null in place
 * of a string has the wrong type, and is not in the enumeration either.
 */
export function describeFaults(errors: readonly ErrorObject[], json: Json): readonly SchemaFault[] {
  const wrongType = new Set(errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath));
  const faults = new Map<string, SchemaFault>();
  for (const error of errors) {
    if (error.keyword !== 'type' && wrongType.has(error.instancePath)) continue;
    const fault = describe(error, json);
    if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault);
  }
  return [...faults.values()];
}

function describe({ keyword, instancePath, params, message }: ErrorObject, json: Json): SchemaFault {
  const where = whereIn(instancePath);
  const { missingProperty: missing }: Record<string, unknown> = params;
  if (keyword === 'required' && typeof missing === 'string') {
    return { pointer: childPointer(instancePath, missing), missing, message: `${where} has no \`${missing}\`` };
  }
  const value = describeValue(json, instancePath, keyword);
  return { pointer: instancePath, message: `${where} is ${value}, ${ruleOf(keyword, params, message)}` };
}

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const SUFFIXES = ['th', 'st', 'nd', 'rd'];

/** `third`, `31st`. @param index from 0 */
function ordinal(index: number): string {
  const number = index + 1;
  const isTeen = number % 100 > 10 && number % 100 < 14;
  return ORDINALS[index] ?? `${number}${isTeen ? 'th' : (SUFFIXES[number % 10] ?? 'th')}`;
}

/** What a pointer into a body points at, such as "`status` of the third entry". */
function whereIn(pointer: string): string {
  const [, index, rest = ''] = /^(?:\/(\d+)(?=\/|$))?(.*)$/s.exec(pointer) ?? [];
  const entry = index && `the ${ordinal(Number(index))} entry`;
  if (rest === '') return entry ?? 'the body';
  const member = `\`${rest.slice(1).replaceAll('/', '.')}\``;
  return entry === undefined ? member : `${member} of ${entry}`;
}

function ruleOf(keyword: string, params: Record<string, unknown>, message: string | undefined): string {
  const { allowedValues: allowed, type } = params;
  if (keyword === 'enum' && Array.isArray(allowed)) {
    return `not one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`;
  }
  if (keyword === 'type' && typeof type === 'string') return `not ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
  return keyword === INT64 ? 'not an int64' : `and ${message ?? `breaks the rule ${keyword}`}`;
}

function describeValue(json: Json, pointer: string, keyword: string): string {
  const value = valueAt(json.value, pointer);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string') return `${keyword === 'type' ? 'the string ' : ''}${quote(value)}`;
  if (typeof value !== 'number') return String(value);
  const integer = integerAt(json, pointer);
  if (integer !== undefined) return shorten(String(integer));
  if (keyword === INT64) return 'a number with a fraction';
  return Number.isFinite(value) ? shorten(String(value)) : 'too large for a double';
}

const LONGEST_VALUE = 40;

function shorten(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}
