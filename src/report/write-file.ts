import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that could not be written, and why. What to do about it is for the caller to say, who knows what it is. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: 'file-dir' | 'file-not-writable' | 'file-no-space' | 'file-write';
  /** Such as `no space is left (ENOSPC)`. */
  readonly why: string;

  constructor(code: FileError['code'], path: string, why: string, options?: ErrorOptions) {
    super(`${path} cannot be written: ${why}`, options);
    this.code = code;
    this.why = why;
  }
}

const REASONS: readonly { readonly code: FileError['code']; readonly of: RegExp; readonly why: string }[] = [
  { code: 'file-dir', of: /^(EEXIST|ENOTDIR)$/, why: 'part of the path is a file, not a folder' },
  { code: 'file-dir', of: /^ENOENT$/, why: 'the folder does not exist any more' },
  { code: 'file-not-writable', of: /^(EACCES|EPERM|EROFS)$/, why: 'writing is not permitted there' },
  { code: 'file-no-space', of: /^(ENOSPC|EDQUOT)$/, why: 'no space is left' },
];

/** What an error of the file system means for a file. */
export function fileError(cause: unknown, path: string): FileError {
  if (cause instanceof FileError) return cause;
  const name = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  const reason = REASONS.find(({ of }) => of.test(name));
  const { code, why } = reason ?? ({ code: 'file-write', why: 'writing failed' } as const);
  return new FileError(code, path, `${why} (${name})`, { cause });
}

/** The first step to take, in words that `another …` continues. */
export const adviceOn = ({ code }: FileError): string =>
  code === 'file-no-space' ? 'Free some space or choose' : 'Choose';

/**
 * Writes one file as a whole or not at all.
 *
 * @returns its size in bytes
 * @throws FileError where it cannot be written
 */
export async function writeAtomically(dir: string, name: string, text: string): Promise<number> {
  const temporary = join(dir, `.${name}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, join(dir, name));
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError(cause, join(dir, name));
  }
  return Buffer.byteLength(text);
}
