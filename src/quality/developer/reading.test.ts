import { expect, test } from 'vitest';
import { answering, check, resultWithCauses, violation } from '../../report/sample.fixture.ts';
import { chosenFrom } from '../sample.ts';
import { readingOf } from './reading.ts';

test('faults are chosen by the seed, one of each stretch of the list', () => {
  const faults = Array.from({ length: 100 }, (_, at) => at);
  const chosen = chosenFrom(faults, 10, 1);
  expect(chosen.map((at) => Math.floor(at / 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(chosenFrom(faults, 10, 1)).toEqual(chosen);
  expect(chosenFrom(faults, 10, 2)).not.toEqual(chosen);
  expect(chosenFrom(faults.slice(0, 3), 10, 1)).toEqual([0, 1, 2]);
});

test('a fault is understood where the first cause names its owner, and shows an answer that violates it', () => {
  const result = resultWithCauses('refused');
  const shown = check('CREATE-2', { kind: 'failed', violations: [violation({ exchanges: [answering('refused')] })] });
  const others = result.checks.filter(({ id }) => id !== 'CREATE-2');
  const readingFor = (owner: string) => readingOf('a-fault', owner, { ...result, checks: [shown, ...others] });
  expect(readingFor('CREATE-2')).toMatchObject({ isFound: true, isNamed: true, isShown: true });
  expect(readingFor('LIST-2')).toMatchObject({ isFound: true, isNamed: false });
  expect(readingFor('GET-1')).toMatchObject({ isFound: false, isNamed: false, isShown: false });
  expect(readingFor('CREATE-2').first).toBe('refused: CREATE-2, CREATE-5');
});
