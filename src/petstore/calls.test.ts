import { expect, test } from 'vitest';
import { createPet, getPet, hasUnknownPiece, listPets } from './calls.ts';
import { validBody } from './inputs/body.ts';
import { rightKey } from './inputs/credential.ts';
import { inChunks } from './space/request-forms.ts';

const KEY = rightKey('key');

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
  expect([call, listPets({ looseMark: 'behind' }, KEY), listPets({ limit: 5 }, KEY)].map(hasUnknownPiece)).toEqual([
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
