import { describe, expect, test } from 'vitest';
import { processorSince, usageOf } from './usage.ts';

describe('what a command used', () => {
  test('is the time of all its processes, and the memory of the largest', () => {
    const usage = usageOf([
      { kind: 'process', processorMs: 300, peakBytes: 50 },
      { kind: 'process', processorMs: 1_000, peakBytes: 400 },
    ]);
    expect(usage).toEqual({ processor: 1_300, peakBytes: 400, connections: [] });
  });

  test('is unknown where no process came to its end', () => {
    expect(usageOf([{ kind: 'connection', at: 5, processorMs: 100 }])).toBeUndefined();
  });
});

describe('the processor time from a moment on', () => {
  const usage = usageOf([
    { kind: 'connection', at: 2_000, processorMs: 700 },
    { kind: 'connection', at: 1_000, processorMs: 400 },
    { kind: 'connection', at: 2_500, processorMs: 800 },
    { kind: 'process', processorMs: 3_000, peakBytes: 1 },
  ]);

  test('begins with the last connection before it, in whatever order they were written down', () => {
    expect(usage && processorSince(2_100, usage)).toBe(2_300);
  });

  test('is unknown before the first connection', () => {
    expect(usage && processorSince(500, usage)).toBeUndefined();
  });
});
