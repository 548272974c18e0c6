import { expect, test } from 'vitest';
import { ALL_FORMS_OF_A_GET, eachHeaderOf, FORMS_OF_A_GET } from './request-forms.ts';

const headersOf = (forms: typeof FORMS_OF_A_GET): readonly string[] =>
  forms.flatMap(({ headers = [] }) => headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`));

const keyHeadersOf = (forms: typeof FORMS_OF_A_GET): readonly string[] =>
  forms.flatMap(({ keyHeader }) => keyHeader ?? []);

test('the forms together carry every header of the single forms, once', () => {
  const together = headersOf(ALL_FORMS_OF_A_GET.filter(({ withoutUserAgent }) => withoutUserAgent !== true));
  expect(together.toSorted()).toEqual([...new Set(headersOf(FORMS_OF_A_GET))].toSorted());
  expect(keyHeadersOf(ALL_FORMS_OF_A_GET)).toEqual(keyHeadersOf(FORMS_OF_A_GET));
  expect(ALL_FORMS_OF_A_GET.filter(({ withoutUserAgent }) => withoutUserAgent)).toHaveLength(1);
});

test('they are few, and none has two values of one header', () => {
  expect(ALL_FORMS_OF_A_GET.length).toBeLessThan(FORMS_OF_A_GET.length / 5);
  for (const { name, headers = [] } of ALL_FORMS_OF_A_GET) {
    const names = headers.map(([header]) => header.toLowerCase());
    expect(new Set(names).size, name).toBe(names.length);
  }
});

test('the parts of a form are its headers and the header of its key, each alone', () => {
  const form = { name: 'two', headers: [['Origin', 'null'], ['Pragma', 'no-cache']], keyHeader: 'AUTHORIZATION' } as const; // biome-ignore format: one line
  expect(eachHeaderOf(form).map(({ headers = [], keyHeader }) => [...headers.flat(), keyHeader ?? ''])).toEqual([
    ['Origin', 'null', ''],
    ['Pragma', 'no-cache', ''],
    ['AUTHORIZATION'],
  ]);
});
