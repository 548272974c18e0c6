/** The smallest case of the benchmark, once, with the real programs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../package.ts';
import { casesOf } from './cases.ts';

test('a run and its floor are measured', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'petstore-bench-test-'));
  try {
    const smoke = casesOf({ seed: 1729, scratch }).find(({ name }) => name === 'smoke, service in another process');
    const sample = await smoke?.measure(fileURLToPath(new URL('src/cli/petstore-conformance.mjs', PACKAGE_ROOT)));
    expect(sample?.requests).toBeGreaterThan(500);
    expect(sample?.created).toBeGreaterThan(20);
    expect(sample?.peak).toBeGreaterThan(20e6);
    expect(sample?.processor).toBeGreaterThan(0);
    expect(sample?.factor).toBeGreaterThan(1);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
