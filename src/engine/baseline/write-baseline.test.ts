import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../report/model/result.ts';
import { check, requirement, resultOf, violation } from '../../report/sample.fixture.ts';
import { parseCatalogue } from '../read-catalogue.ts';
import { parseBaseline } from './read-baseline.ts';
import { baselineOf, baselineText, changeText } from './write-baseline.ts';

const IDS = ['LIST-1', 'LIST-2', 'LIST-3', 'LIST-4'];
const catalogue = parseCatalogue(
  [{ part: '1', title: 'Lists', prefix: 'LIST' }],
  JSON.stringify(IDS.map((id) => ({ id, source: ['1'], kind: 'stated', says: 'So.' }))),
);
const checks = [...IDS.slice(0, 3), 'LIST-4.a', 'LIST-4.b'].map((id) => ({ id, requirement: id.slice(0, 6) }));
const read = (text: string) => parseBaseline(text, 'known', { catalogue, checks });

function resultWith(...failing: readonly string[]): RunResult {
  const failed = { kind: 'failed', violations: [violation({ message: 'It is "so"', code: 'wrong' })] } as const;
  const isFailing = (id: string): boolean => failing.some((one) => one.startsWith(id));
  return resultOf(
    IDS.map((id) => requirement(id, { status: isFailing(id) ? 'violated' : 'holds' })),
    checks.map(({ id }) => check(id, failing.includes(id) ? failed : { kind: 'passed' })),
  );
}

function written(result: RunResult, existing = '', format: 'yaml' | 'json' = 'yaml', given = {}) {
  const change = baselineOf(result, read(existing), given);
  return { text: baselineText(change, existing, format), told: changeText(change) };
}

describe('the baseline of a result', () => {
  test('has an entry a line for each check that fails, with what is wrong', () => {
    const { text, told } = written(resultWith('LIST-2', 'LIST-4.b'));
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      '- { requirement: LIST-2, reason: "It is \\"so\\" (wrong)", profile: standard, seed: 1729 }',
      '- { check: LIST-4.b, reason: "It is \\"so\\" (wrong)", profile: standard, seed: 1729 }',
      '',
    ]);
    expect(told).toBe('0 kept, 2 added, 0 removed');
    expect(read(text).map(({ reason }) => reason)).toEqual(['It is "so" (wrong)', 'It is "so" (wrong)']);
  });

  test('has the reason and the last day that are given', () => {
    const { text } = written(resultWith('LIST-2'), '', 'yaml', { reason: 'Ticket: 7', expires: '2026-12-31' });
    const run = { profile: 'standard', seed: 1729 };
    expect(read(text)).toMatchObject([{ requirement: 'LIST-2', reason: 'Ticket: 7', expires: '2026-12-31', ...run }]);
  });

  test('keeps entries, reasons and remarks as they stand, and drops what no longer fails', () => {
    const before = `# ours
- { requirement: LIST-1, reason: "Ticket 1" }   # soon
# the second
- requirement: LIST-2
  reason: Ticket 2
  expires: 2020-01-01
- LIST-3
`;
    const { text, told } = written(resultWith('LIST-2', 'LIST-3', 'LIST-4.a'), before);
    expect(text).toBe(`# ours
# the second
- requirement: LIST-2
  reason: Ticket 2
  expires: 2020-01-01
- LIST-3
- { check: LIST-4.a, reason: "It is \\"so\\" (wrong)", profile: standard, seed: 1729 }
`);
    expect(told).toBe('2 kept, 1 added, 1 removed (LIST-1)');
    expect(written(resultWith('LIST-2', 'LIST-3', 'LIST-4.a'), text)).toEqual({
      text,
      told: '3 kept, 0 added, 0 removed',
    });
    expect(read(written(resultWith(), before).text)).toEqual([]);
  });

  test('keeps what the run did not judge', () => {
    const result = resultWith();
    const unjudged = { ...result, checks: result.checks.filter(({ id }) => id !== 'LIST-4.b') };
    expect(written(unjudged, '- LIST-4\n- LIST-2\n').text).toBe('- LIST-4\n');
  });

  test.each(['LIST-1\nLIST-2\n', '["LIST-1", "LIST-2"]', '  - LIST-1\n  - LIST-2\n'])(
    'of %j becomes an entry a line',
    (before) => {
      const { text } = written(resultWith('LIST-2', 'LIST-3'), before);
      expect(text.split('\n').slice(-3)).toEqual(['- LIST-2', expect.stringContaining('LIST-3'), '']);
    },
  );

  test('in JSON is JSON', () => {
    const before = '["LIST-1", {"requirement": "LIST-2", "reason": "Ticket 2"}]';
    expect(JSON.parse(written(resultWith('LIST-2', 'LIST-3'), before, 'json').text)).toEqual([
      { requirement: 'LIST-2', reason: 'Ticket 2' },
      { requirement: 'LIST-3', reason: 'It is "so" (wrong)', profile: 'standard', seed: 1729 },
    ]);
    expect(written(resultWith(), before, 'json').text).toBe('[]\n');
    // An entry without a reason is an id.
    expect(JSON.parse(written(resultWith('LIST-1'), '["LIST-1"]', 'json').text)).toEqual(['LIST-1']);
  });
});
