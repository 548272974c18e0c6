import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { factsOf } from '../contract/document.ts';
import { readDocument } from '../contract/read-document.ts';
import { PACKAGE_ROOT } from '../package.ts';
import { contractFacts, LIMIT, PET_STATUSES, PETS_PATH, petPath } from './contract-facts.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petstore-contract-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function factsIn(document: string): ReturnType<typeof contractFacts> {
  const file = join(folder, 'openapi.yaml');
  writeFileSync(file, document);
  return contractFacts(factsOf(readDocument(pathToFileURL(file))));
}

const text = readFileSync(new URL('spec/openapi.yaml', PACKAGE_ROOT), 'utf8');

test('the bounds, statuses and paths are those of the specification', () => {
  expect(LIMIT).toEqual({ minimum: 1, maximum: 100, default: 20 });
  expect(PET_STATUSES).toEqual(['available', 'pending', 'sold']);
  expect(PETS_PATH).toBe('/pets');
  expect([petPath('42'), petPath('%20'), petPath('$&')]).toEqual(['/pets/42', '/pets/%20', '/pets/$&']);
});

test('another document gives other bounds and paths', () => {
  const other = text.replace('maximum: 100', 'maximum: 50').replaceAll('  /pets', '  /animals');
  const { limit, petsPath, petPath } = factsIn(other);
  expect([limit.maximum, petsPath, petPath('7')]).toEqual([50, '/animals', '/animals/7']);
});

test.each([
  [
    '[available, pending, sold]',
    '[available, sold]',
    /^spec\/openapi.yaml: PetStatus is \["available","sold"\]; the suite/,
  ],
  ['[available, pending, sold]', '[available, pending, sold, lost]', /PetStatus is .*"lost"/],
  ['enum: [available, pending, sold]', 'minLength: 1', /PetStatus is undefined/],
  ['maximum: 100', 'description: none', /the parameter limit has no maximum/],
  [
    'type: string\n        categoryId',
    'type: string\n          maxLength: 40\n        categoryId',
    /^spec\/openapi.yaml: NewPet.name has maxLength, which the bodies that the suite sends do not follow; take it out/,
  ],
  ['required: [name, categoryId]', 'required: [name, categoryId]\n      maxProperties: 9', /NewPet has maxProperties/],
  ['name: limit', 'name: size', /has no parameter limit at \/paths\/~1pets\/get/],
  ['operationId: getPet', 'operationId: readPet', /has no operation getPet/],
])('a document with %s changed to %s is an error', (before, after, message) => {
  expect(() => factsIn(text.replace(before, after))).toThrow(message);
});
