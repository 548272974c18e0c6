import { DOCUMENT } from './document.prebuilt.ts';
import { childPointer, valueAt } from './json-pointer.ts';

/** Facts from an OpenAPI document whose references are resolved. */

/** The keywords of a schema, as in the document. */
export type JsonSchema = Readonly<Partial<Record<'minimum' | 'maximum' | 'default' | 'enum' | 'properties', unknown>>>;

/**
 * The schema of an operation's parameter, which may be declared at the operation or at its path.
 *
 * @throws Error if there is none
 */
export function parameterSchema(document: unknown, operation: string, name: string): JsonSchema {
  const owners = Object.values(valueAt(document, '/paths') ?? {}).flatMap((path) =>
    Object.values(path ?? {}).flatMap((entry) => (valueAt(entry, '/operationId') === operation ? [entry, path] : [])),
  );
  const parameters = owners.flatMap((owner) => valueAt(owner, '/parameters') ?? []);
  const parameter = parameters.find((candidate) => valueAt(candidate, '/name') === name);
  return asSchema(valueAt(parameter, '/schema'), `the parameter ${name} of ${operation}`);
}

/**
 * A schema of `components/schemas`.
 *
 * @throws Error if there is none of this name
 */
export function namedSchema(document: unknown, name: string): JsonSchema {
  return asSchema(valueAt(document, childPointer('/components/schemas', name)), name);
}

function asSchema(value: unknown, owner: string): JsonSchema {
  if (typeof value !== 'object' || value === null) throw new Error(`The OpenAPI document has no schema of ${owner}`);
  return value;
}

function propertyNames(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const nested = Object.values(schema).flatMap(propertyNames);
  return 'properties' in schema ? [...Object.keys(schema.properties ?? {}), ...nested] : nested;
}

/** Every member that the contract names. */
export const MEMBER_NAMES: ReadonlySet<string> = new Set(propertyNames(valueAt(DOCUMENT, '/components/schemas')));
