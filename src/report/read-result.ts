import { readFile } from 'node:fs/promises';
import { codeOf, FileError, schemaValidator } from './files.ts';
import { RESULT_FORMAT, type RunResult } from './model/result.ts';
import { excerptText, printable } from './model/text.ts';

/** The validator of conformance.json. */
export const resultValidator = schemaValidator<RunResult>('conformance.schema.json');

const shown = (part: string, limit: number): string => printable(excerptText(part, limit));

/**
 * The result in a text. `path` is only for the messages.
 *
 * @throws FileError where it is not JSON, has another version of the format, or does not match the schema.
 */
export function parseResult(text: string, path: string): RunResult {
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const why = cause instanceof Error ? shown(cause.message, 200) : 'unknown';
    const message = `${path} is not JSON (${why}). It may be incomplete; run the suite again.`;
    throw new FileError('not-usable', message, { cause });
  }
  const format = typeof data === 'object' && data !== null && 'format' in data ? data.format : undefined;
  if (format !== RESULT_FORMAT) {
    const has = typeof format === 'string' ? `has the format "${shown(format, 60)}"` : 'names no format';
    const message = `${path} ${has}, and this suite reads "${RESULT_FORMAT}". Use a result written by this version.`;
    throw new FileError('not-usable', message);
  }
  const validate = resultValidator();
  if (validate(data)) return data;
  const error = validate.errors?.[0];
  const property: unknown = error?.params['additionalProperty'];
  const detail = typeof property === 'string' ? ` ("${property}")` : '';
  const where = shown(`${error?.instancePath || '/'} ${error?.message ?? 'is not valid'}${detail}`, 300);
  const message = `${path} does not match spec/conformance.schema.json: ${where}. It may have been edited; run the suite again.`;
  throw new FileError('not-usable', message);
}

/** Reads a conformance.json. @throws FileError where there is none, or it cannot be used */
export async function readResult(path: string): Promise<RunResult> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const message = `There is no result at ${path}. Give the path of a conformance.json written by a run.`;
      throw new FileError('not-found', message, { cause });
    }
    const isFolder = code === 'EISDIR';
    const why = isFolder ? 'it is a folder; name the conformance.json in it' : `reading failed (${code ?? cause})`;
    throw new FileError('not-usable', `The result ${path} cannot be read: ${why}.`, { cause });
  });
  return parseResult(text, path);
}
