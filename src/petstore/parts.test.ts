import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsOf } from '../engine/request-space.ts';
import { createPet, getPet, listPets, type PetCall } from './calls.ts';
import { validBody } from './inputs/body.ts';
import { rightKey } from './inputs/credential.ts';
import { everyCredential } from './inputs/credentials.ts';
import { partsOf } from './parts.ts';
import { callWith, credentialFor, KEY_REQUESTS } from './space/keys.ts';
import { LIST_QUERIES } from './space/list-queries.ts';

const TOKEN = 'key';
const KEY = rightKey(TOKEN);
const told = (call: PetCall): readonly string[] => partsOf(call, TOKEN).map(({ description }) => description);

test.each([
  ['%36', '6'],
  ['%2B6', '+6'],
  ['6%2F%E4%BA%94', undefined],
  ['%EF%BC%96', undefined],
  ['%36%20x', '6%20x'],
  ['6%ZZ', undefined],
  ['6', undefined],
])('the petId %s in plain words is %s', (petId, plain) => {
  const [part] = partsOf(getPet(petId, KEY), TOKEN);
  expect(part?.request.path).toBe(plain && `/pets/${plain}`);
});

test('a query in plain words encodes nothing that need not be', () => {
  const [part] = partsOf(listPets({ status: 'sold', values: { status: 'the first character' } }, KEY), TOKEN);
  expect(part?.request.path).toBe('/pets?status=sold');
});

test('of a request with several unusual things, each is a part, and the plain request is one', () => {
  const form = {
    name: 'with two headers',
    headers: [
      ['Accept', '*/*'],
      ['Pragma', 'no-cache'],
    ] as const,
  };
  expect(told(getPet('%36', KEY, form))).toEqual([
    'getPet of 6',
    'getPet of %36',
    'getPet of 6, with Accept: */*',
    'getPet of 6, with Pragma: no-cache',
  ]); // biome-ignore format: one table
});

test('of a request with a wrong key, the same request with the right key is a part', () => {
  const [wrong = KEY] = everyCredential(TOKEN).filter(({ requirement }) => requirement === 'AUTH-3');
  expect(partsOf(listPets({ limit: 100 }, wrong), TOKEN)).toEqual([listPets({ limit: 100 }, KEY)]);
});

test('of a key in many places, each place is a part', () => {
  const many = everyCredential('Key-7').find(({ parts = [] }) => parts.length > 1) ?? KEY;
  expect(many.parts?.length).toBeGreaterThan(1);
  expect(partsOf(listPets({}, many), TOKEN).map(({ credential }) => credential.name)).toEqual([
    ...(many.parts ?? []).map(({ name }) => name),
    'the right key',
  ]);
});

test('of a body with several unusual values, each is a part, and so is a plain body that is sent as it was', () => {
  const named = (name: string) => validBody({ name, categoryId: 1n }, 'RES-6', name);
  const body = { ...named('both'), parts: [named('one'), named('other')], plain: named('plain') };
  expect(told(createPet(body, KEY))).toEqual(['createPet with one', 'createPet with other']);
  const form = { name: 'without Accept', headers: [] };
  expect(told(createPet(body, KEY, form)).at(-1)).toBe('createPet with plain, without Accept');
});

test('no part leads back to what it is a part of', () => {
  const subjects = { id: 7n, aPet: () => ({ name: 'Rex', categoryId: 1n }) };
  const first = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed: 1, numRuns: 1 });
  const calls = [
    ...rowsOf(LIST_QUERIES, 'standard', 1).flatMap((row) =>
      first(LIST_QUERIES.sample(row)).map(({ query, form }) => listPets(query, KEY, form)),
    ),
    ...rowsOf(KEY_REQUESTS, 'standard', 1).flatMap((row) =>
      first(KEY_REQUESTS.sample(row)).map(({ call, credential, form }) =>
        callWith(call, credentialFor(credential, 'Key-7'), subjects, form),
      ),
    ),
  ];
  const leadsBack = (call: PetCall, within: readonly string[]): boolean =>
    within.includes(call.equivalence) ||
    partsOf(call, TOKEN).some((part) => leadsBack(part, [...within, call.equivalence]));
  expect(calls.filter((call) => leadsBack(call, [])).map(({ description }) => description)).toEqual([]);
  expect(calls.filter((call) => partsOf(call, TOKEN).length > 0).length).toBeGreaterThan(100);
});
