type ContractErrorCode =
  /** The file cannot be read, is not YAML, or is not a valid OpenAPI document. */
  | 'contract-invalid'
  /** It is valid but lacks something that the suite needs. */
  | 'contract-incomplete'
  /** Ajv cannot compile a schema in it. */
  | 'contract-schema'
  /** The operation does not document the status that was asked for. */
  | 'status-undocumented';

/** The OpenAPI document is broken or lacks what was asked of it. The fault is the suite's, not the service's. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ContractErrorCode;

  constructor(code: ContractErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The error for a document that has no `what` at a JSON pointer. */
export function incomplete(pointer: string, what: string): ContractError {
  return new ContractError('contract-incomplete', `The OpenAPI document has no ${what} at ${pointer}.`);
}

/** The error for a file that cannot be read as an OpenAPI document. Names the reason in one line and no folder. */
export function invalid(file: string, cause: unknown): ContractError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const line = reason.replaceAll(file, 'the file').replace(/\s+/g, ' ').trim();
  return new ContractError('contract-invalid', `The OpenAPI document is broken: ${line}`, { cause });
}
