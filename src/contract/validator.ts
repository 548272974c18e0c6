import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { ContractError, incomplete } from './contract-error.ts';
import { isInt64 } from './exact-integer.ts';
import { holdsPlainNumbers, integerOf, type Json } from './json.ts';
import { valueAt } from './json-pointer.ts';
import { describeFaults, INT64_KEYWORD, type SchemaFault } from './schema-fault.ts';

/** Compares JSON with one schema; returns no faults where it is valid. */
export type Validator = (json: Json) => readonly SchemaFault[];

/**
 * A compiler of the schemas in a document whose references are resolved: it takes a JSON pointer, and compiles a schema
 * that is used in several places once. It throws a {@link ContractError} where there is no schema or no valid one.
 */
export function schemaCompiler(document: unknown): (pointer: string) => Validator {
  // Strict mode refuses unknown keywords and types. Ajv's further check against the meta-schema would add some 20 ms
  // to every start and finds only what the linter in the tests finds too, so it is left out.
  const ajv = new Ajv2020({ allErrors: true, strict: true, validateSchema: false, passContext: true });
  addFormats.default(ajv);
  addInt64Keyword(ajv);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const schema = valueAt(document, pointer);
    if (!isSchemaObject(schema)) throw incomplete(pointer, 'JSON schema');
    // In a document whose references are resolved, equal schemas need not be the same object.
    const text = JSON.stringify(schema);
    let validate = compiled.get(text);
    try {
      validate ??= ajv.compile(withInt64Keyword(text));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The OpenAPI document has a schema that cannot be used, at ${pointer}: ${reason}.`;
      throw new ContractError('contract-schema', message, { cause: error });
    }
    compiled.set(text, validate);
    return (json) => (validate.call(json, json.value) ? [] : describeFaults(validate.errors ?? [], json));
  };
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
    error: { message: 'must be an int64' },
    validate(this: Json, _schema: boolean, value: number, _parent?: unknown, place?: DataValidationCxt): boolean {
      // A value with a fraction already fails `type: integer`; one fault is enough.
      if (!Number.isInteger(value)) return true;
      if (holdsPlainNumbers(this)) return Number.isSafeInteger(value);
      const integer = integerOf(this, place?.instancePath ?? '', value);
      return integer !== undefined && isInt64(integer);
    },
  });
}

/** The schema that is written there, in which the keyword replaces every `format: int64`. */
function withInt64Keyword(schema: string): AnySchemaObject {
  return JSON.parse(schema, (_name, member: unknown) => {
    if (!isSchemaObject(member) || member['format'] !== 'int64') return member;
    const { format: _format, ...others } = member;
    return { ...others, [INT64_KEYWORD]: true };
  });
}
