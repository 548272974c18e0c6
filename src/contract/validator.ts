import { isDeepStrictEqual } from 'node:util';
import { compileFunction } from 'node:vm';
import type { ErrorObject } from 'ajv';
import * as formats from 'ajv-formats/dist/formats.js';
import { incomplete } from './contract-error.ts';
import { isInt64 } from './exact-integer.ts';
import { holdsPlainNumbers, integerOf, type Json } from './json.ts';
import { describeFaults, type SchemaFault } from './schema-fault.ts';

/** Compares JSON with one schema; returns no faults where it is valid. */
type Validator = (json: Json) => readonly SchemaFault[];

/** Schemas as Ajv has compiled them. */
export interface SchemaCode {
  /** The body of a CommonJS module that exports a function for each schema. */
  readonly code: string;
  /** The names of the functions, by the JSON pointer of the schema in the document. */
  readonly functions: Readonly<Record<string, string>>;
}

interface Compiled {
  (this: Json, value: unknown): boolean;
  readonly errors?: readonly ErrorObject[] | null;
}

/** What the code of schemas requires. */
export const INT64_MODULE = 'int64';

/** Everything else that it may require, by the keywords of the schemas: what Ajv's code for them calls. */
const MODULES: Readonly<Record<string, object>> = {
  [INT64_MODULE]: { isExactInt64 },
  'ajv/dist/runtime/equal': { default: isDeepStrictEqual },
  'ajv/dist/runtime/ucs2length': { default: (text: string) => [...text].length },
  'ajv-formats/dist/formats': formats,
};

/** The validators of compiled schemas, by JSON pointer. They throw a ContractError where there is no schema. */
export function validatorsOf({ code, functions }: SchemaCode): (pointer: string) => Validator {
  const exported: Record<string, Compiled> = {};
  const required = (id: string): object => {
    const module = MODULES[id];
    if (module === undefined) throw new Error(`the code of the schemas requires ${id}, which it is not given`);
    return module;
  };
  compileFunction(code, ['exports', 'require'])(exported, required);
  return (pointer) => {
    const validate = exported[functions[pointer] ?? ''];
    if (validate === undefined) throw incomplete(pointer, 'JSON schema');
    return (json) => (validate.call(json, json.value) ? [] : describeFaults(validate.errors ?? [], json));
  };
}

/** Whether a number at a JSON pointer is an int64, by its digits. */
export function isExactInt64(json: Json, value: number, pointer: string): boolean {
  // A value with a fraction already fails `type: integer`; one fault is enough.
  if (!Number.isInteger(value)) return true;
  if (holdsPlainNumbers(json)) return Number.isSafeInteger(value);
  const integer = integerOf(json, pointer, value);
  return integer !== undefined && isInt64(integer);
}
