import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import addFormats from 'ajv-formats';
import { DOCUMENT } from './document.prebuilt.ts';
import { namedSchema } from './document.ts';
import { isInt64 } from './exact-integer.ts';
import { integerOf, type Json } from './json.ts';
import { valueAt } from './json-pointer.ts';
import { describeFaults, INT64, type SchemaFault } from './schema-fault.ts';

/** What the OpenAPI document says about bodies. */
interface Contract {
  /** Validates JSON against a schema of `components/schemas`. Returns no faults if it is valid. */
  validate(schema: string, json: Json): readonly SchemaFault[];
}

/**
 * Compiles the schemas of an OpenAPI document whose references are resolved.
 *
 * @throws Error if a schema is invalid
 */
export function compileContract(document: unknown): Contract {
  // Strict mode rejects unknown keywords and types. The check against the meta-schema is skipped, as the linter in the
  // tests finds the same.
  const ajv = new Ajv2020({ allErrors: true, strict: true, validateSchema: false, passContext: true });
  addFormats.default(ajv);
  ajv.addKeyword({ keyword: INT64, type: 'number', error: { message: 'must be an int64' }, validate: isExactInt64 });
  const names = Object.keys(valueAt(document, '/components/schemas') ?? {});
  const validators = new Map(
    names.map((name) => [name, ajv.compile(withInt64Keyword(namedSchema(document, name)))] as const),
  );
  return {
    validate(schema, json) {
      const validate = validators.get(schema);
      if (validate === undefined) throw new Error(`The OpenAPI document has no schema ${schema}`);
      return validate.call(json, json.value) ? [] : describeFaults(validate.errors ?? [], json);
    },
  };
}

/** The contract of spec/openapi.yaml. */
export const CONTRACT: Contract = compileContract(DOCUMENT);

/**
 * Whether a number is an int64 by its digits. A double cannot distinguish 9223372036854775807 from …808, and the usual
 * `int64` format accepts both; so validators are called with the parsed JSON as their `this` (Ajv's `passContext`).
 */
function isExactInt64(this: Json, _schema: unknown, value: number, _parent?: unknown, at?: DataValidationCxt): boolean {
  // A value with a fraction already fails `type: integer`; one fault is enough.
  if (!Number.isInteger(value)) return true;
  const integer = integerOf(this, at?.instancePath ?? '', value);
  return integer !== undefined && isInt64(integer);
}

/** The schema with the keyword in place of every `format: int64`. */
function withInt64Keyword(schema: object): AnySchemaObject {
  return JSON.parse(JSON.stringify(schema), (_name, member: unknown) => {
    if (typeof member !== 'object' || member === null || !('format' in member) || member.format !== 'int64')
      return member;
    const { format: _format, ...others } = member;
    return { ...others, [INT64]: true };
  });
}
