import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { _, Name, not, strConcat } from 'ajv/dist/compile/codegen/index.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { ContractError, incomplete } from './contract-error.ts';
import { schemaPointers } from './document.ts';
import { valueAt } from './json-pointer.ts';
import { INT64_KEYWORD } from './schema-fault.ts';
import { INT64_MODULE, isExactInt64, type SchemaCode } from './validator.ts';

/**
 * Compiles every schema that a run needs, of a document whose references are resolved, to JavaScript. A schema that is
 * used in several places is compiled once.
 *
 * @throws ContractError where there is no schema, or no valid one
 */
export function compileSchemas(document: unknown): SchemaCode {
  // Strict mode refuses unknown keywords and types. Ajv's further check against the meta-schema finds only what the
  // linter in the tests finds too, so it is left out.
  const code = { source: true };
  const ajv = new Ajv2020({ allErrors: true, strict: true, validateSchema: false, passContext: true, code });
  addFormats.default(ajv);
  addInt64Keyword(ajv);
  const functions: Record<string, string> = {};
  const compiled = new Map<string, string>();
  for (const pointer of schemaPointers(document)) {
    const schema = valueAt(document, pointer);
    if (!isSchemaObject(schema)) throw incomplete(pointer, 'JSON schema');
    // In a document whose references are resolved, equal schemas need not be the same object.
    const text = JSON.stringify(schema);
    const name = compiled.get(text) ?? `schema${compiled.size}`;
    if (!compiled.has(text)) compile(ajv, name, withInt64Keyword(text), pointer);
    compiled.set(text, name);
    functions[pointer] = name;
  }
  const exported = [...compiled.values()].map((name) => [name, name] as const);
  return { code: standaloneCode.default(ajv, Object.fromEntries(exported)), functions };
}

function compile(ajv: Ajv2020, name: string, schema: AnySchemaObject, pointer: string): void {
  try {
    ajv.addSchema(schema, name).getSchema(name);
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
 * Teaches Ajv to validate an int64 on its exact digits. A double cannot distinguish 9223372036854775807 from …808, and the
 * usual `int64` format accepts both; so validators are called with the parsed JSON as their `this` (Ajv's option
 * `passContext`), and the keyword looks there.
 */
function addInt64Keyword(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: INT64_KEYWORD,
    type: 'number',
    schemaType: 'boolean',
    error: { message: 'must be an int64' },
    code(context) {
      const { gen, data, it } = context;
      const judge = gen.scopeValue('func', { ref: isExactInt64, code: _`require(${INT64_MODULE}).isExactInt64` });
      const place = strConcat(PLACE, it.errorPath);
      context.fail(not(_`${judge}(this, ${data}, ${place})`));
    },
  });
}

/** The parameter of Ajv's functions that holds the place of the value. */
const PLACE = new Name('instancePath');

/** The schema that is written there, in which the keyword replaces every `format: int64`. */
function withInt64Keyword(schema: string): AnySchemaObject {
  return JSON.parse(schema, (_name, member: unknown) => {
    if (!isSchemaObject(member) || member['format'] !== 'int64') return member;
    const { format: _format, ...others } = member;
    return { ...others, [INT64_KEYWORD]: true };
  });
}
