import { expect, test } from 'vitest';
import { check, requirement } from '../sample.fixture.ts';
import { leftOpen, unjudgedSentence } from './verdict.ts';

const unjudged = (...reasons: readonly (string | undefined)[]) =>
  reasons.map((reason, at) => requirement(`R-${at}`, { status: 'not judged', reason }));
const sentence = (...reasons: readonly (string | undefined)[]) =>
  unjudgedSentence({ requirements: [requirement('R-9'), ...unjudged(...reasons)], checks: [] });

test('nothing is said where all was judged', () => {
  expect(sentence()).toBe('');
});

test('reasons are grouped, the most frequent first, without details and what would help', () => {
  expect(sentence('the run was interrupted')).toBe(' 1 requirement was not judged because the run was interrupted.');
  expect(sentence('the control failed (a; b)', 'the control failed (c)', 'it is late; wait')).toBe(
    ' 3 requirements were not judged: 2 because the control failed, 1 because it is late.',
  );
  expect(sentence(undefined)).toContain('no reason was recorded');
});

test('of many reasons a few are named, each at its beginning', () => {
  expect(sentence('a', 'b', 'c')).toContain('1 because a, 1 because b, 1 because c.');
  expect(sentence('a', 'b', 'c', 'd', 'd')).toContain(': 2 because d, 1 because a, 2 for 2 other reasons.');
  expect(sentence('x'.repeat(500))).toBe(` 1 requirement was not judged because ${'x'.repeat(80)}….`);
});

test('the violated requirements that stand in the way are the reason', () => {
  const blocked = (id: string, see: string) =>
    check(id, { kind: 'inconclusive', code: 'control-failed', reason: 'a', see, byOption: false });
  const checks = [blocked('R-0', 'SERV-5'), blocked('R-0', 'CREATE-16'), blocked('R-1', 'CREATE-6')];
  expect(unjudgedSentence({ requirements: unjudged('a', 'b'), checks })).toBe(
    ' 2 requirements were not judged: 1 because of SERV-5 and CREATE-16, 1 because of CREATE-6.',
  );
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
  expect(unjudgedSentence({ requirements, checks })).toBe(' 2 requirements were not judged: 1 because a, 1 because b.');
});
