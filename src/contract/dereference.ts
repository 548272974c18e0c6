import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { invalid } from './contract-error.ts';
import { CONTRACT_FILE } from './read-document.ts';

/** Reads and checks an OpenAPI document. Throws a {@link ContractError} of one line where it is broken. @returns the whole of it with every reference resolved */
export async function dereference(url: URL): Promise<unknown> {
  const file = fileURLToPath(url);
  try {
    // Only the file itself is read: a reference to another file or to the network is an error.
    const options = { resolve: { external: false }, dereference: { circular: false } };
    // The package's own document is validated by the tests: compiling OpenAPI's meta-schema takes long.
    if (url.href === CONTRACT_FILE.href) return await SwaggerParser.dereference(file, options);
    return await SwaggerParser.validate(file, options);
  } catch (error) {
    throw invalid(file, error);
  }
}
