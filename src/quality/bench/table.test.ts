import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PUBLISHED, README, readBench, withTable } from './publish.ts';
import { BENCH_FORMAT, type BenchResult, type Row, rowOf } from './result.ts';
import { benchTable } from './table.ts';

const sample = { wall: 3_000, processor: 5_000, peakBytes: 372e6, requests: 2_290, created: 348 };
const inside = (ms: number, processorAfterStart: number) => ({
  ...sample,
  processorAfterStart,
  phases: { start: 500, inside: ms, end: 100 },
});

const resultOf = (rows: readonly Row[], more: Partial<BenchResult> = {}): BenchResult => ({
  format: BENCH_FORMAT,
  suiteVersion: '1.0.0',
  measuredAt: '2026-11-22T10:00:00.000Z',
  machine: { cores: 2, model: 'A processor', memoryBytes: 8e9, platform: 'linux x64', node: 'v20.20.2' },
  method: '',
  runs: 5,
  seed: 1729,
  parts: ['a'],
  milliseconds: 600_000,
  rows,
  ...more,
});

describe('the table', () => {
  test('has a median in each cell, with the lowest and the highest where they differ', () => {
    const samples = [sample, { ...sample, wall: 2_950 }, { ...sample, wall: 3_400 }];
    expect(benchTable(resultOf([rowOf('a', 'standard', samples)]))).toContain(
      '| standard | 3.00 s (2.95–3.40) | 5.00 s | 372 MB | 2,290 | 348 |',
    );
  });

  test('compares a run with its floor round by round', () => {
    const rows = [
      rowOf('b', 'standard: run', [inside(1_000, 1_500), inside(3_000, 1_500)]),
      rowOf('b', 'standard: floor', [inside(500, 500), inside(1_000, 500)]),
    ];
    expect(benchTable(resultOf(rows))).toContain('| standard: **factor** | 2.5 (2.0–3.0) | 3.0 |');
  });

  test('says what a tool found, and why another could not be tried', () => {
    const tools = [
      { tool: 'Dredd 14.1.0', falseAlarms: ['x'], found: ['a', 'b'] },
      { tool: 'Portman 1.33.0', unavailable: 'not installed: ENOTFOUND', falseAlarms: [], found: [] },
    ];
    const table = benchTable(
      resultOf([rowOf('c', 'Dredd 14.1.0', [sample])], { comparison: { faults: ['a', 'b', 'c'], tools } }),
    );
    expect(table).toContain('faults found, of 3 | false alarms |');
    expect(table).toContain('| Dredd 14.1.0 | 3.00 s | 5.00 s | 2,290 | 2 | 1 |');
    expect(table).toContain('| Portman 1.33.0 | not installed: ENOTFOUND |');
  });

  test('says what has failed', () => {
    expect(benchTable(resultOf([rowOf('d', '120 ms', [], ['ended with exit code 3'])]))).toContain(
      '| standard, 120 ms | failed |',
    );
  });
});

describe('the README', () => {
  test('has the table of the published figures', () => {
    const readme = readFileSync(README, 'utf8');
    expect(readme, 'write it with: npm run bench -- --from src/quality/bench/published.json --publish').toBe(
      withTable(readme, benchTable(readBench(PUBLISHED))),
    );
  });

  test('without markers cannot be written', () => {
    expect(() => withTable('# Title', 'table')).toThrow('has lost its markers');
  });
});
