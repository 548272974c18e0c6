import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainHere, newFolder } from '../run/run-in-process.fixture.ts';

test('faults --run --max-time tries what that time allows, and says that it is not all', async () => {
  const folder = newFolder();
  const few = ['--max-time', '1', '--jobs', '1', '--profile', 'smoke'];
  const { code, stdout } = await mainHere('faults', '--run', ...few, '--report-dir', folder);
  expect([0, 1]).toContain(code);
  expect(stdout).not.toContain('Coverage');
  const result: { complete: boolean; faults: unknown[]; variants: unknown[] } = JSON.parse(
    readFileSync(join(folder, 'faults.json'), 'utf8'),
  );
  expect(result.complete).toBe(false);
  expect(result.faults.length + result.variants.length).toBeGreaterThan(0);
  expect(result.faults.length + result.variants.length).toBeLessThan(20);
});

test('a name that is not known is refused with the nearest one', async () => {
  const { code, stderr } = await mainHere('faults', '--run', '--only', 'limit-ignord');
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean limit-ignored?')]);
});
