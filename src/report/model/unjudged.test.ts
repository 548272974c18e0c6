import { expect, test } from 'vitest';
import { check, requirement } from '../sample.fixture.ts';
import { leftOpen, unjudgedSentence } from './unjudged.ts';

const unjudged = (...reasons: readonly (string | undefined)[]) =>
  reasons.map((reason, at) => requirement(`R-${at}`, { status: 'not judged', reason }));
const sentence = (...reasons: readonly (string | undefined)[]) =>
  unjudgedSentence({ requirements: [requirement('R-9'), ...unjudged(...reasons)], checks: [] });

test('nothing is said where all was judged', () => {
  expect(sentence()).toBe('');
});

test('reasons are grouped, the most frequent first, without what would help', () => {
  expect(sentence('throttled')).toBe(' 1 requirement was not judged: throttled.');
  expect(sentence('the budget is used up; raise it', 'the budget is used up; wait')).toBe(
    ' 2 requirements were not judged: the budget is used up.',
  );
  expect(sentence('a', 'b', 'b.')).toBe(' 3 requirements were not judged: 2 (b), 1 (a).');
  expect(sentence(undefined)).toContain('no reason was recorded');
});

test('a few reasons are named, each at its beginning', () => {
  expect(sentence('a', 'b', 'c')).toContain('1 (a), 1 (b), 1 (c).');
  expect(sentence('a', 'b', 'c', 'd', 'd')).toContain(': 2 (d), 1 (a), 2 for 2 other reasons.');
  expect(sentence('x'.repeat(500))).toBe(` 1 requirement was not judged: ${'x'.repeat(80)}….`);
});

test('what an option left out is not left open, and what --fail-fast left out is told elsewhere', () => {
  const requirements = unjudged('a', 'b', 'c');
  const outcome = { kind: 'inconclusive', reason: 'a' } as const;
  const checks = [
    check('R-0', { ...outcome, code: 'read-only', byOption: true }),
    check('R-1', { ...outcome, code: 'throttled', byOption: false }),
    check('R-2', { ...outcome, code: 'first-violation', byOption: true }),
  ];
  expect(leftOpen({ requirements, checks }).map(({ id }) => id)).toEqual(['R-1']);
  expect(unjudgedSentence({ requirements, checks })).toBe(' 2 requirements were not judged: 1 (a), 1 (b).');
});
