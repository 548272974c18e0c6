import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { PACKAGE_ROOT } from '../package.ts';

const FILE = fileURLToPath(new URL('spec/openapi.yaml', PACKAGE_ROOT));

/** spec/openapi.yaml with every reference resolved. The tests validate it, as that takes long. */
export const DOCUMENT: unknown = await SwaggerParser.dereference(FILE, {
  resolve: { external: false },
  dereference: { circular: false },
});
