import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { PACKAGE_ROOT } from '../package.ts';

/** A file that cannot be used; the message names it, what is wrong, and what to do. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: 'not-found' | 'not-usable' | 'not-written';

  constructor(code: FileError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The code of an error of the file system, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

const REASONS: readonly (readonly [of: RegExp, why: string])[] = [
  [/^(EEXIST|ENOTDIR)$/, 'part of the path is a file, not a folder'],
  [/^ENOENT$/, 'the folder does not exist any more'],
  [/^(EACCES|EPERM|EROFS)$/, 'writing is not permitted there'],
  [/^(ENOSPC|EDQUOT)$/, 'no space is left'],
];

/**
 * What an error of the file system means for a file that was to be written, in one line.
 * @param cannot what cannot be done, such as `Reports cannot be written to out`
 * @param another what to choose instead, such as `file`
 */
export function notWritten(cause: unknown, cannot: string, another: string): FileError {
  const code = codeOf(cause) ?? 'unknown error';
  const why = REASONS.find(([of]) => of.test(code))?.[1] ?? 'writing failed';
  const advice = why === 'no space is left' ? 'Free some space or choose' : 'Choose';
  return new FileError('not-written', `${cannot}: ${why} (${code}). ${advice} another ${another}.`, { cause });
}

/** As {@link notWritten}, of reports. */
export const reportError = (cause: unknown, path: string): FileError =>
  notWritten(cause, `Reports cannot be written to ${path}`, '--report-dir');

/** Writes one file as a whole or not at all. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** The validator of a schema in `spec/`, which is compiled at the first call and kept. */
export function schemaValidator<T>(file: string): () => ValidateFunction<T> {
  let compiled: ValidateFunction<T> | undefined;
  return () => {
    const text = (): string => readFileSync(new URL(`spec/${file}`, PACKAGE_ROOT), 'utf8');
    compiled ??= new Ajv2020({ strict: true }).compile<T>(JSON.parse(text()));
    return compiled;
  };
}
