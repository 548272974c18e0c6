import { expect, test } from 'vitest';
import { check, requirement } from '../sample.fixture.ts';
import { FIRST_VIOLATION, firstViolation, firstViolationText } from './first-violation.ts';

const first = { check: 'R-1', requirement: 'R-1' };
const unjudged = (code: string) => ({ kind: 'inconclusive', code, reason: 'why', byOption: true }) as const;

test('counts what was not judged because the run had ended, and nothing else', () => {
  const rows = [
    requirement('R-1', { status: 'violated' }),
    // One of its checks was left out, and another judged it.
    requirement('R-2', { status: 'holds' }),
    requirement('R-3', { status: 'not judged', reason: 'why' }),
    requirement('R-4', { status: 'not judged', reason: 'why' }),
  ];
  const checks = [
    check('R-2', unjudged(FIRST_VIOLATION)),
    check('R-3', unjudged(FIRST_VIOLATION)),
    check('R-4', unjudged('read-only')),
  ];
  expect(firstViolation(first, rows, checks)).toEqual({ ...first, leftOut: 1 });
});

test('is told in one sentence', () => {
  const told = (leftOut: number): string => firstViolationText({ ...first, leftOut });
  expect(told(0)).toBe('The run ended at the first violation (--fail-fast).');
  expect(told(1)).toBe('The run ended at the first violation (--fail-fast); 1 requirement was not judged.');
  expect(told(78)).toBe('The run ended at the first violation (--fail-fast); 78 requirements were not judged.');
});
