import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import { integerAt, isInt64, type ReadJson } from './exact-json.ts';

/** The keyword that stands for `format: int64` once a schema went through {@link withInt64Keyword}. */
export const INT64_KEYWORD = 'int64';

/**
 * Teaches Ajv to judge an int64 on its exact digits. A double cannot tell 9223372036854775807 from …808, and the
 * usual `int64` format lets both pass; so the validators are called with the reading as their `this`
 * (`validate.call(reading, reading.value)`, Ajv's option `passContext`), and the keyword asks it.
 */
export function addInt64Keyword(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: INT64_KEYWORD,
    type: 'number',
    schemaType: 'boolean',
    error: { message: 'must be int64' },
    validate(this: unknown, _schema: boolean, value: number, _parent?: unknown, place?: DataValidationCxt): boolean {
      // A value with a fraction is refused by `type: integer` already; one fault is enough.
      if (!Number.isInteger(value)) return true;
      if (!isReading(this) || place === undefined) {
        throw new TypeError('A validator with the int64 keyword must be called with the JSON reading as its `this`.');
      }
      const integer = integerAt(this, place.instancePath);
      return integer !== undefined && isInt64(integer);
    },
  });
}

/** A copy of a schema without references, in which the keyword replaces every `format: int64`. */
export function withInt64Keyword(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withInt64Keyword);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) =>
      name === 'format' && member === 'int64' ? [INT64_KEYWORD, true] : [name, withInt64Keyword(member)],
    ),
  );
}

function isReading(context: unknown): context is ReadJson {
  return typeof context === 'object' && context !== null && 'exact' in context && context.exact instanceof Map;
}
