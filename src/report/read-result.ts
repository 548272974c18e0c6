import { readFile } from 'node:fs/promises';
import { excerptText } from './formats/excerpt.ts';
import { printable } from './formats/printable.ts';
import { RESULT_FORMAT, type RunResult } from './model/result.ts';
import { resultValidator } from './result-schema.ts';

export type ResultFileCode =
  | 'result-not-found'
  | 'result-not-readable'
  | 'result-not-json'
  | 'result-format'
  | 'result-invalid';

/** A conformance.json that cannot be used; the message names the file, what is wrong, and what to do. */
export class ResultFileError extends Error {
  readonly code: ResultFileCode;
  readonly path: string;

  constructor(code: ResultFileCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ResultFileError';
    this.code = code;
    this.path = path;
  }
}

function unreadable(path: string, cause: unknown): ResultFileError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const message = `There is no result at ${path}. Give the path of a conformance.json that a run wrote.`;
    return new ResultFileError('result-not-found', path, message, { cause });
  }
  const why =
    code === 'EISDIR' ? 'it is a folder; name the conformance.json in it' : `reading failed (${String(code ?? cause)})`;
  return new ResultFileError('result-not-readable', path, `The result ${path} cannot be read: ${why}.`, { cause });
}

/**
 * The result in a text. `path` is only for the messages.
 *
 * @throws ResultFileError where it is no JSON, of another version of the format, or not as the schema says.
 */
export function parseResult(text: string, path: string): RunResult {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const why = cause instanceof Error ? printable(excerptText(cause.message, 200)) : 'unknown';
    const message = `${path} is not JSON (${why}). It may have been cut off; write it again with a run.`;
    throw new ResultFileError('result-not-json', path, message, { cause });
  }
  const format = typeof data === 'object' && data !== null && 'format' in data ? data.format : undefined;
  if (format !== RESULT_FORMAT) {
    const has =
      typeof format === 'string' ? `has the format "${printable(excerptText(format, 60))}"` : 'names no format';
    const message = `${path} ${has}, and this suite reads "${RESULT_FORMAT}". Use a result that this version wrote.`;
    throw new ResultFileError('result-format', path, message);
  }
  const validate = resultValidator();
  if (validate(data)) return data;
  const error = validate.errors?.[0];
  const property: unknown = error?.params['additionalProperty'];
  const detail = typeof property === 'string' ? ` ("${property}")` : '';
  const where = printable(
    excerptText(`${error?.instancePath || '/'} ${error?.message ?? 'is not valid'}${detail}`, 300),
  );
  const message = `${path} does not fit spec/conformance.schema.json: ${where}. It may have been edited; write it again with a run.`;
  throw new ResultFileError('result-invalid', path, message);
}

/**
 * Reads a conformance.json.
 *
 * @throws ResultFileError where there is none, or it cannot be used.
 */
export async function readResult(path: string): Promise<RunResult> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return parseResult(text, path);
}
