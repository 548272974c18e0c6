import { describe, expect, test } from 'vitest';
import { assess } from './assess.ts';
import type { MutationResult } from './mutation-test.ts';

const resultOf = (check: string, parts: Partial<MutationResult> = {}): MutationResult => ({
  check,
  tried: 2,
  failing: 1,
  runs: 2,
  killed: [],
  survived: [],
  codes: [],
  ...parts,
});

const RESULTS: readonly MutationResult[] = [
  resultOf('LIST-1', { survived: [{ label: 'sends nothing', stillReports: 'page' }] }),
  resultOf('LIST-2', { survived: [{ label: 'ignores filter', stillReports: '' }] }),
  resultOf('LIST-3', { failing: 0 }),
];

describe('what mutation testing has found', () => {
  test('is told, each finding in a line, where nothing explains it', () => {
    expect(assess(RESULTS, ['strict'], [])).toEqual({
      unexplained: [
        'survived  LIST-1: the check that sends nothing; it still reports page',
        'survived  LIST-2: the check that ignores filter; no fault needs this expectation',
        'unproven  LIST-3: fails on none of 2 faults',
        "unused    strict: no fault of a check's own requirement leads to it",
      ],
      outdated: [],
      explained: 0,
    });
  });

  test('is not told where it is explained', () => {
    const of = ['LIST-1: the check that sends nothing', 'LIST-2: the check that ignores filter', 'LIST-3', 'strict'];
    expect(assess(RESULTS, ['strict'], [{ of, because: 'of a reason' }])).toEqual({
      unexplained: [],
      outdated: [],
      explained: 4,
    });
  });

  test('an explanation of what is not found is outdated, if it could have been found', () => {
    const of = ['LIST-1: the check that accepts any 2xx', 'LIST-9', 'strict'];
    const explanations = [{ of, because: 'of a reason' }];
    expect(assess([resultOf('LIST-1')], [], explanations).outdated).toEqual([
      'outdated  LIST-1: the check that accepts any 2xx: explained, but not found',
      'outdated  LIST-9: explained, but not found',
      'outdated  strict: explained, but not found',
    ]);
    expect(assess([resultOf('LIST-1')], undefined, explanations).outdated).toEqual([
      'outdated  LIST-1: the check that accepts any 2xx: explained, but not found',
    ]);
  });
});
