import { readFile } from 'node:fs/promises';
import { RESULT_FORMAT, type RunResult } from './model/result.ts';
import { excerptText, printable } from './model/text.ts';
import { schemaValidator } from './schema-validator.ts';

/** A conformance.json that cannot be used; the message names the file, what is wrong, and what to do. */
export class ResultFileError extends Error {
  override readonly name = 'ResultFileError';
  readonly code: 'result-not-found' | 'result-not-readable' | 'result-not-json' | 'result-format' | 'result-invalid';

  constructor(code: ResultFileError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The validator of conformance.json. */
export const resultValidator = schemaValidator<RunResult>('conformance.schema.json');

/**
 * The result in a text. `path` is only for the messages.
 *
 * @throws ResultFileError where it is not JSON, has another version of the format, or does not match the schema.
 */
export function parseResult(text: string, path: string): RunResult {
  const shown = (part: string, limit: number) => printable(excerptText(part, limit));
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const why = cause instanceof Error ? shown(cause.message, 200) : 'unknown';
    const message = `${path} is not JSON (${why}). It may be incomplete; run the suite again.`;
    throw new ResultFileError('result-not-json', message, { cause });
  }
  const format = typeof data === 'object' && data !== null && 'format' in data ? data.format : undefined;
  if (format !== RESULT_FORMAT) {
    const has = typeof format === 'string' ? `has the format "${shown(format, 60)}"` : 'names no format';
    const message = `${path} ${has}, and this suite reads "${RESULT_FORMAT}". Use a result written by this version.`;
    throw new ResultFileError('result-format', message);
  }
  const validate = resultValidator();
  if (validate(data)) return data;
  const error = validate.errors?.[0];
  const property: unknown = error?.params['additionalProperty'];
  const detail = typeof property === 'string' ? ` ("${property}")` : '';
  const where = shown(`${error?.instancePath || '/'} ${error?.message ?? 'is not valid'}${detail}`, 300);
  const message = `${path} does not match spec/conformance.schema.json: ${where}. It may have been edited; run the suite again.`;
  throw new ResultFileError('result-invalid', message);
}

/**
 * Reads a conformance.json.
 *
 * @throws ResultFileError where there is none, or it cannot be used
 */
export async function readResult(path: string): Promise<RunResult> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const message = `There is no result at ${path}. Give the path of a conformance.json written by a run.`;
      throw new ResultFileError('result-not-found', message, { cause });
    }
    const failed = `reading failed (${String(code ?? cause)})`;
    const why = code === 'EISDIR' ? 'it is a folder; name the conformance.json in it' : failed;
    throw new ResultFileError('result-not-readable', `The result ${path} cannot be read: ${why}.`, { cause });
  });
  return parseResult(text, path);
}
