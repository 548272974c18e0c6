import { accessSync, constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from './errors.ts';
import { pathKind } from './path-kind.ts';
import { quoted } from './quoted.ts';

/** Checks that a folder can be written to, or made where it is not there yet. @throws UsageError */
export function writableFolder(option: string, path: string): string {
  const wrong = (what: string): UsageError =>
    new UsageError('value-invalid', `${option}: ${quoted(path)} ${what}; name a folder that can be written to`);
  if (path.trim() === '') throw wrong('is no name of a folder');
  let place = resolve(path);
  for (let kind = pathKind(place); kind !== 'folder'; kind = pathKind(place)) {
    if (kind === 'file') throw wrong(place === resolve(path) ? 'is a file' : 'lies within a file');
    if (dirname(place) === place) break;
    place = dirname(place);
  }
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw wrong('cannot be written to');
  }
  return path;
}
