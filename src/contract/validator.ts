import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { ContractError, incomplete } from './contract-error.ts';
import { isInt64 } from './exact-integer.ts';
import { integerAt, type Json } from './json.ts';
import { describeFaults, INT64_KEYWORD, type SchemaFault } from './schema-fault.ts';

/** Compares JSON with one schema; returns no faults where it is valid. */
export type Validator = (json: Json) => readonly SchemaFault[];

/**
 * A compiler of JSON schemas without references, which compiles each schema object once. The compiler takes the
 * schema and its JSON pointer, which errors name, and throws a {@link ContractError} where it cannot be used.
 */
export function schemaCompiler(): (schema: unknown, pointer: string) => Validator {
  // Strict mode refuses unknown keywords and types. Ajv's further check against the meta-schema would add some 20 ms
  // to every start and finds only what the linter in the tests finds too, so it is left out.
  const ajv = new Ajv2020({ allErrors: true, strict: true, validateSchema: false, passContext: true });
  addFormats.default(ajv);
  addInt64Keyword(ajv);
  const validators = new Map<object, Validator>();
  return (schema, pointer) => {
    if (!isSchemaObject(schema)) throw incomplete(pointer, 'JSON schema');
    const known = validators.get(schema);
    if (known !== undefined) return known;
    const validate = compile(ajv, schema, pointer);
    const validator: Validator = (json) =>
      validate.call(json, json.value) ? [] : describeFaults(validate.errors ?? [], json);
    validators.set(schema, validator);
    return validator;
  };
}

function compile(ajv: Ajv2020, schema: AnySchemaObject, pointer: string): ValidateFunction {
  try {
    return ajv.compile(Object.fromEntries(withInt64Keyword(schema)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The OpenAPI document has a schema that cannot be used, at ${pointer}: ${reason}.`;
    throw new ContractError('contract-schema', message, { cause: error });
  }
}

function isSchemaObject(schema: unknown): schema is AnySchemaObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

/**
 * Teaches Ajv to validate an int64 on its exact digits. A double cannot tell 9223372036854775807 from …808, and the
 * usual `int64` format accepts both; so validators are called with the parsed JSON as their `this` (Ajv's option
 * `passContext`), and the keyword looks there.
 */
function addInt64Keyword(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: INT64_KEYWORD,
    type: 'number',
    schemaType: 'boolean',
    error: { message: 'must be int64' },
    validate(this: Json, _schema: boolean, value: number, _parent?: unknown, place?: DataValidationCxt): boolean {
      // A value with a fraction already fails `type: integer`; one fault is enough.
      if (!Number.isInteger(value)) return true;
      const integer = integerAt(this, place?.instancePath ?? '');
      return integer !== undefined && isInt64(integer);
    },
  });
}

/** The entries of a schema, in which the keyword replaces every `format: int64`. */
function withInt64Keyword(schema: object): [string, unknown][] {
  return Object.entries(schema).map(([name, member]) =>
    name === 'format' && member === 'int64' ? [INT64_KEYWORD, true] : [name, exact(member)],
  );
}

function exact(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(exact);
  return typeof member === 'object' && member !== null ? Object.fromEntries(withInt64Keyword(member)) : member;
}
