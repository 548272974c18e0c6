import { fileURLToPath } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OperationId } from '../report/model/result.ts';
import type { ReadJson } from './exact-json.ts';
import { addInt64Keyword, withInt64Keyword } from './int64-keyword.ts';
import { childPointer, valueAt } from './json-pointer.ts';
import { type BodyShape, describeFaults, type SchemaFault } from './schema-fault.ts';

export type { FaultSubject, SchemaFault } from './schema-fault.ts';

/** The interface description as the checks use it: which statuses there are, and what each body must look like. */
export interface Contract {
  /** `info.version` of the description (part 9, rule 2). */
  readonly version: string;
  /** The statuses that part 4 documents for an operation, in ascending order. */
  statuses(operation: OperationId): readonly number[];
  /**
   * Compares a body with the schema of an operation's status (parts 2 and 4); empty where it fits.
   * Throws a {@link ContractError} where the status is not documented for the operation.
   */
  validate(operation: OperationId, status: number, reading: ReadJson): readonly SchemaFault[];
  /** Compares a body with the Error schema (parts 2 and 7), whatever the status that it came with. */
  validateError(reading: ReadJson): readonly SchemaFault[];
  /** Compares a request body, as it is to be sent, with the NewPet schema (part 2). */
  validateNewPet(reading: ReadJson): readonly SchemaFault[];
}

export type ContractErrorCode =
  /** The file cannot be read, is not YAML, or is not a valid OpenAPI document. */
  | 'contract-invalid'
  /** It is valid but lacks something that the suite needs. */
  | 'contract-incomplete'
  /** A schema in it is one that Ajv refuses. */
  | 'contract-schema'
  /** A status was asked for that the description does not have. */
  | 'status-undocumented';

/** The interface description is broken or lacks what was asked of it: a fault of the suite, never of a service. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ContractErrorCode;

  constructor(code: ContractErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Where each operation stands in the description. */
const OPERATIONS: Readonly<Record<OperationId, string>> = {
  listPets: '/paths/~1pets/get',
  createPet: '/paths/~1pets/post',
  getPet: '/paths/~1pets~1{petId}/get',
};

const CONTRACT_FILE = new URL('../../spec/openapi.yaml', import.meta.url);

type BodyValidator = (reading: ReadJson) => readonly SchemaFault[];

/**
 * Reads and checks `spec/openapi.yaml` (or another file) and compiles a validator for every documented body.
 * Throws a {@link ContractError} with one clear line where the description is broken.
 */
export async function loadContract(file: URL = CONTRACT_FILE): Promise<Contract> {
  const document = await readDescription(file);
  const compile = compiler();
  const responses = {
    listPets: compileResponses(document, 'listPets', compile),
    createPet: compileResponses(document, 'createPet', compile),
    getPet: compileResponses(document, 'getPet', compile),
  };
  const validateError = compile(document, '/components/schemas/Error', 'error');
  const validateNewPet = compile(
    document,
    `${OPERATIONS.createPet}/requestBody/content/application~1json/schema`,
    'newPet',
  );
  const version = valueAt(document, '/info/version');
  if (typeof version !== 'string') throw incomplete('/info/version', 'a version');

  return {
    version,
    statuses: (operation) => [...responses[operation].keys()],
    validate(operation, status, reading) {
      const validator = responses[operation].get(status);
      if (validator === undefined) {
        const known = [...responses[operation].keys()].join(', ');
        throw new ContractError(
          'status-undocumented',
          `The interface description has no status ${status} for ${operation}; it has ${known}.`,
        );
      }
      return validator(reading);
    },
    validateError,
    validateNewPet,
  };
}

/** The whole document with every reference resolved. */
async function readDescription(file: URL): Promise<unknown> {
  try {
    // Only the file itself is read: a reference to another file or to the network is an error.
    return await SwaggerParser.validate(fileURLToPath(file), {
      resolve: { external: false },
      dereference: { circular: false },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ContractError('contract-invalid', `The interface description is broken: ${oneLine(reason, file)}`, {
      cause: error,
    });
  }
}

function oneLine(text: string, file: URL): string {
  return text.replaceAll(fileURLToPath(file), 'the file').replace(/\s+/g, ' ').trim();
}

type Compile = (document: unknown, pointer: string, shape: BodyShape) => BodyValidator;

/** A compiler that compiles each schema once, however many responses share it. */
function compiler(): Compile {
  // Strict mode refuses unknown keywords and types. Ajv's further check against the meta-schema would add some 20 ms
  // to every start and finds only what the linter in the tests finds too, so it is left out.
  const ajv = new Ajv2020({ allErrors: true, strict: true, validateSchema: false, passContext: true });
  // Any standard format that the description names is judged; int64 has a keyword of its own, which is exact.
  addFormats.default(ajv);
  addInt64Keyword(ajv);
  const compiled = new Map<object, ValidateFunction>();
  return (document, pointer, shape) => {
    const schema = valueAt(document, pointer);
    if (typeof schema !== 'object' || schema === null) throw incomplete(pointer, 'a JSON schema');
    let validate = compiled.get(schema);
    if (validate === undefined) {
      validate = compileSchema(ajv, schema, pointer);
      compiled.set(schema, validate);
    }
    const compiledValidate = validate;
    return (reading) =>
      compiledValidate.call(reading, reading.value)
        ? []
        : describeFaults(compiledValidate.errors ?? [], reading, shape);
  };
}

function compileSchema(ajv: Ajv2020, schema: object, pointer: string): ValidateFunction {
  try {
    const exact = withInt64Keyword(schema);
    if (!isSchemaObject(exact)) throw new TypeError('a schema must be an object');
    return ajv.compile(exact);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ContractError(
      'contract-schema',
      `The interface description has a schema that cannot be used, at ${pointer}: ${reason}.`,
      { cause: error },
    );
  }
}

function isSchemaObject(schema: unknown): schema is AnySchemaObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

function compileResponses(
  document: unknown,
  operation: OperationId,
  compile: Compile,
): ReadonlyMap<number, BodyValidator> {
  const place = `${OPERATIONS[operation]}/responses`;
  const found = valueAt(document, place);
  const statuses = Object.keys(found ?? {}).filter((key) => /^[1-5]\d\d$/.test(key));
  if (statuses.length === 0) throw incomplete(place, 'a response with a status');
  return new Map(
    statuses.sort().map((key) => {
      const status = Number(key);
      const schema = `${childPointer(place, key)}/content/application~1json/schema`;
      return [status, compile(document, schema, shapeOf(operation, status))];
    }),
  );
}

/** Which shape of part 2 a documented body has (part 4). */
function shapeOf(operation: OperationId, status: number): BodyShape {
  if (status >= 400) return 'error';
  return operation === 'listPets' ? 'pets' : 'pet';
}

function incomplete(pointer: string, what: string): ContractError {
  return new ContractError('contract-incomplete', `The interface description lacks ${what} at ${pointer}.`);
}
