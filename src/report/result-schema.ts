import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { RunResult } from './model/result.ts';

const SCHEMA = new URL('../../spec/conformance.schema.json', import.meta.url);

let compiled: ValidateFunction<RunResult> | undefined;

/** The validator of conformance.json, compiled once from spec/conformance.schema.json. */
export function resultValidator(): ValidateFunction<RunResult> {
  if (compiled === undefined) {
    const schema: unknown = JSON.parse(readFileSync(SCHEMA, 'utf8'));
    if (typeof schema !== 'object' || schema === null) throw new Error('spec/conformance.schema.json is not a schema.');
    compiled = new Ajv2020({ strict: true }).compile<RunResult>(schema);
  }
  return compiled;
}
