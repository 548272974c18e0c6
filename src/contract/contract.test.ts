import { describe, expect, it } from 'vitest';
import { CONTRACT, compileContract } from './contract.ts';
import { type Json, readJson } from './json.ts';
import type { SchemaFault } from './schema-fault.ts';

function json(text: string): Json {
  const parsed = readJson(new TextEncoder().encode(text));
  if (parsed.kind !== 'json') throw new Error(parsed.sentence);
  return parsed;
}

const faultsOf = (schema: string, text: string): readonly SchemaFault[] => CONTRACT.validate(schema, json(text));
const pointersOf = (schema: string, text: string): readonly string[] =>
  faultsOf(schema, text).map(({ pointer }) => pointer);

const pet = (over: string): string => `{"id": 1, "name": "Rex", "categoryId": 2, "status": "sold"${over}}`;

describe('valid bodies', () => {
  it.each([
    ['Pets', '[]'],
    ['Pets', `[${pet('')}, ${pet(', "born": 2020')}]`],
    ['Pet', '{"id": 1.0, "name": "", "categoryId": 1e3}'],
    ['Pet', pet('')],
    ['NewPet', '{"name": "Rex", "categoryId": 1, "id": "x"}'],
    ['Error', '{"code": "", "message": "", "status": 404, "hint": null}'],
  ] as const)('%s %s', (schema, text) => {
    expect(faultsOf(schema, text)).toEqual([]);
  });
});

describe('invalid bodies', () => {
  it.each([
    ['{}', '', 'the body is an object, not an array'],
    ['[7]', '/0', 'the first entry is 7, not an object'],
    ['[{"id": 1, "categoryId": 2}]', '/0/name', 'the first entry has no `name`'],
    ['[{"id": 1, "name": null, "categoryId": 2}]', '/0/name', '`name` of the first entry is null, not a string'],
    [
      '[{"id": "1", "name": "a", "categoryId": 2}]',
      '/0/id',
      '`id` of the first entry is the string "1", not an integer',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 1.5}]',
      '/0/categoryId',
      '`categoryId` of the first entry is 1.5, not an integer',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 9223372036854775808}]',
      '/0/categoryId',
      '`categoryId` of the first entry is 9223372036854775808, not an int64',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 2, "status": "Sold"}]',
      '/0/status',
      '`status` of the first entry is "Sold", not one of "available", "pending", "sold"',
    ],
    [
      '[{"id": 1, "name": "a", "categoryId": 2, "status": null}]',
      '/0/status',
      '`status` of the first entry is null, not a string',
    ],
  ])('Pets %s', (text, pointer, message) => {
    expect(faultsOf('Pets', text)).toMatchObject([{ pointer, message }]);
  });

  it('every fault of a body is named', () => {
    expect([...pointersOf('Pet', '{"id": null, "status": 3}')].sort()).toEqual([
      '/categoryId',
      '/id',
      '/name',
      '/status',
    ]);
    const page = faultsOf('Pets', `[${pet('')}, {"name": 1}]`);
    expect(page.map((fault) => fault.message)).toContain('the second entry has no `id`');
    expect(page).toHaveLength(3);
  });

  it('errors have the Error shape', () => {
    expect(pointersOf('Error', '{"code": 1, "message": "no", "status": "401"}')).toEqual(['/code', '/status']);
    expect(pointersOf('Error', '{"code": "a", "message": "b"}')).toEqual(['/status']);
    expect(pointersOf('Error', '[]')).toEqual(['']);
  });

  it('bodies of requests have the NewPet shape', () => {
    expect(pointersOf('NewPet', '{"name": "Rex"}')).toEqual(['/categoryId']);
    expect(pointersOf('NewPet', '"Rex"')).toEqual(['']);
  });

  it('a schema that the document does not have is an error of the caller', () => {
    expect(() => faultsOf('Animal', '{}')).toThrow(new Error('The OpenAPI document has no schema Animal'));
  });
});

describe('other documents', () => {
  const compiled = (schema: object) => compileContract({ components: { schemas: { Code: schema } } });

  it.each([
    ['a length', { maxLength: 2 }, 'must NOT have more than 2 characters'],
    ['a format', { format: 'date' }, 'must match format "date"'],
    ['a pattern', { pattern: '^[a-z]+$' }, 'must match pattern "^[a-z]+$"'],
  ])('a keyword that the document does not use yet is checked, too: %s', (_, keyword, rule) => {
    const contract = compiled({ type: 'string', ...keyword });
    expect(contract.validate('Code', json('"Rex"'))).toEqual([
      { pointer: '', message: `the body is "Rex", and ${rule}` },
    ]);
  });

  it.each([
    ['a keyword that JSON Schema does not have', { type: 'string', enumm: ['a'] }, 'enumm'],
    ['a type that it does not have', { type: 'strng' }, 'strng'],
    ['a reference to another file', { $ref: 'other.yaml#/Code' }, 'other.yaml'],
  ])('%s is an error', (_, schema, words) => {
    expect(() => compiled(schema)).toThrow(words);
  });
});

describe('int64', () => {
  const messageOf = (literal: string): string | undefined =>
    faultsOf('NewPet', `{"name": "Rex", "categoryId": ${literal}}`)
      .map(({ message }) => message)
      .join();

  // biome-ignore format: one table
  it.each([
    '0', '-0', '1.0', '1e3', '9007199254740993', '9223372036854775807', '-9223372036854775808',
    '9223372036854775807.0', '9.223372036854775807e18', '9e18',
  ])('%s is one', (literal) => {
    expect(messageOf(literal)).toBe('');
  });

  // biome-ignore format: one table
  it.each([
    '9223372036854775808', '-9223372036854775809', '18446744073709551615', '9.223372036854775808e18', '1e19', '1e30',
    '1e308', '9007199254740993.5', '1.00000000000000001', '1e-400',
  ])('%s is none', (literal) => {
    expect(messageOf(literal)).toMatch(/^`categoryId` is [^,]+, not an int64$/);
  });

  it.each(['1.5', '1e999', '1e999999999', '"1"', 'true', 'null', '[]', '{}'])('%s is no integer', (literal) => {
    expect(messageOf(literal)).toMatch(/^`categoryId` is [^,]+, not an integer$/);
  });

  it('is compared on the value at its own place', () => {
    const page = `[${pet('')}, {"id": 9223372036854775807, "name": "a", "categoryId": 9223372036854775808}]`;
    expect(pointersOf('Pets', page)).toEqual(['/1/categoryId']);
  });

  it('long digits are cut in the message', () => {
    expect(messageOf('9'.repeat(300))).toBe(`\`categoryId\` is ${'9'.repeat(40)}… (300 characters), not an int64`);
  });
});
