import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the tests of a file, removed after the last one. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}
