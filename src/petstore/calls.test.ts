import { expect, test } from 'vitest';
import { getPet, hasLoosePiece, listPets, plainCall } from './calls.ts';
import { rightKey } from './inputs/credentials.ts';

const KEY = rightKey('key');

test.each([
  ['%36', '6'],
  ['%2B6', '+6'],
  ['6%2F%E4%BA%94', undefined],
  ['%EF%BC%96', undefined],
  ['%36%20x', '6%20x'],
  ['6%ZZ', undefined],
  ['6', undefined],
])('the petId %s in plain words is %s', (petId, plain) => {
  const path = plainCall(getPet(petId, KEY))?.request.path;
  expect(path).toBe(plain && `/pets/${plain}`);
});

test('a query in plain words encodes nothing that need not be', () => {
  const call = listPets({ status: 'sold', encode: (value) => value.replace('s', '%73') }, KEY);
  expect(call.request.path).toBe('/pets?status=%73old');
  expect(plainCall(call)?.request.path).toBe('/pets?status=sold');
});

test.each([
  [{}, '/pets'],
  [{ looseMark: 'behind' }, '/pets?'],
  [{ limit: 5, looseMark: 'behind' }, '/pets?limit=5&'],
  [{ limit: 5, looseMark: 'before' }, '/pets?&limit=5'],
  [{ limit: 5, status: 'sold', looseMark: 'between' }, '/pets?limit=5&&status=sold'],
  [{ limit: 5, status: 'sold', apart: true }, '/pets?limit=5&status=sold'],
  [{ limit: ['5', '7'], status: 'sold', apart: true }, '/pets?limit=5&status=sold&limit=7'],
  [{ limit: 5, status: ['sold', ''], apart: true }, '/pets?status=sold&limit=5&status='],
  [{ limit: ['5', '7'], status: ['sold', 'x'], statusFirst: true, apart: true }, '/pets?status=sold&limit=5&limit=7&status=x'],
] as const)('the query %j is written %s', (query, path) => {
  expect(listPets(query, KEY).request.path).toBe(path);
}); // biome-ignore format: one table

test('a loose & asks for nothing, and is no part of a parameter', () => {
  const call = listPets({ limit: 5, status: 'sold', looseMark: 'between' }, KEY);
  expect(call.asked).toEqual(listPets({ limit: 5, status: 'sold' }, KEY).asked);
  expect(call.description).toBe('listPets with limit=5 and status=sold and a loose &');
  expect([call, listPets({ looseMark: 'behind' }, KEY), listPets({ limit: 5 }, KEY)].map(hasLoosePiece)).toEqual([
    true,
    false,
    false,
  ]);
});
