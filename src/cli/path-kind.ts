import { statSync } from 'node:fs';

/** What stands at a path; whatever cannot be looked at counts as missing. */
export function pathKind(path: string): 'folder' | 'file' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'missing';
  }
}
