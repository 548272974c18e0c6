import { expect, test } from 'vitest';
import type { Case } from './cases.ts';
import { takeTurns } from './measure.ts';

const sampleOf = (wall: number) => ({ wall, processor: 1, peakBytes: 1 });

test('cases take turns; the first round only warms up, and a failure costs only its own sample', async () => {
  const order: string[] = [];
  const counting = (name: string, failsAt?: number): Case => {
    let round = 0;
    return {
      part: 'd',
      rows: [name],
      measure: async () => {
        order.push(name);
        round += 1;
        if (round === failsAt) throw new Error('it has failed');
        return [sampleOf(round)];
      },
    };
  };
  const rows = await takeTurns([counting('one'), counting('other', 2)], { runs: 2, onProgress: () => {} });
  expect(order).toEqual(['one', 'other', 'one', 'other', 'one', 'other']);
  expect(rows.map(({ samples }) => samples.map(({ wall }) => wall))).toEqual([[2, 3], [3]]);
  expect(rows.map(({ failures }) => failures)).toEqual([[], ['it has failed']]);
});

test('a case with several rows gives each its own samples', async () => {
  const pair: Case = { part: 'b', rows: ['run', 'floor'], measure: async () => [sampleOf(9), sampleOf(3)] };
  const rows = await takeTurns([pair], { runs: 1, onProgress: () => {} });
  expect(rows.map(({ name, samples }) => [name, samples[0]?.wall])).toEqual([
    ['run', 9],
    ['floor', 3],
  ]);
});
