/** The smallest case of the benchmark, once, with the real programs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { floorCases } from './cases.ts';

test('a run and its floor are measured, and send the same number of requests', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'petstore-bench-test-'));
  try {
    const [smoke] = floorCases({ seed: 1729, profiles: ['smoke'], scratch });
    const samples = (await smoke?.measure()) ?? [];
    expect(smoke?.rows).toEqual(['smoke: run', 'smoke: floor']);
    const recorded: unknown = JSON.parse(readFileSync(join(scratch, 'requests-smoke.json'), 'utf8'));
    expect(recorded).toHaveLength(samples[1]?.requests ?? 0);
    for (const { wall, processor, processorAfterStart, peakBytes, phases, requests, created } of samples) {
      expect(requests).toBeGreaterThan(500);
      expect(created).toBeGreaterThan(20);
      expect(peakBytes).toBeGreaterThan(20e6);
      expect(processor).toBeGreaterThan(processorAfterStart ?? Number.POSITIVE_INFINITY);
      expect(processorAfterStart).toBeGreaterThan(0);
      const { start, inside, end } = phases ?? { start: 0, inside: 0, end: 0 };
      expect(Math.min(start, inside, end)).toBeGreaterThan(0);
      expect(start + inside + end).toBeCloseTo(wall, 3);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
