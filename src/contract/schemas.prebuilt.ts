import { DEREFERENCED } from './document.prebuilt.ts';
import { compileSchemas } from './schema-code.ts';
import type { SchemaCode } from './validator.ts';

/** The schemas of spec/openapi.yaml. */
export const SCHEMAS: SchemaCode = compileSchemas(DEREFERENCED);
