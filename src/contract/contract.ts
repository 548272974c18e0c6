import { ContractError, incomplete } from './contract-error.ts';
import { DEREFERENCED } from './document.prebuilt.ts';
import { bodiesOf, listOperations, ofOperation, schemaPointer } from './document.ts';
import type { Json } from './json.ts';
import type { SchemaFault } from './schema-fault.ts';
import { SCHEMAS } from './schemas.prebuilt.ts';
import { validatorsOf } from './validator.ts';

/** What the OpenAPI document says of requests and responses. Asked for what it lacks, it throws a ContractError. */
export interface Contract {
  /** Ids of the operations, in the order of the document. */
  readonly operations: readonly string[];
  /** Documented response statuses of an operation, ascending. */
  statuses(operation: string): readonly number[];
  /** Returns no faults where the body is valid, or where the status has no documented body. */
  validateResponse(operation: string, status: number, json: Json): readonly SchemaFault[];
  validateRequest(operation: string, json: Json): readonly SchemaFault[];
  /** Compares a value with a schema of `components/schemas`. */
  validate(schema: string, json: Json): readonly SchemaFault[];
}

/**
 * Reads and checks an OpenAPI document, and compiles its schemas; by default spec/openapi.yaml, with which that was done
 * when the suite was built. Throws a {@link ContractError} of one line where the document is broken.
 */
export async function loadContract(file?: URL): Promise<Contract> {
  const { document, schemas } = file === undefined ? { document: DEREFERENCED, schemas: SCHEMAS } : await read(file);
  const validatorAt = validatorsOf(schemas);
  const operations = new Map(
    listOperations(document).map((operation) => [
      operation.id,
      { pointer: operation.pointer, ...bodiesOf(document, operation) },
    ]),
  );
  return {
    operations: [...operations.keys()],
    statuses: (operation) => [...ofOperation(operations, operation).responses.keys()],
    validateResponse(operation, status, json) {
      const { responses } = ofOperation(operations, operation);
      const schema = responses.get(status);
      if (schema !== undefined) return validatorAt(schema)(json);
      if (responses.has(status)) return [];
      const documented = [...responses.keys()].join(', ');
      const message = `The OpenAPI document has no status ${status} for ${operation}; it has ${documented}.`;
      throw new ContractError('status-undocumented', message);
    },
    validateRequest(operation, json) {
      const { pointer, request } = ofOperation(operations, operation);
      if (request === undefined) throw incomplete(`${pointer}/requestBody`, 'request body');
      return validatorAt(request)(json);
    },
    validate: (schema, json) => validatorAt(schemaPointer(schema))(json),
  };
}

/** What is read and compiled where a document is needed takes a while to load. */
async function read(file: URL) {
  const [{ dereference }, { compileSchemas }] = await Promise.all([
    import('./dereference.ts'),
    import('./schema-code.ts'),
  ]);
  const document = await dereference(file);
  return { document, schemas: compileSchemas(document) };
}
