import { incomplete } from './contract-error.ts';
import { childPointer, valueAt } from './json-pointer.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

export interface Operation {
  readonly id: string;
  /** As in the document, such as `/things/{thingId}`. */
  readonly path: string;
  /** JSON pointer of the operation in the document. */
  readonly pointer: string;
}

/** The keywords of a schema, as they stand in the document. */
export type JsonSchema = Readonly<
  Partial<Record<'type' | 'format' | 'minimum' | 'maximum' | 'default' | 'enum' | 'properties', unknown>>
>;

/** Facts that an OpenAPI document states. Each method throws a {@link ContractError} where there is no such fact. */
export interface OpenApiDocument {
  operation(id: string): Operation;
  /** The schema of an operation's parameter. */
  parameter(operation: string, name: string): JsonSchema;
  /** A schema of `components/schemas`. */
  schema(name: string): JsonSchema;
  /** A member of one of them, with its reference resolved. */
  member(schema: string, name: string): JsonSchema;
  /** The names of all properties in `components/schemas`. */
  readonly propertyNames: ReadonlySet<string>;
}

/** Reads facts out of a parsed OpenAPI document. What is wrong with it otherwise is for `readContract` to find. */
export function factsOf(document: unknown): OpenApiDocument {
  const operations = new Map(listOperations(document).map((operation) => [operation.id, operation]));
  const schemaOf = (value: unknown, pointer: string): JsonSchema => {
    const schema = resolve(document, value);
    if (typeof schema !== 'object' || schema === null) throw incomplete(pointer, 'JSON schema');
    return schema;
  };
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
      return schemaOf(valueAt(schema, '/schema'), `${pointer}/parameters`);
    },
    schema(name) {
      const pointer = schemaPointer(name);
      return schemaOf(valueAt(document, pointer), pointer);
    },
    member(schema, name) {
      const pointer = `${schemaPointer(schema)}/properties/${name}`;
      return schemaOf(valueAt(document, pointer), pointer);
    },
    propertyNames: new Set(propertyNames(valueAt(document, '/components/schemas'))),
  };
}

/** The operations of a parsed document in its order. Throws a {@link ContractError} where one has no id. */
export function listOperations(document: unknown): readonly Operation[] {
  return Object.entries(valueAt(document, '/paths') ?? {}).flatMap(([path, item]) =>
    Object.keys(item ?? {}).flatMap((key) => {
      if (!METHODS.has(key)) return [];
      const pointer = childPointer(childPointer('/paths', path), key);
      const id = valueAt(item, `/${key}/operationId`);
      if (typeof id !== 'string') throw incomplete(pointer, 'operationId');
      return { id, path, pointer };
    }),
  );
}

/** The bodies that an operation documents, each by the JSON pointer of its schema. */
interface OperationBodies {
  readonly request: string | undefined;
  /** By status, ascending; undefined for a response without a body. */
  readonly responses: ReadonlyMap<number, string | undefined>;
}

/**
 * The bodies of the operation at a JSON pointer, in a document whose references are resolved.
 * Throws a {@link ContractError} where no status is documented.
 */
export function bodiesOf(document: unknown, { pointer }: Pick<Operation, 'pointer'>): OperationBodies {
  const has = (place: string): boolean => valueAt(document, place) !== undefined;
  const schemaOf = (owner: string): string => `${owner}/content/application~1json/schema`;
  const responses = `${pointer}/responses`;
  const statuses = Object.keys(valueAt(document, responses) ?? {}).filter((key) => /^[1-5]\d\d$/.test(key));
  if (statuses.length === 0) throw incomplete(responses, 'response with a status');
  const documented = statuses.sort().map((status): [number, string | undefined] => {
    const response = `${responses}/${status}`;
    return [Number(status), has(`${response}/content`) ? schemaOf(response) : undefined];
  });
  const request = `${pointer}/requestBody`;
  return { request: has(request) ? schemaOf(request) : undefined, responses: new Map(documented) };
}

/** The JSON pointers of all schemas that bodies are compared with, and of those in `components/schemas`. */
export function schemaPointers(document: unknown): readonly string[] {
  const ofBodies = listOperations(document).flatMap((operation) => {
    const { request, responses } = bodiesOf(document, operation);
    return [request, ...responses.values()].filter((pointer) => pointer !== undefined);
  });
  const named = Object.keys(valueAt(document, '/components/schemas') ?? {}).map(schemaPointer);
  return [...ofBodies, ...named];
}

/** The JSON pointer of a schema in `components/schemas`. */
export const schemaPointer = (name: string): string => childPointer('/components/schemas', name);

/** What a map has for an operation. Throws a {@link ContractError} where the document has no such operation. */
export function ofOperation<T>(map: ReadonlyMap<string, T>, id: string): T {
  const found = map.get(id);
  if (found === undefined) throw incomplete('/paths', `operation ${id}`);
  return found;
}

/** Follows references within the document. */
function resolve(document: unknown, value: unknown): unknown {
  const reference = valueAt(value, '/$ref');
  if (typeof reference !== 'string') return value;
  return resolve(document, reference.startsWith('#/') ? valueAt(document, reference.slice(1)) : undefined);
}

function propertyNames(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const nested = Object.values(schema).flatMap(propertyNames);
  return 'properties' in schema ? [...Object.keys(schema.properties ?? {}), ...nested] : nested;
}
