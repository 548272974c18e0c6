import { describe, expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { recordOf } from '../../history/record-of.ts';
import type { RequirementStatus } from '../../model/result.ts';
import type { RunRecord } from '../../model/run-record.ts';
import { CONTEXT, greenResult, HOSTILE, requirement, resultOf } from '../../sample.fixture.ts';
import { trendSection, trendSvg } from './trend.ts';

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

const sectionOf = (history: readonly RunRecord[] | undefined) => trendSection(greenResult(), { ...CONTEXT, history });

const RUNS = [run(1, 'holds', 'holds'), run(2, 'holds', 'violated'), run(3, 'holds', 'not judged', 'untestable')];

describe('trendSvg', () => {
  const { markup } = trendSvg(RUNS);

  test('is a drawing with a bar a run, as high as there are requirements', () => {
    expect(create(markup).root().node.nodeName).toBe('svg');
    expect(markup.match(/<g>/g)).toHaveLength(3);
    const heights = [
      ...markup.matchAll(/class="(good|bad|unsure)" x="[\d.]+%" y="[\d.]+" width="[\d.]+%" height="([\d.]+)"/g),
    ].map(([, color, height]) => [color, height]);
    expect(heights).toEqual([
      ['good', '140.0'],
      ['good', '70.0'],
      ['bad', '70.0'],
      ['good', '70.0'],
      ['unsure', '70.0'],
    ]);
  });

  test('says in text what it shows', () => {
    expect(markup).toMatch(/role="img" aria-labelledby="trend-title trend-text"/);
    expect(markup).toContain(
      '3 runs from 2026-03-01 to 2026-03-03, 1 without the verdict that it conforms. At first: 2 hold, 0 violated, 0 not judged. At last: 1 hold, 0 violated, 1 not judged.',
    );
    expect(markup).toContain(
      '<title>2026-03-02T10:00:00.000Z: 1 hold, 1 violated, 0 not judged (standard, seed 1729)</title>',
    );
  });

  test('draws the last runs of many, and nothing outside of itself', () => {
    const many = trendSvg(Array.from({ length: 500 }, (_, at) => run((at % 27) + 1, 'holds'))).markup;
    expect(many.match(/<g>/g)).toHaveLength(60);
    for (const [, x = '', width = ''] of many.matchAll(
      /<rect class="good" x="([\d.-]+)%" y="[\d.]+" width="([\d.]+)%"/g,
    )) {
      expect(Number(x)).toBeGreaterThanOrEqual(0);
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(100);
    }
  });

  test.each([[[]], [[run(1)]]])('of hardly anything is a drawing too', (runs) => {
    expect(create(trendSvg(runs).markup).root().node.nodeName).toBe('svg');
    expect(trendSvg(runs).markup).not.toMatch(/NaN|Infinity/);
  });
});

describe('trendSection', () => {
  test('is there where there is something to see', () => {
    expect(sectionOf(undefined)).toBeUndefined();
    expect(sectionOf(RUNS.slice(0, 1))).toBeUndefined();
    const section = sectionOf(RUNS);
    expect(section).toMatchObject({ id: 'trend', heading: 'Trend' });
    const { markup = '' } = section?.content ?? {};
    // The last run comes first.
    expect([...markup.matchAll(/<th scope="row">([^<]*)</g)].map(([, began]) => began)).toEqual([
      '2026-03-03 10:00:00 UTC',
      '2026-03-02 10:00:00 UTC',
      '2026-03-01 10:00:00 UTC',
    ]);
  });

  test('escapes what a history holds', () => {
    const hostile = RUNS.map((one) => ({ ...one, startedAt: HOSTILE }));
    expect(sectionOf(hostile)?.content.markup).not.toMatch(/<script|<img|\u001b/);
  });
});
