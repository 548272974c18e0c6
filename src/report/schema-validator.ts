import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { PACKAGE_ROOT } from '../package.ts';

/** The validator of a schema in `spec/`, which is compiled at the first call and kept. */
export function schemaValidator<T>(file: string): () => ValidateFunction<T> {
  let compiled: ValidateFunction<T> | undefined;
  return () => {
    const text = (): string => readFileSync(new URL(`spec/${file}`, PACKAGE_ROOT), 'utf8');
    compiled ??= new Ajv2020({ strict: true }).compile<T>(JSON.parse(text()));
    return compiled;
  };
}
