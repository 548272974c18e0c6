import { describe, expect, test } from 'vitest';
import { recordOf } from '../../history/record-of.ts';
import type { RequirementStatus } from '../../model/result.ts';
import type { RunRecord } from '../../model/run-record.ts';
import { greenResult, HOSTILE, requirement, resultOf, viewed } from '../../sample.fixture.ts';
import { htmlReport } from './report.ts';

function run(day: number, ...statuses: readonly RequirementStatus[]): RunRecord {
  const rows = statuses.map((status, at) => requirement(`R-${at}`, { status }));
  const startedAt = new Date(Date.UTC(2026, 2, day, 10)).toISOString();
  const isRed = statuses.includes('violated');
  return recordOf(
    resultOf(rows, [], {
      run: { ...greenResult().run, startedAt },
      exitCode: isRed ? 1 : 0,
      verdict: isRed ? 'violations' : 'conforms',
    }),
  );
}

/** The section of a page whose history holds these runs; empty where there is none. */
const trendOf = (history: readonly RunRecord[]): string =>
  /<h2 id="trend">.*?<\/section>/s.exec(htmlReport(viewed(greenResult(), { history })))?.[0] ?? '';

const RUNS = [run(1, 'holds', 'holds'), run(2, 'holds', 'violated'), run(3, 'holds', 'not judged', 'untestable')];

describe('the trend', () => {
  test('is there where there is something to see', () => {
    expect(trendOf([])).toBe('');
    expect(trendOf(RUNS.slice(0, 1))).toBe('');
  });

  test('says in a sentence what changed', () => {
    expect(trendOf(RUNS)).toContain(
      '3 runs from 2026-03-01 to 2026-03-03, 1 without the verdict that it conforms. At first: 2 hold, 0 violated, 0 not judged. At last: 1 hold, 0 violated, 1 not judged.',
    );
  });

  test('has a row and a bar for each run, the last run first', () => {
    const rows = [...trendOf(RUNS).matchAll(/<tr><th scope="row">([^<]*)<.*?<\/tr>/gs)];
    expect(rows.map(([, began]) => began)).toEqual([
      '2026-03-03 10:00:00 UTC',
      '2026-03-02 10:00:00 UTC',
      '2026-03-01 10:00:00 UTC',
    ]);
    const bars = rows.map(([row]) =>
      [...row.matchAll(/<rect class="(\w+)" x="[\d.]+%" width="(\d+)\./g)].map(([, of, width]) => `${of} ${width}`),
    );
    expect(bars).toEqual([
      ['good 50', 'bad 0', 'unsure 50'],
      ['good 50', 'bad 50', 'unsure 0'],
      ['good 100', 'bad 0', 'unsure 0'],
    ]);
  });

  test('shows the last runs of many', () => {
    const many = trendOf(Array.from({ length: 500 }, (_, at) => run((at % 27) + 1, 'holds')));
    expect(many.match(/<tr><th scope="row">/g)).toHaveLength(60);
    expect(many).toContain('The last 60 of 500 are shown.');
  });

  test('escapes what a history holds', () => {
    const section = trendOf(RUNS.map((one) => ({ ...one, startedAt: HOSTILE })));
    expect(section).toContain('Trend');
    expect(section).not.toMatch(/<script|<img|\u001b/);
  });
});
