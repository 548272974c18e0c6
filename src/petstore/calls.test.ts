import { expect, test } from 'vitest';
import { getPet, listPets, plainCall } from './calls.ts';
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
