import { expect, test } from 'vitest';
import { Coverage } from './coverage.ts';
import { SpaceRow } from './request-space.ts';

const ROWS = ['00', '01', '10', '11'].map((row) => new SpaceRow({ limit: row[0] ?? '', status: row[1] ?? '' }, {}));

test('what several checks sent of one space is united, and told beside all that its rows could cover, in one order', () => {
  const coverage = new Coverage();
  expect(coverage.figures()).toEqual([]);
  coverage.note('list', 2, ROWS, ROWS.slice(0, 2));
  coverage.note('list', 2, ROWS, ROWS.slice(1, 3));
  coverage.note('get', 1, ROWS, ROWS.slice(0, 1));
  coverage.note('idle', 1, ROWS, []);
  expect(coverage.figures()).toEqual([
    { space: 'get', tuples: 'levels', covered: 2, possible: 4 },
    { space: 'idle', tuples: 'levels', covered: 0, possible: 4 },
    { space: 'list', tuples: 'pairs', covered: 3, possible: 4 },
  ]);
});
