import type { ErrorObject } from 'ajv';
import { integerAt, type ReadJson } from './exact-json.ts';
import { INT64_KEYWORD } from './int64-keyword.ts';
import { childPointer, pointerTokens, valueAt } from './json-pointer.ts';

/** The shapes of part 2 that a whole body can have. */
export type BodyShape = 'pets' | 'pet' | 'error' | 'newPet';

const FIELDS = {
  pet: ['id', 'name', 'categoryId', 'status'],
  newPet: ['name', 'categoryId', 'status'],
  error: ['code', 'message', 'status'],
} as const;

type Resource = keyof typeof FIELDS;

/** What of a body is at fault: the array, a resource in it or one of that resource's fields. */
export type FaultSubject = 'pets' | { [R in Resource]: R | `${R}.${(typeof FIELDS)[R][number]}` }[Resource];

/** One way in which a body differs from its schema. */
export interface SchemaFault {
  /** The value at fault; for a member that is missing, the object that lacks it. */
  readonly pointer: string;
  /** The keyword of JSON Schema that it breaks, or `int64`. */
  readonly keyword: string;
  /** A sentence without a full stop, such as "/3/categoryId must be int64 and is 9223372036854775808". */
  readonly message: string;
  readonly subject: FaultSubject;
}

/**
 * Puts Ajv's errors into words. Of several at one value the first is enough (a status of null has the wrong type and
 * is not in the enumeration either), but every missing member is a fault of its own.
 */
export function describeFaults(
  errors: readonly ErrorObject[],
  reading: ReadJson,
  shape: BodyShape,
): readonly SchemaFault[] {
  const wrongType = new Set(errors.filter((error) => error.keyword === 'type').map((error) => error.instancePath));
  const faults = new Map<string, SchemaFault>();
  for (const error of errors) {
    const pointer = error.instancePath;
    if (error.keyword !== 'type' && wrongType.has(pointer)) continue;
    const missing = missingMember(error);
    const place = missing === undefined ? pointer : childPointer(pointer, missing);
    if (faults.has(place)) continue;
    const { keyword } = error;
    faults.set(place, {
      pointer,
      keyword,
      message: sentence(error, reading),
      subject: subjectOf(shape, place),
    });
  }
  return [...faults.values()];
}

function missingMember(error: ErrorObject): string | undefined {
  const member: unknown = error.keyword === 'required' ? error.params['missingProperty'] : undefined;
  return typeof member === 'string' ? member : undefined;
}

function sentence(error: ErrorObject, reading: ReadJson): string {
  const where = error.instancePath === '' ? 'the body' : error.instancePath;
  const missing = missingMember(error);
  if (missing !== undefined) return `${where} must have the member ${JSON.stringify(missing)}`;
  const actual = actualValue(reading, error.instancePath, error.keyword);
  const allowed: unknown = error.params['allowedValues'];
  if (error.keyword === 'enum' && Array.isArray(allowed)) {
    return `${where} must be one of ${allowed.map((value) => JSON.stringify(value)).join(', ')} and is ${actual}`;
  }
  return `${where} ${error.message ?? `breaks the rule ${error.keyword}`} and is ${actual}`;
}

/** The longest piece of a value that is shown. */
const LONGEST_VALUE = 40;

function actualValue(reading: ReadJson, pointer: string, keyword: string): string {
  const value = valueAt(reading.value, pointer);
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return keyword === 'type' ? `the string ${cut(JSON.stringify(value))}` : cut(JSON.stringify(value));
  if (typeof value === 'number') {
    const integer = integerAt(reading, pointer);
    if (integer !== undefined) return cut(String(integer));
    if (keyword === INT64_KEYWORD) return 'a number with a fraction';
    return Number.isFinite(value) ? cut(String(value)) : 'beyond every range';
  }
  return String(value);
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}

function subjectOf(shape: BodyShape, pointer: string): FaultSubject {
  const tokens = pointerTokens(pointer);
  if (shape !== 'pets') return fieldOf(shape, tokens[0]);
  // An entry that is no object at all makes the list no list of animals.
  return tokens.length < 2 ? 'pets' : fieldOf('pet', tokens[1]);
}

function fieldOf(resource: Resource, name: string | undefined): FaultSubject {
  switch (resource) {
    case 'pet': {
      const field = FIELDS.pet.find((known) => known === name);
      return field === undefined ? 'pet' : `pet.${field}`;
    }
    case 'newPet': {
      const field = FIELDS.newPet.find((known) => known === name);
      return field === undefined ? 'newPet' : `newPet.${field}`;
    }
    case 'error': {
      const field = FIELDS.error.find((known) => known === name);
      return field === undefined ? 'error' : `error.${field}`;
    }
  }
}
