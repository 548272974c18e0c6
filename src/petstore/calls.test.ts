import { expect, test } from 'vitest';
import { createPet, getPet, hasLoosePiece, listPets, plainCall } from './calls.ts';
import { validBody } from './inputs/body.ts';
import { rightKey } from './inputs/credentials.ts';
import { inChunks } from './space/request-forms.ts';

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

test('a description says first what is unusual, and what a reader would not see', () => {
  const without = { ...KEY, valid: false, name: 'no Authorization header' };
  const form = inChunks({ name: 'with Accept: */*' });
  expect(createPet(validBody({ name: 'Rex', categoryId: 1n }), without, form).description).toBe(
    'createPet with a valid body, with no Authorization header, in chunks of 3 bytes, with Accept: */*',
  );
  expect(getPet('%D9%A1', KEY).description).toBe('getPet of %D9%A1 (digits of another script)');
  expect(listPets({ limit: '\u0665' }, KEY).description).toBe('listPets with limit=\u0665 (digits of another script)');
});
