import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse as parseYaml } from 'yaml';
import { PACKAGE_ROOT } from '../package.ts';
import { incomplete, invalid } from './contract-error.ts';
import { childPointer, valueAt } from './json-pointer.ts';

/** The OpenAPI document that is read by default. */
export const CONTRACT_FILE = new URL('spec/openapi.yaml', PACKAGE_ROOT);

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const;

/** An operation of the document. */
export interface Operation {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  /** As in the document, such as `/things/{thingId}`. */
  readonly path: string;
  readonly deprecated: boolean;
  /** JSON pointer of the operation in the document. */
  readonly pointer: string;
}

/** The bounds of a value, as far as its schema gives them. */
export interface JsonSchemaFacts {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  /** The strings of an enumeration. */
  readonly enum?: readonly string[];
}

/** Facts that an OpenAPI document states. Each method throws a {@link ContractError} where there is no such fact. */
export interface OpenApiDocument {
  operation(id: string): Operation;
  /** The schema of an operation's parameter. */
  parameter(operation: string, name: string): JsonSchemaFacts;
  /** A schema of `components/schemas`. */
  schema(name: string): JsonSchemaFacts;
  /** The names of all properties in `components/schemas`. */
  readonly propertyNames: ReadonlySet<string>;
}

/**
 * Reads facts out of an OpenAPI document, `spec/openapi.yaml` by default. Throws a {@link ContractError} where the
 * file is not one; all further checks are those of `loadContract`.
 */
export function readDocument(file: URL = CONTRACT_FILE): OpenApiDocument {
  const document = parseFile(fileURLToPath(file));
  const operations = new Map(listOperations(document).map((operation) => [operation.id, operation]));
  return {
    operation: (id) => ofOperation(operations, id),
    parameter(id, name) {
      const { path, pointer } = ofOperation(operations, id);
      // Parameters of the operation come before those of all operations on the path.
      const parameters = [pointer, childPointer('/paths', path)].flatMap((owner) => {
        const listed = valueAt(document, `${owner}/parameters`);
        return Array.isArray(listed) ? listed.map((parameter) => resolve(document, parameter)) : [];
      });
      const schema = parameters.find((parameter) => valueAt(parameter, '/name') === name);
      if (schema === undefined) throw incomplete(pointer, `parameter ${name}`);
      return factsOf(resolve(document, valueAt(schema, '/schema')), `${pointer}/parameters`);
    },
    schema(name) {
      const pointer = childPointer('/components/schemas', name);
      return factsOf(resolve(document, valueAt(document, pointer)), pointer);
    },
    propertyNames: new Set(propertyNames(valueAt(document, '/components/schemas'))),
  };
}

/** The operations of a parsed document in its order. Throws a {@link ContractError} where one has no id. */
export function listOperations(document: unknown): readonly Operation[] {
  return Object.entries(valueAt(document, '/paths') ?? {}).flatMap(([path, item]) =>
    Object.keys(item ?? {}).flatMap((key) => {
      const method = METHODS.find((known) => known.toLowerCase() === key);
      if (method === undefined) return [];
      const pointer = childPointer(childPointer('/paths', path), key);
      const id = valueAt(item, `/${key}/operationId`);
      if (typeof id !== 'string') throw incomplete(pointer, 'operationId');
      return [{ id, method, path, deprecated: valueAt(item, `/${key}/deprecated`) === true, pointer }];
    }),
  );
}

/** What a map has for an operation. Throws a {@link ContractError} where the document has no such operation. */
export function ofOperation<T>(map: ReadonlyMap<string, T>, id: string): T {
  const found = map.get(id);
  if (found === undefined) throw incomplete('/paths', `operation ${id}`);
  return found;
}

function parseFile(file: string): unknown {
  try {
    const document: unknown = parseYaml(readFileSync(file, 'utf8'));
    if (typeof valueAt(document, '/openapi') !== 'string') throw new Error('it does not say its `openapi` version');
    return document;
  } catch (error) {
    throw invalid(file, error);
  }
}

/** Follows references within the document. */
function resolve(document: unknown, value: unknown): unknown {
  const reference = valueAt(value, '/$ref');
  if (typeof reference !== 'string') return value;
  return resolve(document, reference.startsWith('#/') ? valueAt(document, reference.slice(1)) : undefined);
}

function factsOf(schema: unknown, pointer: string): JsonSchemaFacts {
  if (typeof schema !== 'object' || schema === null) throw incomplete(pointer, 'JSON schema');
  const members: Record<string, unknown> = { ...schema };
  const { type, format, minimum, maximum, default: preset, enum: values } = members;
  return {
    ...(typeof type === 'string' && { type }),
    ...(typeof format === 'string' && { format }),
    ...(typeof minimum === 'number' && { minimum }),
    ...(typeof maximum === 'number' && { maximum }),
    ...((typeof preset === 'string' || typeof preset === 'number' || typeof preset === 'boolean') && {
      default: preset,
    }),
    ...(Array.isArray(values) && { enum: values.filter((value) => typeof value === 'string') }),
  };
}

function propertyNames(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const nested = Object.values(schema).flatMap(propertyNames);
  return 'properties' in schema ? [...Object.keys(schema.properties ?? {}), ...nested] : nested;
}
