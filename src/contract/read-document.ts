import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { PACKAGE_ROOT } from '../package.ts';
import { invalid } from './contract-error.ts';
import { valueAt } from './json-pointer.ts';

/** The OpenAPI document of the service. */
export const CONTRACT_FILE = new URL('spec/openapi.yaml', PACKAGE_ROOT);

/**
 * Parses an OpenAPI document. Throws a {@link ContractError} where the file is not one; all further checks are those of
 * `loadContract`.
 */
export function readDocument(url: URL): unknown {
  const file = fileURLToPath(url);
  try {
    const document: unknown = load(readFileSync(file, 'utf8'));
    if (typeof valueAt(document, '/openapi') !== 'string') throw new Error('it does not say its `openapi` version');
    return document;
  } catch (error) {
    throw invalid(file, error);
  }
}
