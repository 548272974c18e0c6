import { ContractError, incomplete } from './contract-error.ts';
import { DEREFERENCED } from './document.prebuilt.ts';
import { listOperations, ofOperation } from './document.ts';
import type { Json } from './json.ts';
import { childPointer, valueAt } from './json-pointer.ts';
import type { SchemaFault } from './schema-fault.ts';
import { schemaCompiler, type Validator } from './validator.ts';

/** What the OpenAPI document says of requests and responses. Asked for what it lacks, it throws a ContractError. */
export interface Contract {
  /** Ids of the operations, in the order of the document. */
  readonly operations: readonly string[];
  /** Documented response statuses of an operation, ascending. */
  statuses(operation: string): readonly number[];
  /** Returns no faults where the body is valid, or where the status has no documented body. */
  validateResponse(operation: string, status: number, json: Json): readonly SchemaFault[];
  validateRequest(operation: string, json: Json): readonly SchemaFault[];
  /** Compares a value with a schema of `components/schemas`, which is compiled when first asked for. */
  validate(schema: string, json: Json): readonly SchemaFault[];
}

/**
 * Reads and checks an OpenAPI document, `spec/openapi.yaml` by default, and compiles a validator for every body that
 * it documents. Throws a {@link ContractError} of one line where the document is broken.
 */
export async function loadContract(file?: URL): Promise<Contract> {
  const document = file === undefined ? DEREFERENCED : await (await import('./dereference.ts')).dereference(file);
  const compile = schemaCompiler(document);
  const validators = new Map(
    listOperations(document).map(({ id, pointer }) => [id, compileBodies(document, pointer, compile)]),
  );
  return {
    operations: [...validators.keys()],
    statuses: (operation) => [...ofOperation(validators, operation).responses.keys()],
    validateResponse(operation, status, json) {
      const { responses } = ofOperation(validators, operation);
      const validate = responses.get(status);
      if (validate === undefined) {
        const documented = [...responses.keys()].join(', ');
        const message = `The OpenAPI document has no status ${status} for ${operation}; it has ${documented}.`;
        throw new ContractError('status-undocumented', message);
      }
      return validate(json);
    },
    validateRequest: (operation, json) => ofOperation(validators, operation).request(json),
    validate: (schema, json) => compile(childPointer('/components/schemas', schema))(json),
  };
}

/** Compiles the schemas of the operation at a JSON pointer; the responses by status, ascending. */
function compileBodies(document: unknown, operation: string, compile: (pointer: string) => Validator) {
  const jsonOf = (owner: string): Validator => compile(`${owner}/content/application~1json/schema`);
  const has = (pointer: string): boolean => valueAt(document, pointer) !== undefined;
  const request = `${operation}/requestBody`;
  const noRequest: Validator = () => {
    throw incomplete(request, 'request body');
  };
  const pointer = `${operation}/responses`;
  const statuses = Object.keys(valueAt(document, pointer) ?? {}).filter((key) => /^[1-5]\d\d$/.test(key));
  if (statuses.length === 0) throw incomplete(pointer, 'response with a status');
  const responses = new Map<number, Validator>();
  for (const status of statuses.sort()) {
    const response = `${pointer}/${status}`;
    responses.set(Number(status), has(`${response}/content`) ? jsonOf(response) : () => []);
  }
  return { request: has(request) ? jsonOf(request) : noRequest, responses };
}
