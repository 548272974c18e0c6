import { readFileSync } from 'node:fs';
import { UsageError } from './errors.ts';
import { quoted } from './quoted.ts';

/**
 * The text of a file that an option names.
 * @param shown how a message names the file
 * @throws UsageError where it cannot be read
 */
export function readFileOf(option: string, path: string, shown = `the file ${quoted(path)}`): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError('file-unreadable', `${option}: ${shown} cannot be read: ${reasonOf(error)}`);
  }
}

/** Checks that a file that an option names is there and can be read. @throws UsageError */
export function readablePath(option: string, path: string): string {
  readFileOf(option, path);
  return path;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is none of that name'],
  ['ENOTDIR', 'there is none of that name'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
]);

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
  return REASONS.get(code) ?? `the system says ${code}`;
}
