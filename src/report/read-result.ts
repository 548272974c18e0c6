import { readFile } from 'node:fs/promises';
import { codeOf, FileError } from './files.ts';
import { RESULT_FORMAT, type RunResult } from './result.ts';
import { excerpt, printable } from './text.ts';

/** The compiled schema of a result, as Ajv makes it of spec/conformance.schema.json. */
interface ResultValidator {
  (data: unknown): data is RunResult;
  errors?: readonly { readonly instancePath: string; readonly message?: string | undefined }[] | null | undefined;
}

/** Reads a conformance.json. @throws FileError where there is none, or it cannot be used */
export async function readResult(path: string, isResult: ResultValidator): Promise<RunResult> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const code = codeOf(cause);
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const what = isMissing ? `There is no result at ${path}` : `The result ${path} cannot be read (${code})`;
    throw new FileError(`${what}; give the path of a conformance.json of a run`, { cause });
  });
  let data: unknown;
  try {
    data = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new FileError(`${path} is not JSON; it may be incomplete, so run the suite again`, { cause });
  }
  const format = typeof data === 'object' && data !== null && 'format' in data ? data.format : undefined;
  if (format !== RESULT_FORMAT) {
    const has = `has the format "${printable(excerpt(String(format), 60))}"`;
    throw new FileError(`${path} ${has}, and this suite reads "${RESULT_FORMAT}"; use a result of this version`);
  }
  if (isResult(data)) return data;
  const [{ instancePath, message } = { instancePath: '' }] = isResult.errors ?? [];
  const where = printable(excerpt(`${instancePath || '/'} ${message ?? 'is not valid'}`, 300));
  throw new FileError(`${path} does not match spec/conformance.schema.json: ${where}; run the suite again`);
}
