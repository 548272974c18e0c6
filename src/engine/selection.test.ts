import { expect, test } from 'vitest';
import { selectChecks } from './selection.ts';

const CHECKS = [
  'LIST-1',
  'LIST-2',
  'LIST-10',
  'CREATE-9',
  'CREATE-9.all',
  ...['AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5'].flatMap((id) => ['list', 'create', 'get'].map((one) => `${id}.${one}`)),
  'ERR-1',
  'ERR-2',
].map((id) => ({ id, requirement: id.split('.')[0] ?? id }));

const selected = (only: readonly string[], skip: readonly string[] = []): readonly string[] =>
  selectChecks(CHECKS, only, skip).map(({ id }) => id);

const idsOf = (requirement: string): readonly string[] =>
  CHECKS.filter((check) => check.requirement === requirement).map(({ id }) => id);

test('without a wish, all checks in the order of the specification', () => {
  expect(selected([])).toEqual(CHECKS.map(({ id }) => id));
});

test('a requirement stands for all of its checks, and for no other requirement that begins alike', () => {
  expect(selected(['AUTH-2'])).toEqual(['AUTH-2.list', 'AUTH-2.create', 'AUTH-2.get']);
  expect(selected(['LIST-1'])).toEqual(['LIST-1']);
  expect(selected(['CREATE-9'])).toEqual(idsOf('CREATE-9'));
});

test('one check by its whole id', () => {
  expect(selected(['AUTH-2.create'])).toEqual(['AUTH-2.create']);
  expect(selected(['AUTH-*.get'])).toEqual(['AUTH-2.get', 'AUTH-3.get', 'AUTH-4.get', 'AUTH-5.get']);
});

test('patterns, in any letter case, in the order of the specification whatever that of the wishes', () => {
  const errors = CHECKS.filter(({ requirement }) => requirement.startsWith('ERR-')).map(({ id }) => id);
  const lists = CHECKS.filter(({ requirement }) => requirement.startsWith('LIST-')).map(({ id }) => id);
  expect(selected(['err-*', 'List-*'])).toEqual([...lists, ...errors]);
  expect(selected(['*'])).toEqual(CHECKS.map(({ id }) => id));
});

test('what is skipped is skipped, though it was asked for', () => {
  expect(selected(['AUTH-*'], ['AUTH-2', 'AUTH-3.get'])).not.toContain('AUTH-3.get');
  expect(selected(['LIST-2'], ['LIST-*'])).toEqual([]);
  expect(selected([], ['*'])).toEqual([]);
});

test('no character of a pattern but * means anything', () => {
  for (const pattern of ['LIST.2', 'LIST-[12]', 'LIST-2|LIST-3', '.*', 'LIST-?', '(LIST-2)', 'LIST-2$', '\\']) {
    expect(selected([pattern]), pattern).toEqual([]);
  }
});
