import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { PACKAGE_ROOT } from '../package.ts';
import { excerpt, printable } from '../text.ts';
import type { ListedFailure } from './baseline.ts';
import { codeOf, FileError } from './files.ts';
import { RESULT_FORMAT, type RunResult } from './result.ts';

const schemaOf = (name: 'conformance' | 'baseline'): AnySchemaObject =>
  JSON.parse(readFileSync(new URL(`spec/${name}.schema.json`, PACKAGE_ROOT), 'utf8'));

/** Validates an entry of a baseline, as `spec/baseline.schema.json` says; errors have the schema that they are about. */
export function entryValidator() {
  const { $defs } = schemaOf('baseline');
  return new Ajv2020({ strict: false, verbose: true }).compile<Omit<ListedFailure, 'line' | 'lastLine' | 'text'>>(
    $defs.entry,
  );
}

/** The first thing that is wrong, such as `/run/seed must be number`. */
function wrongIn({ errors }: ValidateFunction): string {
  const [{ instancePath, message } = { instancePath: '' }] = errors ?? [];
  return printable(excerpt(`${instancePath || '/'} ${message ?? 'is not valid'}`, 300));
}

/** Reads a conformance.json, by its path or that of its folder. @throws FileError if there is none, or it is damaged */
export async function readResult(given: string): Promise<RunResult> {
  const isFolder = (await stat(given).catch(() => undefined))?.isDirectory() === true;
  const path = isFolder ? join(given, 'conformance.json') : given;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const code = codeOf(cause);
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const what = isMissing ? `${given} holds no conformance.json` : `${path} cannot be read (${code})`;
    throw new FileError(`${what}; give that file or its folder`, { cause });
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
  const isResult: ValidateFunction<RunResult> = new Ajv2020({ strict: false }).compile<RunResult>(
    schemaOf('conformance'),
  );
  if (isResult(data)) return data;
  throw new FileError(`${path} does not match spec/conformance.schema.json: ${wrongIn(isResult)}; run the suite again`);
}
