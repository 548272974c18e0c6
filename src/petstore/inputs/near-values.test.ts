import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PET_STATUSES } from '../contract-facts.ts';
import { decorated } from './decorations.ts';
import {
  decoratedNumbers,
  inOtherCase,
  inOtherLetters,
  MARKS,
  mistyped,
  numbersInOtherWords,
  severalStatuses,
} from './near-values.ts';

const sample = (arbitrary: fc.Arbitrary<string>): readonly string[] =>
  fc.sample(arbitrary, { seed: 1729, numRuns: 1_000 });

test.each([
  ['with a mark', decorated(fc.constantFrom(...PET_STATUSES), MARKS)],
  ['mistyped', mistyped()],
  ['in other letters', inOtherLetters()],
  ['in other letter cases', inOtherCase()],
  ['with another one', severalStatuses()],
])('a status %s is none, and there are many', (_what, arbitrary) => {
  const drawn = sample(arbitrary);
  expect(drawn.filter((text) => PET_STATUSES.some((status) => status === text))).toEqual([]);
  expect(new Set(drawn).size).toBeGreaterThan(30);
});

test('a mark stands before, after, around and inside of a value', () => {
  const drawn = new Set(sample(decorated(fc.constant('sold'), ['-'])));
  expect(drawn).toEqual(new Set(['-sold', 'sold-', '-sold-', 's-old', 'so-ld', 'sol-d']));
});

test('numbers in other words are not in decimal digits alone', () => {
  const drawn = sample(numbersInOtherWords());
  expect(drawn.filter((text) => /^[0-9]+$/.test(text))).toEqual([]);
  expect(new Set([...drawn, ...sample(decoratedNumbers())]).size).toBeGreaterThan(500);
});
