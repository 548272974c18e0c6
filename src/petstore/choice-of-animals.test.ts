import { expect, test } from 'vitest';
import { ofMostTraits, spreadOver } from './choice-of-animals.ts';

const named = (...names: readonly string[]) => names.map((name) => ({ name, categoryId: 1n, status: 'sold' }));
const namesOf = (animals: readonly { readonly name: string }[]): readonly string[] => animals.map(({ name }) => name);

test('those with most that was not seen come first, whatever their order', () => {
  const animals = named('Rex', "Rex's", 'Rex <b>"&"</b>', 'Rex & Max');
  const expected = ['Rex <b>"&"</b>', "Rex's"];
  expect(namesOf(ofMostTraits(animals, 2))).toEqual(expected);
  expect(namesOf(ofMostTraits(animals.toReversed(), 2))).toEqual(expected);
});

test('a mark of ASCII counts for more than letters of other scripts, and a status and a category count too', () => {
  expect(namesOf(ofMostTraits(named('Рекс小犬', 'Rex\\'), 1))).toEqual(['Rex\\']);
  const animals = [
    { name: 'A', categoryId: 1n, status: 'sold' },
    { name: 'B', categoryId: 1n, status: 'sold' },
    { name: 'C', categoryId: 1n, status: 'pending' },
    { name: 'D', categoryId: -900n, status: 'sold' },
  ];
  expect(namesOf(ofMostTraits(animals, 3))).toEqual(['A', 'C', 'D']);
});

test('no more are chosen than there are', () => {
  expect(ofMostTraits(named('Rex', 'Max'), 5)).toHaveLength(2);
  expect(ofMostTraits([], 5)).toEqual([]);
});

test('others are taken at equal distances, by name', () => {
  expect(namesOf(spreadOver(named('d', 'b', 'a', 'c'), 2))).toEqual(['a', 'c']);
  expect(namesOf(spreadOver(named('b', 'a'), 5))).toEqual(['a', 'b']);
});
