import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file that cannot be used; the message names it, what is wrong, and what to do. */
export class FileError extends Error {
  override readonly name = 'FileError';
}

/** The code of an error of the file system, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

const REASONS: readonly (readonly [of: RegExp, why: string])[] = [
  [/^(EEXIST|ENOTDIR)$/, 'part of the path is a file, not a folder'],
  [/^EISDIR$/, 'a folder has this name'],
  [/^ENOENT$/, 'the folder does not exist, or cannot be created'],
  [/^(EACCES|EPERM|EROFS)$/, 'writing is not permitted there'],
  [/^(ENOSPC|EDQUOT)$/, 'no space is left'],
  [/^ENAMETOOLONG$/, 'the name is too long'],
];

/** Why a file could not be written, from an error of the file system: `no space is left (ENOSPC)`. */
export function whyNotWritten(cause: unknown): string {
  const code = codeOf(cause) ?? (cause instanceof Error ? cause.message : 'unknown error');
  return `${REASONS.find(([of]) => of.test(code))?.[1] ?? 'writing failed'} (${code})`;
}

/** Where a file is written before it gets its name. */
export const temporaryFor = (path: string): string => join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);

/** Writes one file as a whole or not at all. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const temporary = temporaryFor(path);
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause;
  }
}
