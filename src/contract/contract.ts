import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { ContractError, incomplete, invalid } from './contract-error.ts';
import { CONTRACT_FILE, listOperations } from './document.ts';
import type { Json } from './json.ts';
import { childPointer, valueAt } from './json-pointer.ts';
import type { SchemaFault } from './schema-fault.ts';
import { schemaCompiler, type Validator } from './validator.ts';

/** What the OpenAPI document says of requests and responses. */
export interface Contract {
  /** `info.version` of the document. */
  readonly version: string;
  /** Ids of the operations, in the order of the document. */
  readonly operations: readonly string[];
  /** Documented response statuses of an operation, ascending. */
  statuses(operation: string): readonly number[];
  /**
   * Compares a response body with the schema of an operation's status. Returns no faults where the body is valid and
   * where none is documented. Throws a {@link ContractError} where the operation does not document the status.
   */
  validateResponse(operation: string, status: number, json: Json): readonly SchemaFault[];
  /** Compares a request body with the schema of an operation's request body. */
  validateRequest(operation: string, json: Json): readonly SchemaFault[];
  /** Compares a value with a schema of `components/schemas`, which is compiled when first asked for. */
  validate(schema: string, json: Json): readonly SchemaFault[];
}

/** Compiles the schema at a JSON pointer of the document. */
type Compile = (pointer: string) => Validator;

interface OperationValidators {
  readonly pointer: string;
  /** By status. */
  readonly responses: ReadonlyMap<number, Validator>;
  readonly request: Validator | undefined;
}

/**
 * Reads and checks an OpenAPI document, `spec/openapi.yaml` by default, and compiles a validator for every body that
 * it documents. Throws a {@link ContractError} of one line where the document is broken.
 */
export async function loadContract(file: URL = CONTRACT_FILE): Promise<Contract> {
  const document = await dereference(fileURLToPath(file));
  const compileSchema = schemaCompiler();
  const compile: Compile = (pointer) => compileSchema(valueAt(document, pointer), pointer);
  const version = valueAt(document, '/info/version');
  if (typeof version !== 'string') throw incomplete('/info/version', 'version');
  const validators = new Map(
    listOperations(document).map(({ id, pointer }): [string, OperationValidators] => [
      id,
      {
        pointer,
        responses: compileResponses(document, pointer, compile),
        request: compileRequest(document, pointer, compile),
      },
    ]),
  );
  const operationOf = (id: string): OperationValidators => {
    const found = validators.get(id);
    if (found === undefined) throw incomplete('/paths', `operation ${id}`);
    return found;
  };

  return {
    version,
    operations: [...validators.keys()],
    statuses: (operation) => [...operationOf(operation).responses.keys()],
    validateResponse(operation, status, json) {
      const { responses } = operationOf(operation);
      const validate = responses.get(status);
      if (validate === undefined) {
        const documented = [...responses.keys()].join(', ');
        const message = `The OpenAPI document has no status ${status} for ${operation}; it has ${documented}.`;
        throw new ContractError('status-undocumented', message);
      }
      return validate(json);
    },
    validateRequest(operation, json) {
      const { request, pointer } = operationOf(operation);
      if (request === undefined) throw incomplete(childPointer(pointer, 'requestBody'), 'request body');
      return request(json);
    },
    validate: (schema, json) => compile(childPointer('/components/schemas', schema))(json),
  };
}

/** The whole document with every reference resolved. */
async function dereference(file: string): Promise<unknown> {
  try {
    // Only the file itself is read: a reference to another file or to the network is an error.
    return await SwaggerParser.validate(file, { resolve: { external: false }, dereference: { circular: false } });
  } catch (error) {
    throw invalid(file, error);
  }
}

function compileResponses(document: unknown, operation: string, compile: Compile): ReadonlyMap<number, Validator> {
  const pointer = childPointer(operation, 'responses');
  const statuses = Object.keys(valueAt(document, pointer) ?? {}).filter((key) => /^[1-5]\d\d$/.test(key));
  if (statuses.length === 0) throw incomplete(pointer, 'response with a status');
  return new Map(
    statuses.sort().map((status) => {
      const response = childPointer(pointer, status);
      const hasBody = valueAt(document, `${response}/content`) !== undefined;
      return [Number(status), hasBody ? compile(`${response}${JSON_SCHEMA}`) : () => []];
    }),
  );
}

function compileRequest(document: unknown, operation: string, compile: Compile): Validator | undefined {
  const body = childPointer(operation, 'requestBody');
  return valueAt(document, body) === undefined ? undefined : compile(`${body}${JSON_SCHEMA}`);
}

/** Where a request body or a response has the schema of its JSON. */
const JSON_SCHEMA = '/content/application~1json/schema';
